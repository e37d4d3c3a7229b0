import type { Transaction } from '../../../../db/database'
import type { addresses } from '../../../../db/schema/addresses'
import { extractorVersion } from '../../../engine/ingest/extractor-version'
import type { AddressRow, RunContext } from '../runs/run-context'
import { addCounts, countExcluded } from '../runs/run-stats'
import type { Duplicate } from './duplicate-pages'

/** What a look that found a text says of its address, whatever was found. */
export function fetchedColumns(
  address: AddressRow,
  textHash: string,
  what: keyof typeof extractorVersion,
): Partial<typeof addresses.$inferInsert> {
  const now = new Date()
  return {
    textHash,
    extractorVersion: extractorVersion[what],
    failures: 0,
    notFoundCount: 0,
    nextFetchAt: null,
    crawledAt: now,
    fetchedAt: now,
    changedAt: address.textHash === textHash ? address.changedAt : now,
    updatedAt: now,
  }
}

/**
 * What it adds to the report of its run; `bytes` of the body. Of two with the same text one is a duplicate: this one, or
 * the rival that gives way to it, where that is not looked at any more in this run and has been counted as being in.
 */
export async function countFetched(
  tx: Transaction,
  work: RunContext,
  address: AddressRow,
  { textHash, bytes }: { textHash: string; bytes: number },
  rival: Duplicate | null,
  fragments = 0,
): Promise<void> {
  const read = { fetched: 1, bytes, fragments }
  if (rival && (rival.stays || isCountedIn(work, rival))) {
    return countExcluded(tx, work, 'duplicate', { ...read, wasIndexed: address.fragments > 0 })
  }
  const isNew = address.textHash === null && !rival
  const changed = address.textHash !== null && address.textHash !== textHash
  const outcome = isNew ? 'new' : changed ? 'changed' : 'unchanged'
  await addCounts(tx, work, { ...read, checked: 1, [outcome]: 1 })
}

function isCountedIn({ runId }: RunContext, { keeper }: Duplicate): boolean {
  return keeper.runId === runId && keeper.status === 'idle'
}
