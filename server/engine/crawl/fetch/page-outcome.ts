import { type ReasonCode, type ReasonDetails, reasonText } from '../../../../contract/reasons'
import type { FileType } from '../../../../contract/sources/file'
import type { ExtractedPage } from '../../ports/extractor'
import type { Download } from '../../ports/fetcher'
import type { Validators } from './http-validators'

/** What fetching one page can come to. Every case is expected: whoever fetches decides what to store and when to retry. */
export type PageOutcome = FetchedPage | AliasPage | FetchedDocument | UnchangedPage | MovedPage | GonePage | RefusedPage

/** An outcome without a page's text. */
export type OtherOutcome = Exclude<PageOutcome, FetchedPage>

export interface FetchedPage extends ExtractedPage, Validators {
  kind: 'fetched'
  httpStatus: number
  contentType: string
  /** Size of the decoded body. */
  bytes: number
  /** When the page asks to leave the index: milliseconds since 1970, in the future; null for never. */
  unavailableAfter: number | null
}

/** A page that names another page of its site as canonical. */
export interface AliasPage extends Validators {
  kind: 'alias'
  /** Normalized and allowed by robots.txt. */
  canonical: string
  httpStatus: number
  links: string[]
  /** What the page is if that one cannot stand for it. */
  itself: FetchedPage | RefusedPage
}

/** A file to read. The receiver removes `download`, which is null where the caller gave no place for downloads. */
export interface FetchedDocument extends Validators {
  kind: 'document'
  type: FileType
  /** Last part of the URL. */
  name: string
  download: Download | null
  httpStatus: number
  contentType: string
  bytes: number
  /** Time at which the file asks to leave the index, as of a page. */
  unavailableAfter: number | null
}

/** The server answered 304, or a redirect leads to an address that the caller knows. */
export interface UnchangedPage {
  kind: 'unchanged'
}

/** Other pages replace this one. A feed keeps its validators; a redirect and a list of links have none. */
export interface MovedPage extends Validators {
  kind: 'moved'
  reason: 'redirected' | 'feed' | 'link-list'
  /** Normalized and allowed by robots.txt; null for a feed or a list, which all of `links` replace. */
  to: string | null
  /** Status of the page itself, not of `to`. */
  httpStatus: number
  links: string[]
}

export interface GonePage {
  kind: 'gone'
  reason: 'not-found' | 'gone' | 'soft-404'
  message: string
  httpStatus: number
}

export interface RefusedPage {
  kind: 'refused'
  reason: ReasonCode
  message: string
  /** Null where no server answered. */
  httpStatus: number | null
  /** Milliseconds after which another attempt may succeed; null where it would not. */
  retryAfterMs: number | null
  links: string[]
  excludedLinks: ExtractedPage['excludedLinks']
}

export function refused(reason: ReasonCode, details: ReasonDetails = {}, page?: ExtractedPage): RefusedPage {
  return {
    kind: 'refused',
    reason,
    message: reasonText(reason, details),
    httpStatus: details.status ?? null,
    retryAfterMs: null,
    links: page?.links ?? [],
    excludedLinks: page?.excludedLinks ?? [],
  }
}
