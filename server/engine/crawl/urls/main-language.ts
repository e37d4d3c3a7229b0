import { entryPages } from './entry-pages'
import { type PageVersion, primaryLanguage } from './url-language'
import { domainRoot } from './urls'

/** A page that was fetched. */
export interface FetchedVersion extends PageVersion {
  /** Where it redirects to, or its canonical page; null for a page with a text of its own. */
  movedTo: string | null
}

interface Site {
  type: 'url' | 'sitemap' | 'domain' | 'file'
  url: string | null
  startPath: string | null
}

const maxMoves = 5

/**
 * Returns the primary language of the page that a source starts with, at the end of its redirects; '' if it is unknown.
 * `find` returns what was fetched at a URL, or null.
 */
export async function startLanguage(
  site: Site,
  find: (url: string) => Promise<FetchedVersion | null>,
): Promise<string> {
  for (const url of startPages(site)) {
    let page = await find(url)
    for (let moves = 0; page?.movedTo && moves < maxMoves; moves++) {
      page = (await find(page.movedTo)) ?? { url: page.movedTo, language: null, movedTo: null }
    }
    const language = page?.movedTo === null ? primaryLanguage(page) : ''
    if (language !== '') return language
  }
  return ''
}

/** For a sitemap, the front page of its site. */
function startPages(site: Site): string[] {
  const entries = entryPages(site)
  const frontPage = site.url === null || site.type === 'file' ? null : domainRoot(site.url)
  return entries.length > 0 || frontPage === null ? entries : [frontPage]
}
