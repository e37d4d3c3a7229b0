import { type PageVersion, primaryLanguage } from './url-language'

/**
 * Whether the first of two pages with the same text is the one to keep: https before http, then one in the main language
 * of the site before one in another, then without parameters, then the shorter URL, then by characters. Does not depend
 * on the order of fetching. `mainLanguage`: '' if it is unknown.
 */
export function isPreferred(first: PageVersion, second: PageVersion, mainLanguage: string): boolean {
  return rankOf(first, mainLanguage) < rankOf(second, mainLanguage)
}

function rankOf(page: PageVersion, mainLanguage: string): string {
  const { url } = page
  const language = mainLanguage === '' ? '' : primaryLanguage(page)
  const isForeign = language !== '' && language !== mainLanguage
  const flags = [url.startsWith('http:'), isForeign, url.includes('?')].map(Number)
  return `${flags.join(' ')} ${String(url.length).padStart(5, '0')} ${url}`
}
