import { languagesOfFunctionWord } from '../language/function-word-languages'
import { foldText, isUnsegmented } from '../language/normalize-text'
import { isQuestionWord } from '../language/stop-words'

/** A page of a collection, with what proposals are made from. */
export interface OutlinedPage {
  title: string
  /** BCP 47; '' if unknown. */
  language: string
  /** In the order of the page, each one alone. */
  headings: string[]
}

/** A question, or the title of a page that people ask about. */
export interface Proposal {
  text: string
  /** Primary subtag; '' if unknown. */
  language: string
}

const minLength = 8
const maxLength = 90
/** Scripts without spaces need half of the characters. */
const minUnsegmentedLength = 5
const minWords = 3
/** A page with as many headings that ask is a list of frequent questions. */
const minFrequentQuestions = 3
const maxProposals = 60

const word = /[\p{L}\p{M}\p{N}]+/gu
const questionMark = /[?？؟՞]$/u
/** Numbers and labels before a question: "3.", "Q:", "Q12.", "a)". */
const label = /^(?:[QFPЧВ]\s?\d{0,3}\s?[:.)]|\d{1,3}(?:\.\d{1,3})*[.):]?|[a-z]\))\s+/iu
/** "Still have questions?" invites to call, and is no question about the site. Compiled from headings of many languages. */
const invitation =
  /\b(?:questions?|frage[n]?|preguntas?|dudas?|domand[ae]|perguntas?|dúvidas?|vragen|otázk[ayu]|pytani[ae]|fråg(?:a|or)|spørgsmål|întrebări|kysyttävää|kérdés\p{L}*)\b|вопрос|питання|ご質問|お困り|疑问|疑問/iu
const readyOrLooking = /^(?:ready|need|looking|want|interested|still|got|missed|curious|new here|lost|stuck)\b/iu
/** Titles of pages that every site has and nobody asks about. */
const formality =
  /\b(?:imprint|impressum|legal notice|privacy|datenschutz\p{L}*|cookies?|terms|agb|log ?in|sign ?(?:in|up)|register|anmelden|search|suche|sitemap|404|not found|home|startseite|accueil|inicio|mentions légales|aviso legal|privacidad|confidentialité|polityka prywatności|regulamin|privacy policy|note legali|colofon)\b/iu

/**
 * Proposes what readers of a collection may ask, best first: the questions of its pages with frequent questions, other
 * headings that ask, the pages that answers cite most, the titles of the pages nearest to the start. Pages take turns, so
 * that one page does not fill the list. `popular` are titles, most cited first.
 */
export function proposeQuestions(pages: OutlinedPage[], popular: string[]): Proposal[] {
  const asking = pages.map((page) => ({ page, questions: page.headings.flatMap((text) => questionIn(text) ?? []) }))
  const frequent = asking.filter(({ questions }) => questions.length >= minFrequentQuestions)
  const single = asking
    .filter(({ questions }) => questions.length < minFrequentQuestions)
    .map(({ page, questions }) => ({ page, questions: questions.filter(({ isSure }) => isSure) }))
  const cited = new Set(popular)
  const ofTitles = [...popular, ...pages.map(({ title }) => title).filter((title) => !cited.has(title))]
  const languageOf = new Map(pages.map(({ title, language }) => [title, language]))
  const proposals = new Map<string, Proposal>()
  const add = (text: string, language: string) => {
    const key = foldText(text).replace(/[^\p{L}\p{N}]+/gu, ' ')
    if (proposals.size < maxProposals && !proposals.has(key)) proposals.set(key, { text, language: primary(language) })
  }
  for (const list of [frequent, single]) {
    for (const { page, text } of inTurns(list)) add(text, page.language)
  }
  for (const title of ofTitles) if (isTopic(title)) add(title, languageOf.get(title) ?? '')
  return [...proposals.values()]
}

/**
 * Returns the first `limit` proposals in a language; if there are none in it, or it is null, those in the language of the
 * first proposal. `language` is BCP 47.
 */
export function chooseProposals(proposals: readonly Proposal[], language: string | null, limit: number): string[] {
  const wanted = language === null ? [] : proposals.filter((proposal) => proposal.language === primary(language))
  const [main] = proposals
  const chosen = wanted.length > 0 ? wanted : proposals.filter((proposal) => proposal.language === main?.language)
  return chosen.slice(0, limit).map(({ text }) => text)
}

/** Returns up to `limit` other questions that the headings of these pages ask, without those that repeat `asked`. */
export function followUpQuestions(pages: Pick<OutlinedPage, 'headings'>[], asked: string, limit: number): string[] {
  const former = contentWords(asked)
  const questions = pages.flatMap(({ headings }) => headings.flatMap((text) => questionIn(text) ?? []))
  const further = questions.filter(({ text, isSure }) => isSure && !isCovered(contentWords(text), former))
  return [...new Set(further.map(({ text }) => text))].slice(0, limit)
}

/** Whether a question repeats another one: most of its words occur there. */
function isCovered(words: string[], former: string[]): boolean {
  return 2 * words.filter((part) => former.includes(part)).length > words.length
}

function contentWords(text: string): string[] {
  const words = (foldText(text).match(word) ?? []).filter((part) => languagesOfFunctionWord(part).length === 0)
  return words.map((part) => part.slice(0, 5))
}

/** Splits the paths of fragments, as in 'Guides / Install', into headings, each once. */
export function headingsOf(paths: string[]): string[] {
  return [...new Set(paths.flatMap((path) => path.split(' / ')).map((text) => text.trim()))].filter(Boolean)
}

/** Takes the first question of each page, then the second, and so on. */
function* inTurns(list: { page: OutlinedPage; questions: { text: string }[] }[]) {
  const longest = Math.max(0, ...list.map(({ questions }) => questions.length))
  for (let turn = 0; turn < longest; turn++) {
    for (const { page, questions } of list) {
      const question = questions[turn]
      if (question) yield { page, text: question.text }
    }
  }
}

/** Returns the question that a heading asks; null for other headings. `isSure` if it also has a word that asks. */
function questionIn(heading: string): { text: string; isSure: boolean } | null {
  const text = heading.replace(label, '').trim()
  const hasMark = questionMark.test(text)
  const isGuide = /^how to /i.test(text)
  if (!(hasMark || isGuide) || !hasContent(text)) return null
  if (invitation.test(text) || readyOrLooking.test(text)) return null
  const isSure = isGuide || isUnsegmented(text) || (text.match(word) ?? []).some((part) => isQuestionWord(part))
  return { text, isSure }
}

/** Whether the text says what it is about: 'Why us?' does not. */
function hasContent(text: string): boolean {
  if (isUnsegmented(text)) return text.length >= minUnsegmentedLength && text.length <= maxLength / 2
  const words = text.match(word) ?? []
  return (
    text.length >= minLength &&
    text.length <= maxLength &&
    words.length >= minWords &&
    words.some((part) => part.length >= 3 && languagesOfFunctionWord(part.toLowerCase()).length === 0)
  )
}

function isTopic(title: string): boolean {
  if (formality.test(title) || /[|»]/.test(title)) return false
  if (isUnsegmented(title)) return title.length >= minUnsegmentedLength && title.length <= maxLength / 2
  return title.length >= minLength && title.length <= maxLength && (title.match(word) ?? []).length >= 2
}

function primary(language: string): string {
  return language.toLowerCase().split('-')[0] ?? ''
}
