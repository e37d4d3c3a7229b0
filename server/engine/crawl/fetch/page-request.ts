import type { ExtractionRequest, Extractor } from '../../ports/extractor'
import type { Downloads, SiteAccess } from '../../ports/fetcher'
import type { AlternateTexts } from './alternate-text'
import type { PoliteFetchDeps } from './polite-fetch'
import type { Soft404Detector } from './soft-404'

export interface FetchPageDeps extends PoliteFetchDeps {
  extractor: Extractor
  soft404: Soft404Detector
  alternateTexts: AlternateTexts
  /** Product token, as robots.txt and X-Robots-Tag name it. */
  agent: string
  /** Where documents are stored. Without it they are only identified. */
  downloads?: Downloads
}

export interface PageRequest {
  url: string
  /** Validator from the last fetch, for a conditional request. */
  etag?: string | null
  lastModified?: string | null
  /** Whether to collect the page's links within the site. */
  followLinks: boolean
  /**
   * Any URL of the site that the page must be on, redirects included. Null for any site: the page is read by itself, whatever
   * canonical URL it names.
   */
  site: string | null
  /** Whether the caller fetches this URL by itself, so that a redirect to it is not followed. */
  isKnown?(url: string): Promise<boolean>
  /** Counts the other pages of the site that redirect to this URL, as far as they were visited. */
  countRedirectsTo?(url: string): Promise<number>
  /** The language that other pages or a sitemap give for the page, for text whose language cannot be detected. */
  fallbackLanguage?: string
  access: SiteAccess | null
  /** Milliseconds between two requests to the site, in place of the default. */
  crawlDelayMs?: number
  selectors?: ExtractionRequest['selectors']
  boilerplate?: ExtractionRequest['boilerplate']
}
