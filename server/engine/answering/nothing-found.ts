import { isWeb } from '../../../contract/texts/place-in-file'
import { detectLanguage } from '../language/detect-language'
import { functionWords } from '../language/function-words'
import { questionWords, stopWords } from '../language/stop-words'
import { isPhraseLanguage, type PhraseLanguage, phrases } from './phrases'

/** A fragment below the similarity threshold. */
export interface NearFragment {
  url: string
  title: string
}

const maxPages = 3
const word = /[\p{L}\p{M}]+/gu
const cyrillic = /\p{Script=Cyrillic}/u
const markdownSyntax = /[\\`*_[\]()<>#|~!]/g

/**
 * Returns what an agent says if no fragment reaches its threshold, as Markdown in the language of the question: that it
 * found nothing, what it searched for, and links to the nearest pages. `nearest` is best first. `visitorLanguage` decides
 * where the question does not show its language.
 */
export function nothingFoundReply(
  question: string,
  query: string,
  nearest: NearFragment[],
  visitorLanguage: string | null,
): string {
  const { nothingFound, nearestPages } = phrases[languageOf(question, visitorLanguage)]
  const pages = pagesOf(nearest).map(({ url, title }) => `- [${escapeMarkdown(title || url)}](${escapeUrl(url)})`)
  const sentence = nothingFound(escapeMarkdown(query.replace(/\s+/g, ' ').trim()))
  return pages.length === 0 ? sentence : `${sentence}\n\n${nearestPages}\n\n${pages.join('\n')}`
}

/** Files have no public address. */
function pagesOf(nearest: NearFragment[]): NearFragment[] {
  const byUrl = new Map<string, NearFragment>()
  for (const page of nearest) if (isWeb(page.url) && !byUrl.has(page.url)) byUrl.set(page.url, page)
  return [...byUrl.values()].slice(0, maxPages)
}

/** Questions are short: one function word can decide, where the detection for pages needs more. */
function languageOf(question: string, visitorLanguage: string | null): PhraseLanguage {
  const detected = detectLanguage([question]) || likelyLanguage(question, visitorLanguage)
  return isPhraseLanguage(detected) ? detected : 'en'
}

/** A word counts less the more languages share it. */
function likelyLanguage(question: string, visitorLanguage: string | null): string {
  if (cyrillic.test(question)) return 'ru'
  const scores = new Map<string, number>()
  for (const one of question.toLowerCase().match(word) ?? []) {
    const languages = languagesOf(one)
    for (const language of languages) scores.set(language, (scores.get(language) ?? 0) + 1 / languages.length)
  }
  const max = Math.max(0, ...scores.values())
  if (max === 0) return visitorLanguage ?? 'en'
  const best = [...scores].flatMap(([language, score]) => (score === max ? language : []))
  return best.find((language) => language === visitorLanguage) ?? best.find(isPhraseLanguage) ?? 'en'
}

function languagesOf(one: string): string[] {
  const inStopWords = [...stopWords].flatMap(([language, words]) => (words.includes(one) ? language : []))
  const inLists = Object.entries(functionWords).flatMap(([language, words]) => {
    return ` ${words} ${questionWords[language] ?? ''} `.includes(` ${one} `) ? language : []
  })
  return [...inStopWords, ...inLists]
}

function escapeMarkdown(text: string): string {
  return text.replace(markdownSyntax, '\\$&')
}

function escapeUrl(url: string): string {
  return url.replace(/[ ()<>\\]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}
