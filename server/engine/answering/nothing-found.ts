import { isWeb } from '../../../contract/texts/pages/place-in-file'
import { detectLanguage } from '../language/detect-language'
import { functionWords } from '../language/function-words'
import { questionWords, stopWords } from '../language/stop-words'
import { isPhraseLanguage, phrases } from './phrases'

/** A page that is near the question but does not answer it. */
export interface NearPage {
  url: string
  title: string
  /** BCP 47, or '' if unknown. */
  language: string
}

const maxPages = 3
const word = /[\p{L}\p{M}]+/gu
const cyrillic = /\p{Script=Cyrillic}/u
/** Characters that are syntax in inline Markdown. */
const markdownSyntax = /[\\`*_[\]<~]/g

/**
 * Returns what an agent says if no fragment reaches its threshold, as Markdown in the language of the question: that it
 * found nothing, and links to the nearest pages, those in the language of the question if there are any. `nearest` is
 * best first. `visitorLanguage` applies if the language of the question is unclear.
 */
export function nothingFoundReply(question: string, nearest: NearPage[], visitorLanguage: string | null): string {
  const language = languageOf(question, visitorLanguage)
  const { nothingFound, nearestPages } = phrases[isPhraseLanguage(language) ? language : 'en']
  const pages = pagesOf(nearest, language).map(
    ({ url, title }) => `- [${escapeMarkdown(title || url)}](${escapeUrl(url)})`,
  )
  return pages.length === 0 ? nothingFound : `${nothingFound} ${nearestPages}\n\n${pages.join('\n')}`
}

/** Files have no public address. */
function pagesOf(nearest: NearPage[], language: string): NearPage[] {
  const byUrl = new Map<string, NearPage>()
  for (const page of nearest) if (isWeb(page.url) && !byUrl.has(page.url)) byUrl.set(page.url, page)
  const pages = [...byUrl.values()]
  const readable = pages.filter((page) => page.language.split('-')[0] === language)
  return (readable.length > 0 ? readable : pages).slice(0, maxPages)
}

/** Questions are short, so one function word can decide; the detection for pages needs more. */
function languageOf(question: string, visitorLanguage: string | null): string {
  return detectLanguage([question]) || likelyLanguage(question, visitorLanguage)
}

/** A word counts less the more languages share it. */
function likelyLanguage(question: string, visitorLanguage: string | null): string {
  if (cyrillic.test(question)) return 'ru'
  const scores = new Map<string, number>()
  for (const text of question.toLowerCase().match(word) ?? []) {
    const languages = languagesOf(text)
    for (const language of languages) scores.set(language, (scores.get(language) ?? 0) + 1 / languages.length)
  }
  const max = Math.max(0, ...scores.values())
  if (max === 0) return visitorLanguage ?? 'en'
  const best = [...scores].flatMap(([language, score]) => (score === max ? language : []))
  return best.find((language) => language === visitorLanguage) ?? best.find(isPhraseLanguage) ?? 'en'
}

function languagesOf(text: string): string[] {
  const inStopWords = [...stopWords].flatMap(([language, words]) => (words.includes(text) ? language : []))
  const inLists = Object.entries(functionWords).flatMap(([language, words]) => {
    return ` ${words} ${questionWords[language] ?? ''} `.includes(` ${text} `) ? language : []
  })
  return [...inStopWords, ...inLists]
}

function escapeMarkdown(text: string): string {
  return text.replace(markdownSyntax, '\\$&')
}

function escapeUrl(url: string): string {
  return url.replace(/[ ()<>\\]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}
