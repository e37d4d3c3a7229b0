import { and, eq, inArray, type SQL } from 'drizzle-orm'
import type { SourceStatus } from '../../../contract/values/enumerations'
import type { Transaction } from '../../../db/database'
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
  started: { from: resting, to: 'processing', why: 'a person, the API or the schedule starts a run' },
  discovered: { from: ['processing'], to: 'crawling', why: 'the run knows its addresses and starts to fetch them' },
  retried: { from: resting, to: 'crawling', why: 'a person retries one address' },
  paused: { from: working, to: 'idle', why: 'a person pauses the run' },
  'resumed-discovery': { from: ['idle'], to: 'processing', why: 'a person resumes a run during discovery' },
  'resumed-fetching': { from: ['idle'], to: 'crawling', why: 'a person resumes a run after discovery' },
  finished: {
    from: [...working, 'idle'],
    to: 'idle',
    why: 'the run is over and pages are indexed or listed; or a person cancels it, also while it is paused',
  },
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

/**
 * How the API shows an address that a run visits: 'pending' while the visit waits, 'crawling' while it is claimed, then by
 * its outcome. If the run ends first, the visit is deleted and the address is as before. Without a visit, an address is
 * 'new' until its first one, 'idle' if the rules of its source exclude it or a person ignores it, and 'limit' beyond a
 * limit.
 */
export const visitTransitions = {
  opened: { from: [], to: 'pending', why: 'a run is to fetch the address' },
  claimed: { from: ['pending'], to: 'crawling', why: 'the run takes it, which counts as a crawl of the month' },
  postponed: {
    from: ['crawling'],
    to: 'pending',
    why: 'its server is busy or down, its process ended, or the page that it duplicates lost the text',
  },
  indexed: { from: ['crawling'], to: 'idle', why: 'its text is stored or unchanged, or another address has it' },
  failed: { from: ['crawling'], to: 'fail', why: 'there is nothing to index' },
} as const satisfies Record<string, Transition<string>>

type SourceChange = Partial<Omit<typeof sources.$inferInsert, 'status'>>

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
    .where(and(eq(sources.id, id), inArray(sources.status, [...from]), where))
    .returning({ id: sources.id })
  return rows.length > 0
}
