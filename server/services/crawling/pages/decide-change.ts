import { type ReasonCode, reasonText } from '../../../../contract/reasons'
import type { FetchedDocument, FetchedPage, PageOutcome, RefusedPage } from '../../../engine/crawl/fetch/page-outcome'
import { createAdmission } from '../../../engine/crawl/urls/admission'
import type { AddressRow, DiscoveredAddress } from '../../runs/run-context'
import type { SourceRow } from '../../source-rows/source-settings'

/** What one fetch changes of its address. `links` are enqueued. */
export type PageChange =
  /** Its text is indexed. */
  | { kind: 'index'; page: FetchedPage; links: DiscoveredAddress[] }
  /** Its text stays as it is. */
  | { kind: 'keep' }
  /** Another address replaces it, or only its links count. Null validators make the next fetch unconditional. */
  | {
      kind: 'canonicalize'
      reason: 'redirected' | 'canonical' | 'feed' | 'excluded'
      target: string | null
      httpStatus: number
      etag: string | null
      lastModified: string | null
      links: DiscoveredAddress[]
    }
  | Rejection
  /** Fetched again in this run, after `afterMs`. */
  | { kind: 'retry'; reason: ReasonCode; message: string; httpStatus: number | null; afterMs: number }
  /** The site was not asked because it is paused: no attempt, and no crawl. */
  | { kind: 'postpone'; afterMs: number }

export type ChangeOf<Kind extends PageChange['kind']> = Extract<PageChange, { kind: Kind }>

/** It has nothing to index. */
export interface Rejection {
  kind: 'reject'
  reason: ReasonCode
  message: string
  httpStatus: number | null
  /** Whether it loses the text of an earlier run. */
  withdraw: boolean
  /** Consecutive fetches without a page; null leaves the count to the status. */
  notFoundCount: number | null
  /** False where the site was not asked, so that it costs no crawl. */
  isFetched: boolean
  links: DiscoveredAddress[]
}

/** Reasons to withdraw a text: its owner's decisions, never the failure of a server. */
const withdrawing = new Set<ReasonCode>(['noindex', 'expired', 'robots-disallowed', 'not-html', 'other-host'])
/** Excluded links that are stored with their reason. */
const storedExclusions = new Set<ReasonCode>(['trap', 'too-deep'])

/** What decides about a page in addition to the outcome of its fetch. */
export interface PageContext {
  source: SourceRow
  address: AddressRow
  /** Delays before the attempts after the first; the address has failed after the last. */
  retryDelaysMs: readonly number[]
}

/** Decides what the outcome of a fetch changes. */
export function decideChange(
  { source, address, retryDelaysMs }: PageContext,
  outcome: Exclude<PageOutcome, FetchedDocument>,
): PageChange {
  switch (outcome.kind) {
    case 'unchanged':
      return { kind: 'keep' }
    case 'gone':
      return rejectGone(address, outcome)
    case 'moved': {
      const { kind: _, to, links, ...rest } = outcome
      // As far from the start as the address itself.
      const target = to === null ? [] : [{ ...linkFrom(address, to), depth: address.depth, isTarget: true }]
      return { ...rest, kind: 'canonicalize', target: to, links: [...target, ...linksFrom(address, { links })] }
    }
    case 'refused':
      return outcome.retryAfterMs === null
        ? reject(address, outcome)
        : retry(address, outcome, outcome.retryAfterMs, retryDelaysMs)
    case 'fetched': {
      const links = linksFrom(address, outcome)
      if (!createAdmission(source).isLinksOnly(address.url)) return { kind: 'index', page: outcome, links }
      const { httpStatus } = outcome
      return {
        ...{ kind: 'canonicalize', reason: 'excluded', target: null },
        ...{ httpStatus, etag: null, lastModified: null, links },
      }
    }
  }
}

function retry(
  address: AddressRow,
  { reason, message, httpStatus }: RefusedPage,
  afterMs: number,
  retryDelaysMs: readonly number[],
): PageChange {
  if (reason === 'rate-limited' && httpStatus === null) return { kind: 'postpone', afterMs }
  const delayMs = retryDelaysMs[address.attempts]
  if (delayMs === undefined) return rejection({ reason, message, httpStatus })
  const isRequested = reason === 'rate-limited' || httpStatus === 503
  return { kind: 'retry', reason, message, httpStatus, afterMs: Math.max(delayMs, isRequested ? afterMs : 0) }
}

function reject(address: AddressRow, outcome: RefusedPage): Rejection {
  const { reason, message, httpStatus } = outcome
  return rejection({
    ...{ reason, message, httpStatus, withdraw: withdrawing.has(reason) },
    ...{ isFetched: reason !== 'robots-disallowed', links: linksFrom(address, outcome) },
  })
}

/** An indexed page is removed at the second 404; a 410 is final at once. */
function rejectGone(address: AddressRow, outcome: Extract<PageOutcome, { kind: 'gone' }>): Rejection {
  const { reason, message, httpStatus } = outcome
  const notFoundCount = address.notFoundCount + 1
  const isFinal = reason === 'gone' || notFoundCount > 1 || address.fragments === 0
  if (isFinal) return rejection({ reason, message, httpStatus, withdraw: true, notFoundCount })
  return rejection({ reason: 'missing-once', message: reasonText('missing-once'), httpStatus, notFoundCount })
}

export function rejection(
  rejected: Pick<Rejection, 'reason' | 'message' | 'httpStatus'> & Partial<Rejection>,
): Rejection {
  return { kind: 'reject', withdraw: false, notFoundCount: null, isFetched: true, links: [], ...rejected }
}

function linksFrom(
  address: AddressRow,
  page: { links: string[] } & Partial<Pick<FetchedPage, 'languages' | 'excludedLinks'>>,
): DiscoveredAddress[] {
  const followed = page.links.map((url) => ({ ...linkFrom(address, url), language: page.languages?.get(url) ?? null }))
  const excluded = (page.excludedLinks ?? []).filter(({ reason }) => storedExclusions.has(reason))
  return [...followed, ...excluded.map(({ url, reason }) => ({ ...linkFrom(address, url), exclusion: reason }))]
}

function linkFrom({ url: discoveredFrom, depth }: AddressRow, url: string): DiscoveredAddress {
  return { url, depth: depth + 1, discoveredFrom }
}
