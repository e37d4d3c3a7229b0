import type { Transaction } from '../../../../db/database'
import { extractorVersion } from '../../../engine/ingest/extractor-version'
import type { AddressRow, RunContext } from '../../runs/run-context'
import { addCounts, countExcluded } from '../../runs/run-stats'
import type { AddressChange } from '../../runs/transitions'
import type { Duplicate } from './duplicate-pages'

/** The columns that every fetch of a text sets. */
export function fetchedColumns(
  address: AddressRow,
  textHash: string,
  kind: keyof typeof extractorVersion,
): AddressChange {
  const now = new Date()
  return {
    textHash,
    extractorVersion: extractorVersion[kind],
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
 * Counts a fetched text in the report of its run. Of two addresses with the same text, one counts as a duplicate: this
 * one, or the owner, where the run has counted that as indexed and does not visit it again.
 */
export async function countFetched(
  tx: Transaction,
  run: RunContext,
  address: AddressRow,
  { textHash, bytes, fragments = 0 }: { textHash: string; bytes: number; fragments?: number },
  duplicate: Duplicate | null,
): Promise<void> {
  const counts = { fetched: 1, bytes, fragments }
  if (duplicate && (duplicate.isPreferred || isCounted(run, duplicate))) {
    return countExcluded(tx, run, 'duplicate', { ...counts, wasIndexed: address.fragments > 0 })
  }
  const isNew = address.textHash === null && !duplicate
  const isChanged = address.textHash !== null && address.textHash !== textHash
  await addCounts(tx, run, { ...counts, checked: 1, [isNew ? 'new' : isChanged ? 'changed' : 'unchanged']: 1 })
}

function isCounted({ runId }: RunContext, { owner }: Duplicate): boolean {
  return owner.runId === runId && owner.status === 'idle'
}
