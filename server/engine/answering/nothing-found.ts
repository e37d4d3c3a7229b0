import { isWeb } from '../../../contract/texts/pages/place-in-file'
import { questionLanguages } from '../language/question-language'
import { isPhraseLanguage, phrases } from './phrases'

/** A page that is near the question but does not answer it. */
export interface NearPage {
  url: string
  title: string
  /** BCP 47, or '' if unknown. */
  language: string
}

const maxPages = 3
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

function languageOf(question: string, visitorLanguage: string | null): string {
  const likely = questionLanguages(question)
  if (likely.length === 0) return visitorLanguage ?? 'en'
  return likely.find((language) => language === visitorLanguage) ?? likely.find(isPhraseLanguage) ?? likely[0] ?? 'en'
}

function escapeMarkdown(text: string): string {
  return text.replace(markdownSyntax, '\\$&')
}

function escapeUrl(url: string): string {
  return url.replace(/[ ()<>\\]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}
