import { isNote, type ReasonCode, reasonText, withAddress } from '../../../../contract/reasons'
import type { addresses } from '../../../../db/schema/addresses'
import type {
  AliasPage,
  FetchedPage,
  GonePage,
  MovedPage,
  RefusedPage,
  UnchangedPage,
} from '../../../engine/crawl/fetch/page-outcome'
import { createAdmission } from '../../../engine/crawl/urls/admission'
import type { FileRefusal } from '../../../engine/documents/ports'
import { extractorVersion } from '../../../engine/ingest/extractor-version'
import type { AddressRow, DiscoveredAddress } from '../../runs/run-context'
import type { Outcome, VisitRow } from '../../runs/visits'
import type { SourceRow } from '../../source-rows/source-settings'
import type { ReadText } from './read-text'

/** What a visit found at an address. */
export type Finding =
  | ReadText
  | Alias
  | UnchangedPage
  | MovedPage
  | GonePage
  | RefusedPage
  /** The file of the source was read before. */
  | { kind: 'same-file' }
  /** The file that was to replace the source's own is unreadable. */
  | { kind: 'bad-replacement'; reason: FileRefusal; message: string }

/** A page that names another one as canonical. */
export interface Alias extends Omit<AliasPage, 'itself'> {
  itself: ReadText | RefusedPage
}

/** Another address of the source with the same text. */
export interface Duplicate {
  /** The address that has the fragments. */
  owner: AddressRow
  /** Whether the owner is preferred, so that it keeps the text. */
  isPreferred: boolean
  /** How the run's visit of the owner ended; null if it has not visited it, or visits it again. */
  ownerOutcome: Outcome | null
}

/** Everything that decides what a visit changes. */
export interface Visited {
  source: SourceRow
  /** Address as stored. */
  address: AddressRow
  /** Visit as claimed. */
  visit: Pick<VisitRow, 'depth' | 'attempts' | 'reason'>
  finding: Finding
  /** The page with the text that was found, or with the text that the address stands for. */
  duplicate: Duplicate | null
  /** Whether the canonical URL that it names has or gets the text that stands for it. */
  hasCanonical: boolean
  /** Whether its links lead to the same text without end. */
  isTrap: boolean
  /** Delays before the attempts after the first; the address has failed after the last. */
  retryDelaysMs: readonly number[]
  now: Date
}

/** What a visit changes. */
export type Change = Postponement | Refetch | Ending

/** Visited again in this run, after `afterMs`. Without a failed attempt the site was not asked, which costs no crawl. */
export interface Postponement {
  kind: 'postpone'
  afterMs: number
  attempt: { reason: ReasonCode; message: string; httpStatus: number | null } | null
}

/** It is unchanged, but the page that stood for it has no text any more: fetched again at once, unconditionally. */
export interface Refetch {
  kind: 'refetch'
}

type AddressColumns = Partial<typeof addresses.$inferInsert>

/** The visit is over. */
export interface Ending {
  kind: 'end'
  visit: Pick<VisitRow, 'outcome' | 'reason' | 'message' | 'httpStatus' | 'bytes'>
  address: AddressColumns
  /** Whether its address keeps its text, loses it, or gets the one that was read. */
  text: 'keep' | 'delete' | 'store'
  /** The page whose text it takes. */
  takesFrom: Duplicate | null
  /** What the source does with the file that is to replace its own. */
  replacement: 'keep' | 'promote' | 'drop'
  /** False where the site was not asked, so that it costs no crawl. */
  isFetched: boolean
  /** What is enqueued. */
  links: DiscoveredAddress[]
}

/** Reasons to withdraw a text: its owner's decisions, never the failure of a server. */
const withdrawing = new Set<ReasonCode>(['noindex', 'expired', 'robots-disallowed', 'not-html', 'other-host'])
/** Excluded links that are stored with their reason. */
const storedExclusions = new Set<ReasonCode>(['trap', 'too-deep'])
const noValidators = { etag: null, lastModified: null }

/** What was found, but for a canonical URL that has no text to stand for the page: then the page counts itself. */
export function findingThatCounts({ finding, hasCanonical }: Pick<Visited, 'finding' | 'hasCanonical'>): Finding {
  return finding.kind === 'alias' && !hasCanonical ? finding.itself : finding
}

/** Decides what a visit changes. */
export function decide(input: Visited): Change {
  const visited = { ...input, finding: findingThatCounts(input) }
  const { source, address, finding } = visited
  switch (finding.kind) {
    case 'read':
      return createAdmission(source).isLinksOnly(address.url)
        ? replaced(visited, { ...finding, ...noValidators, reason: 'excluded', target: null, links: linksOf(visited) })
        : read(visited, finding)
    case 'alias': {
      const { canonical: target, links } = finding
      return replaced(visited, { ...finding, reason: 'canonical', target, links: linksTo(address, target, links) })
    }
    case 'unchanged':
      return unchanged(visited, { httpStatus: 304 })
    case 'same-file':
      return { ...end('unchanged', restored(visited)), replacement: 'promote' }
    case 'bad-replacement': {
      const { reason, message } = finding
      const { crawledAt: _, ...columns } = restored(visited)
      return { ...end('failed', columns, { reason, message }), replacement: 'drop' }
    }
    case 'moved': {
      const { to, links } = finding
      return replaced(visited, { ...finding, target: to, links: linksTo(address, to, links) })
    }
    case 'gone':
      return gone(visited, finding)
    case 'refused':
      if (finding.reason === 'extraction-timeout') return putOff(visited, finding)
      return finding.retryAfterMs === null
        ? refused(visited, finding)
        : failedAttempt(visited, finding, finding.retryAfterMs)
  }
}

function read(visited: Visited, text: ReadText): Ending {
  const { address, visit, source, duplicate, now } = visited
  const { textHash, httpStatus, bytes, note } = text
  const owner = duplicate?.isPreferred ? duplicate.owner.url : null
  const said = owner
    ? { reason: 'duplicate', message: withAddress('duplicate', owner) }
    : (note ?? { reason: null, message: null })
  // A shorter path to it was found while it was fetched: its links are to be discovered again from there.
  const isNearer = address.depth < visit.depth && source.maxDepth !== null
  return {
    ...end(outcomeOf(visited, text), {
      ...text.columns,
      ...(isNearer ? noValidators : {}),
      ...said,
      ...settled,
      canonicalUrl: owner,
      textHash,
      extractorVersion: extractorVersion[text.from],
      crawledAt: now,
      fetchedAt: now,
      changedAt: address.textHash === textHash ? address.changedAt : now,
      updatedAt: now,
    }),
    visit: { outcome: outcomeOf(visited, text), ...said, httpStatus, bytes },
    text: 'store',
    takesFrom: duplicate?.isPreferred ? null : duplicate,
    replacement: text.from === 'document' ? 'promote' : 'keep',
    links: linksOf(visited),
  }
}

/** Returns the outcome. Of two addresses with the same text, one has it and the other is replaced by it. */
function outcomeOf({ address, duplicate }: Visited, { textHash }: ReadText): Outcome {
  if (duplicate?.isPreferred) return address.fragments > 0 ? 'withdrawn' : 'replaced'
  // The text changes hands: the visit of the owner is replaced.
  if (duplicate?.ownerOutcome) return duplicate.ownerOutcome
  if (address.textHash === null) return duplicate ? 'unchanged' : 'new'
  return address.textHash === textHash ? 'unchanged' : 'changed'
}

/** An address without a text of its own stays what it was: the duplicate, the alias or the feed of others. */
function unchanged(visited: Visited, { httpStatus }: { httpStatus: number }): Ending | Refetch {
  const { address, duplicate } = visited
  const { fragments, canonicalUrl, textHash } = address
  const columns = { ...restored(visited), httpStatus }
  if (fragments > 0) return end('unchanged', columns)
  if (textHash === null) {
    if (canonicalUrl !== null && !visited.hasCanonical) return { kind: 'refetch' }
    const reason = canonicalUrl === null ? 'feed' : 'canonical'
    const said = { reason, message: withAddress(reason, canonicalUrl) }
    return end('replaced', { ...columns, ...said }, { ...said, httpStatus })
  }
  if (canonicalUrl === null) return end('unchanged', columns)
  if (duplicate === null) return { kind: 'refetch' }
  const { url } = duplicate.owner
  const said = { reason: 'duplicate', message: withAddress('duplicate', url) }
  return end('replaced', { ...columns, ...said, canonicalUrl: url }, { ...said, httpStatus })
}

const settled = { status: 'idle' as const, failures: 0, notFoundCount: 0 }

/** A failure in between may have replaced the reason; a note about the text stays with the text. */
function restored({ address, now }: Visited) {
  return { ...settled, crawledAt: now, ...(isNote(address.reason) ? {} : { reason: null, message: null }) }
}

interface Replacement extends Pick<MovedPage, 'httpStatus' | 'etag' | 'lastModified'> {
  reason: MovedPage['reason'] | 'canonical' | 'excluded'
  target: string | null
  links: DiscoveredAddress[]
}

/** Another address has the text, or only its links count. Null validators make the next fetch unconditional. */
function replaced(
  { address, now }: Visited,
  replacement: Omit<Replacement, 'httpStatus'> & { httpStatus: number | null },
): Ending {
  const { reason, target, httpStatus, etag, lastModified, links } = replacement
  const said = { reason, message: withAddress(reason, target) }
  const columns = {
    ...{ ...said, ...settled, canonicalUrl: target, httpStatus, textHash: null, etag, lastModified },
    ...{ extractorVersion: extractorVersion.page, crawledAt: now, fetchedAt: now, updatedAt: now },
  }
  const outcome = address.fragments > 0 ? 'withdrawn' : 'replaced'
  return { ...end(outcome, columns, { ...said, httpStatus }), text: 'delete', links }
}

function failedAttempt(visited: Visited, finding: RefusedPage, afterMs: number): Change {
  const { reason, message, httpStatus } = finding
  if (reason === 'rate-limited' && httpStatus === null) return { kind: 'postpone', afterMs, attempt: null }
  const delayMs = visited.retryDelaysMs[visited.visit.attempts]
  if (delayMs === undefined) return failed(visited, { reason, message, httpStatus })
  const isRequested = reason === 'rate-limited' || httpStatus === 503
  return {
    kind: 'postpone',
    afterMs: Math.max(delayMs, isRequested ? afterMs : 0),
    attempt: { reason, message, httpStatus },
  }
}

/** A page that took too long is tried once more, at the end of the run: this machine may have been busy. */
function putOff(visited: Visited, finding: RefusedPage): Change {
  const { reason, message, httpStatus } = finding
  const { attempts, reason: lastReason } = visited.visit
  if (lastReason === reason || attempts > visited.retryDelaysMs.length) return refused(visited, finding)
  return { kind: 'postpone', afterMs: 0, attempt: { reason, message, httpStatus } }
}

function refused(visited: Visited, { reason, message, httpStatus }: RefusedPage): Ending {
  const withdraws = withdrawing.has(reason)
  const isFetched = reason !== 'robots-disallowed'
  return { ...failed(visited, { reason, message, httpStatus, withdraws }), isFetched, links: linksOf(visited) }
}

/** An indexed page is removed at the second 404; a 410 is final at once. */
function gone(visited: Visited, { reason, message, httpStatus }: GonePage): Ending {
  const notFoundCount = visited.address.notFoundCount + 1
  const isFinal = reason === 'gone' || notFoundCount > 1 || visited.address.fragments === 0
  if (isFinal) return failed(visited, { reason, message, httpStatus, withdraws: true, notFoundCount })
  const once = { reason: 'missing-once', message: reasonText('missing-once') } as const
  return failed(visited, { ...once, httpStatus, notFoundCount })
}

interface Failure {
  reason: ReasonCode
  message: string
  httpStatus: number | null
  /** Whether the address loses the text of an earlier run. */
  withdraws?: boolean
  /** Consecutive fetches without a page; by default, a status of success resets the count. */
  notFoundCount?: number
}

function failed({ address, visit, now }: Visited, failure: Failure): Ending {
  const { reason, message, httpStatus, withdraws = false } = failure
  const said = { reason, message }
  // A page that was rejected for its content exists; a timeout or server error says nothing about that.
  const exists = httpStatus !== null && httpStatus >= 200 && httpStatus < 300
  const columns = {
    ...{ ...said, status: 'fail' as const, httpStatus, updatedAt: now },
    failures: address.failures + visit.attempts + 1,
    notFoundCount: failure.notFoundCount ?? (exists ? 0 : address.notFoundCount),
    ...(withdraws ? { textHash: null, ...noValidators, canonicalUrl: null } : {}),
  }
  const outcome = withdraws && address.fragments > 0 ? 'withdrawn' : 'failed'
  return { ...end(outcome, columns, { ...said, httpStatus }), text: withdraws ? 'delete' : 'keep' }
}

function end(
  outcome: Outcome,
  address: AddressColumns,
  said: { reason?: string; message?: string; httpStatus?: number | null } = {},
): Ending {
  const { reason = null, message = null, httpStatus = null } = said
  return {
    ...{ kind: 'end', visit: { outcome, reason, message, httpStatus, bytes: null }, address },
    ...{ text: 'keep', takesFrom: null, replacement: 'keep', isFetched: true, links: [] },
  }
}

/** Links with the page that replaces the address, which is as far from the start as the address itself. */
function linksTo(address: AddressRow, target: string | null, links: string[]): DiscoveredAddress[] {
  const targets = target === null ? [] : [{ ...linkFrom(address, target), depth: address.depth, isTarget: true }]
  return [...targets, ...linksFrom(address, { links })]
}

function linksOf({ address, finding, isTrap }: Visited): DiscoveredAddress[] {
  return isTrap || !('excludedLinks' in finding) ? [] : linksFrom(address, finding)
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
