import type { addresses } from '../../db/schema/addresses'
import { readBy } from '../engine/reading-version'
import type { ClaimedAddress } from './crawl-work'
import type { RunCounts } from './run-counts'

/** What a look that found a text says of its address, whatever was found. */
export function readColumns(
  address: ClaimedAddress,
  textHash: string,
  what: keyof typeof readBy,
): Partial<typeof addresses.$inferInsert> {
  const now = new Date()
  return {
    textHash,
    readBy: readBy[what],
    failures: 0,
    missing: 0,
    nextFetchAt: null,
    crawledAt: now,
    fetchedAt: now,
    changedAt: address.textHash === textHash ? address.changedAt : now,
    updatedAt: now,
  }
}

/** What it adds to the report of its run; `bytes` of the body. A twin is neither new nor missing. */
export function readCounts(
  address: ClaimedAddress,
  { textHash, bytes }: { textHash: string; bytes: number },
  twin: string | null,
): RunCounts {
  const isNew = address.crawledAt === null
  const changed = address.textHash !== textHash
  return {
    checked: 1,
    fetched: 1,
    new: isNew && !twin ? 1 : 0,
    changed: !isNew && changed ? 1 : 0,
    unchanged: !isNew && !changed ? 1 : 0,
    bytes,
  }
}
