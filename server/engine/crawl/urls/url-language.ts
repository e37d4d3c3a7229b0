import { languageTag } from '../../language/language-tag'

/** A page, and the language that it declares; BCP 47 in lower case, '' or null if it is unknown. */
export interface PageVersion {
  url: string
  language: string | null
}

/** Folders before the one that names the language, as in /docs/17/de/. */
const maxFolders = 3
const localePattern = /^[a-z]{2}(?:-(?:[a-z]{2}|[a-z]{4}|\d{3}))?$/
const parameterPattern = /^(?:lang|language|locale|hl)$/i
const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** The primary language of a page: the one that its URL names, else the one that it declares; '' if unknown. */
export function primaryLanguage({ url, language }: PageVersion): string {
  return languageInUrl(url) || primaryOf(languageTag(language ?? ''))
}

/** The primary language that a folder or a parameter of a URL names, as in /de/ and ?lang=pt-BR; '' without one. */
function languageInUrl(url: string): string {
  const { pathname, searchParams } = new URL(url)
  for (const [name, value] of searchParams) if (parameterPattern.test(name)) return primaryOf(languageTag(value))
  // The last segment is the name of the page.
  const folders = pathname.split('/').slice(1, -1).slice(0, maxFolders)
  const tag = folders.map(languageTag).find((folder) => localePattern.test(folder) && names.of(folder) !== undefined)
  return primaryOf(tag ?? '')
}

function primaryOf(tag: string): string {
  return tag.split('-', 1)[0] ?? ''
}
