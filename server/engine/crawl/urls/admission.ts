import type { ReasonCode } from '../../../../contract/texts/reasons'
import { crawlLimits } from '../../limits'
import { createPathPatterns, type PathPatterns } from './url-patterns'
import { isSameSite, shapeExclusion } from './urls'

/** The options of a source that decide which pages it indexes. `url` is null for a file. */
export interface AdmissionRules {
  type: 'url' | 'sitemap' | 'domain' | 'file'
  url: string | null
  include: string[]
  exclude: string[]
  maxDepth: number | null
}

/** Decides which addresses a source indexes, for its runs and for previews. */
export interface Admission {
  /** Why the source does not index an address, or null. `url` is normalized. */
  exclusionOf(address: { url: string; depth: number }): ReasonCode | null
  /** The front page of a domain that the patterns exclude: fetched for its links alone. */
  isLinksOnly(url: string): boolean
}

export function createAdmission({ type, url: start, include, exclude, maxDepth }: AdmissionRules): Admission {
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
      const isFrontPage = type === 'domain' && url === start
      return !isFrontPage && isExcluded(url) ? 'excluded' : null
    },
    isLinksOnly: (url) => type === 'domain' && url === start && isExcluded(url),
  }
}

/** The maximum number of indexed addresses of a source, before the limit of its plan. */
export function pageLimit({ maxPages }: { maxPages: number | null }): number {
  return Math.min(maxPages ?? crawlLimits.pagesPerRun, crawlLimits.pagesPerRun)
}
