import { type AnyColumn, and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { AddressStatus, SourceStatus } from '../../../contract/enumerations'
import type { Transaction } from '../../../db/database'
import { addresses } from '../../../db/schema/addresses'
import { sources } from '../../../db/schema/collections'

/** A change of status: from which, to which, and why. `from` is empty where a row begins. */
export interface Transition<Status extends string> {
  from: readonly Status[]
  to: Status
  why: string
}

const resting = ['idle', 'fail', 'new', 'crawl-limit', 'url-limit'] as const
const working = ['processing', 'crawling'] as const

/** Every change of a source's status there is. The code has no other way to write one. */
export const sourceTransitions = {
  added: { from: [], to: 'processing', why: 'somebody adds it; its first run is put in line' },
  refreshed: { from: resting, to: 'processing', why: 'a person, the API or the schedule asks for a run' },
  found: { from: ['processing'], to: 'crawling', why: 'its addresses are found, reading starts' },
  listed: { from: working, to: 'idle', why: 'a run that only looks for addresses has them' },
  'read-again': { from: resting, to: 'crawling', why: 'a person asks for one address of it' },
  paused: { from: working, to: 'idle', why: 'a person pauses the run' },
  'resumed-finding': { from: ['idle'], to: 'processing', why: 'a person resumes a run that was looking for addresses' },
  'resumed-reading': { from: ['idle'], to: 'crawling', why: 'a person resumes a run that was reading' },
  done: { from: working, to: 'idle', why: 'the run is over and pages are in' },
  cancelled: { from: ['processing', 'crawling', 'idle'], to: 'idle', why: 'a person cancels the run' },
  failed: { from: working, to: 'fail', why: 'the run is over and no page is in, or it was given up' },
  'url-limit': { from: working, to: 'url-limit', why: 'the run is over and addresses were left out over the limit' },
  'crawl-limit': { from: working, to: 'crawl-limit', why: "the month's crawls are used up in the middle of a run" },
  'no-crawls-left': { from: resting, to: 'crawl-limit', why: "a run is asked for and the month's crawls are used up" },
} as const satisfies Record<string, Transition<SourceStatus>>
export type SourceEvent = keyof typeof sourceTransitions

const settled = ['idle', 'fail', 'new', 'limit'] as const

/** Every change of an address's status there is. The code has no other way to write one. */
export const addressTransitions = {
  listed: { from: [], to: 'pending', why: 'it is found, and the run reads it' },
  noted: { from: [], to: 'new', why: 'a run that only looks for addresses, or reads a single one, finds it' },
  outside: {
    from: [],
    to: 'idle',
    why: 'it is found and left out: a pattern, too many links away, another host, a trap, or too deep',
  },
  over: { from: [], to: 'limit', why: 'it is found over the limit of addresses' },
  due: { from: settled, to: 'pending', why: 'a run, or a person, wants it read again' },
  claimed: { from: ['pending'], to: 'crawling', why: 'a worker takes it' },
  read: { from: ['crawling'], to: 'idle', why: 'its page is in' },
  unchanged: { from: ['crawling'], to: 'idle', why: 'its server says that nothing changed (304)' },
  kept: { from: ['crawling'], to: 'idle', why: 'the file that was to take its place could not be read' },
  canonicalized: { from: ['crawling'], to: 'idle', why: 'another address is read in its place' },
  refused: { from: ['crawling'], to: 'fail', why: 'it leads to no page that can be kept' },
  postponed: { from: ['crawling'], to: 'pending', why: 'its server is busy or down: it is tried again' },
  released: { from: ['crawling'], to: 'pending', why: 'its worker ended before it was read' },
  'asked-in-full': { from: ['crawling'], to: 'pending', why: 'it is as before, but what it gave way to has gone' },
  'left-out': { from: [...settled, 'pending'], to: 'idle', why: "the source's options leave it out from now on" },
  'over-limit': { from: [...settled, 'pending', 'crawling'], to: 'limit', why: 'a limit of pages or crawls is met' },
  stopped: { from: ['pending', 'crawling'], to: 'idle', why: 'the run ends before its turn; what it had stays' },
  'never-read': { from: ['pending', 'crawling'], to: 'new', why: 'the run ends before its turn; nothing of it is in' },
  'still-failed': { from: ['pending', 'crawling'], to: 'fail', why: 'the run ends before its turn; it failed before' },
  'still-over': {
    from: ['pending', 'crawling'],
    to: 'limit',
    why: 'the run ends before its turn; it was over a limit',
  },
  ignored: { from: [...settled, 'pending', 'crawling'], to: 'idle', why: 'a person leaves it out' },
} as const satisfies Record<string, Transition<AddressStatus>>
export type AddressEvent = keyof typeof addressTransitions

type SourceChange = Partial<Omit<typeof sources.$inferInsert, 'status'>>
type AddressColumns = Omit<typeof addresses.$inferInsert, 'status'>
type AddressChange = { [Name in keyof AddressColumns]?: AddressColumns[Name] | SQL }

/** Changes the status of sources that may change so for this cause. Returns the ids of those that did. */
export async function transitionSource(
  tx: Transaction,
  id: string,
  cause: SourceEvent,
  set: SourceChange = {},
  also?: SQL,
): Promise<boolean> {
  const { from, to } = sourceTransitions[cause]
  const rows = await tx
    .update(sources)
    .set({ ...set, status: to })
    .where(and(eq(sources.id, id), isIn(sources.status, from), also))
    .returning({ id: sources.id })
  return rows.length > 0
}

/** Changes the status of those of the addresses that may change so for this cause. `due` keeps how they stood. */
export async function transitionAddresses(
  tx: Transaction,
  which: SQL | undefined,
  cause: AddressEvent,
  set: AddressChange = {},
): Promise<void> {
  const { from, to } = addressTransitions[cause]
  await tx
    .update(addresses)
    .set({ ...(cause === 'due' ? asItStands : {}), ...set, status: to })
    .where(and(which, isIn(addresses.status, from)))
}

const asItStands = {
  statusBefore: sql`${addresses.status}`,
  reasonBefore: sql`${addresses.reason}`,
  messageBefore: sql`${addresses.message}`,
  httpStatusBefore: sql`${addresses.httpStatus}`,
}

function isIn(column: AnyColumn, statuses: readonly string[]): SQL {
  return inArray(column, [...statuses])
}
