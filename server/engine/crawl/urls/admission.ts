import type { ReasonCode } from '../../../../contract/reasons'
import { crawlLimits } from '../../limits'
import { entryPages } from './entry-pages'
import { createPathPatterns, type PathPatterns } from './url-patterns'
import { isSameSite, shapeExclusion } from './urls'

/** The options of a source that decide which pages it indexes. `url` is null for a file. */
export interface AdmissionRules {
  type: 'url' | 'sitemap' | 'domain' | 'file'
  url: string | null
  /** Path and query of the page that a domain starts with; null for its front page. */
  startPath: string | null
  include: string[]
  exclude: string[]
  maxDepth: number | null
}

/** Decides which addresses a source indexes, for its runs and for previews. */
export interface Admission {
  /** Why the source does not index an address, or null. `url` is normalized. */
  exclusionOf(address: { url: string; depth: number }): ReasonCode | null
  /** An entry page of a domain that the patterns exclude: fetched for its links alone. */
  isLinksOnly(url: string): boolean
}

export function createAdmission(rules: AdmissionRules): Admission {
  const { type, url: start, include, exclude, maxDepth } = rules
  const entries = entryPages(rules)
  let patterns: PathPatterns | null = null

  function isExcluded(url: string): boolean {
    patterns ??= createPathPatterns({ include, exclude })
    return !patterns.admits(url)
  }

  return {
    exclusionOf({ url, depth }) {
      // The one address of a file is its name.
      if (type === 'file') return null
      if (type !== 'url' && start !== null && !isSameSite(url, start)) return 'other-host'
      const shape = shapeExclusion(url)
      if (shape) return shape
      if (maxDepth !== null && depth > maxDepth) return 'over-depth'
      return !entries.includes(url) && isExcluded(url) ? 'excluded' : null
    },
    isLinksOnly: (url) => entries.includes(url) && isExcluded(url),
  }
}

/** The maximum number of indexed addresses of a source, before the limit of its plan. */
export function pageLimit({ maxPages }: { maxPages: number | null }): number {
  return Math.min(maxPages ?? crawlLimits.pagesPerRun, crawlLimits.pagesPerRun)
}
