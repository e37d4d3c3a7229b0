import type { SiteAccess } from '../../ports/fetcher'
import type { CrawlType } from '../discover/discover'

export interface PreviewRequest {
  type: CrawlType
  url: string
  /** Start path as of `AdmissionRules`. */
  startPath: string | null
  include: string[]
  exclude: string[]
  /** Null for the limit of a run. */
  maxPages: number | null
  maxDepth: number | null
  access: SiteAccess | null
  /** Milliseconds between two requests to the site, in place of the default. */
  crawlDelayMs?: number
  /** Addresses that the plan still allows. */
  remainingPages: number
}
