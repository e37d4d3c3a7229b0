import { domainRoot, normalizeAddress } from './urls'

type CrawlType = 'url' | 'sitemap' | 'domain' | 'file'

/** The URL of a source, and where in it a crawl starts. */
export interface Start {
  url: string
  /** Path and query, normalized, with a leading slash; null for the front page, and for any type but a domain. */
  startPath: string | null
}

/** Splits the URL that a person gave for a source: a domain is cut to its front page, and its path is kept. */
export function startOf({ type, url }: { type: CrawlType; url: string }): Start {
  const root = type === 'domain' ? domainRoot(url) : null
  if (root === null) return { url, startPath: null }
  const startPath = (normalizeAddress(url.trim()) ?? root).slice(root.length - 1)
  return { url: root, startPath: startPath === '/' ? null : startPath }
}

/** The pages with which the crawl of a domain starts, in order and normalized; none for any other type. */
export function entryPages({
  type,
  url,
  startPath,
}: {
  type: CrawlType
  url: string | null
  startPath: string | null
}) {
  const frontPage = type === 'domain' && url !== null ? domainRoot(url) : null
  if (frontPage === null) return []
  const start = startPath === null ? null : normalizeAddress(frontPage + startPath.slice(1))
  return start === null || start === frontPage ? [frontPage] : [start, frontPage]
}
