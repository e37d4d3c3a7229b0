import { type AnyColumn, and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { AddressStatus, SourceStatus } from '../../../contract/enumerations'
import type { Transaction } from '../../../db/database'
import { addresses } from '../../../db/schema/addresses'
import { sources } from '../../../db/schema/collections'

/** A change of status. `from` is empty for a new row. */
export interface Transition<Status extends string> {
  from: readonly Status[]
  to: Status
  why: string
}

const resting = ['idle', 'fail', 'new', 'crawl-limit', 'url-limit'] as const
const working = ['processing', 'crawling'] as const

/** Every change of a source's status, by event. No other code writes one. */
export const sourceTransitions = {
  added: { from: [], to: 'processing', why: 'somebody adds it; its first run is enqueued' },
  refreshed: { from: resting, to: 'processing', why: 'a person, the API or the schedule starts a run' },
  discovered: { from: ['processing'], to: 'crawling', why: 'the run knows its addresses and starts to fetch them' },
  listed: { from: working, to: 'idle', why: 'a run that only discovers addresses is over' },
  'address-retried': { from: resting, to: 'crawling', why: 'a person retries one address' },
  paused: { from: working, to: 'idle', why: 'a person pauses the run' },
  'resumed-discovery': { from: ['idle'], to: 'processing', why: 'a person resumes a run during discovery' },
  'resumed-fetching': { from: ['idle'], to: 'crawling', why: 'a person resumes a run after discovery' },
  finished: { from: working, to: 'idle', why: 'the run is over and pages are indexed' },
  cancelled: { from: ['processing', 'crawling', 'idle'], to: 'idle', why: 'a person cancels the run' },
  failed: { from: working, to: 'fail', why: 'the run is over without an indexed page, or was abandoned' },
  'url-limit': { from: working, to: 'url-limit', why: 'the run is over and ignored addresses beyond the limit' },
  'crawl-limit': { from: working, to: 'crawl-limit', why: "the month's crawls are used up during a run" },
  'no-crawls-left': {
    from: resting,
    to: 'crawl-limit',
    why: "a run is requested after the month's crawls are used up",
  },
} as const satisfies Record<string, Transition<SourceStatus>>
export type SourceEvent = keyof typeof sourceTransitions

const settled = ['idle', 'fail', 'new', 'limit'] as const

/** Every change of an address's status, by event. No other code writes one. */
export const addressTransitions = {
  enqueued: { from: [], to: 'pending', why: 'a run discovers it and fetches it' },
  noted: { from: [], to: 'new', why: 'a run that does not fetch it discovers it' },
  'found-excluded': {
    from: [],
    to: 'idle',
    why: 'a run discovers it and the rules of the source exclude it',
  },
  'found-over-limit': { from: [], to: 'limit', why: 'a run discovers it beyond the limit of addresses' },
  requeued: { from: settled, to: 'pending', why: 'a run or a person wants it fetched again' },
  claimed: { from: ['pending'], to: 'crawling', why: 'a worker takes it' },
  indexed: { from: ['crawling'], to: 'idle', why: 'its text is stored' },
  unchanged: { from: ['crawling'], to: 'idle', why: 'the server answers that nothing changed (304)' },
  'replacement-rejected': { from: ['crawling'], to: 'idle', why: 'the file that would replace its own is unreadable' },
  canonicalized: { from: ['crawling'], to: 'idle', why: 'another address is indexed instead' },
  rejected: { from: ['crawling'], to: 'fail', why: 'it has nothing to index' },
  postponed: { from: ['crawling'], to: 'pending', why: 'its server is busy or down; it is tried again' },
  released: { from: ['crawling'], to: 'pending', why: 'its worker ended before it was stored' },
  'refetch-required': {
    from: ['crawling'],
    to: 'pending',
    why: 'it is unchanged, but the address it duplicates is gone',
  },
  excluded: { from: [...settled, 'pending'], to: 'idle', why: "the source's options exclude it from now on" },
  'over-limit': {
    from: [...settled, 'pending', 'crawling'],
    to: 'limit',
    why: 'a limit of pages or crawls is reached',
  },
  stopped: { from: ['pending', 'crawling'], to: 'idle', why: 'the run ends before its turn; its text stays' },
  'stopped-unread': { from: ['pending', 'crawling'], to: 'new', why: 'the run ends before its turn; it has no text' },
  'stopped-failed': {
    from: ['pending', 'crawling'],
    to: 'fail',
    why: 'the run ends before its turn; it failed before',
  },
  'stopped-over-limit': {
    from: ['pending', 'crawling'],
    to: 'limit',
    why: 'the run ends before its turn; it was over a limit before',
  },
  ignored: { from: [...settled, 'pending', 'crawling'], to: 'idle', why: 'a person ignores it' },
} as const satisfies Record<string, Transition<AddressStatus>>
export type AddressEvent = keyof typeof addressTransitions

type SourceChange = Partial<Omit<typeof sources.$inferInsert, 'status'>>
type AddressColumns = Omit<typeof addresses.$inferInsert, 'status'>
export type AddressChange = { [Name in keyof AddressColumns]?: AddressColumns[Name] | SQL }

/** Applies the event to the source if its status allows it. Returns whether it did. */
export async function transitionSource(
  tx: Transaction,
  id: string,
  event: SourceEvent,
  set: SourceChange = {},
  where?: SQL,
): Promise<boolean> {
  const { from, to } = sourceTransitions[event]
  const rows = await tx
    .update(sources)
    .set({ ...set, status: to })
    .where(and(eq(sources.id, id), isIn(sources.status, from), where))
    .returning({ id: sources.id })
  return rows.length > 0
}

/** Applies the event to those of the addresses whose status allows it. `requeued` saves their state before the run. */
export async function transitionAddresses(
  tx: Transaction,
  where: SQL | undefined,
  event: AddressEvent,
  set: AddressChange = {},
): Promise<void> {
  const { from, to } = addressTransitions[event]
  await tx
    .update(addresses)
    .set({ ...(event === 'requeued' ? stateBeforeRun : {}), ...set, status: to })
    .where(and(where, isIn(addresses.status, from)))
}

const stateBeforeRun = {
  statusBefore: sql`${addresses.status}`,
  reasonBefore: sql`${addresses.reason}`,
  messageBefore: sql`${addresses.message}`,
  httpStatusBefore: sql`${addresses.httpStatus}`,
}

function isIn(column: AnyColumn, statuses: readonly string[]): SQL {
  return inArray(column, [...statuses])
}
