import { eq } from 'drizzle-orm'
import type { Database, Transaction } from '../../../../db/database'
import { addresses } from '../../../../db/schema/addresses'
import { clearFragments, maxFragmentsPerTransaction } from '../../fragments/delete-fragments'
import type { Indexes } from '../../fragments/fragments'
import type { AddressRow, RunContext } from '../../runs/run-context'
import { transitionAddresses } from '../../runs/transitions'
import {
  clearValidators,
  type Duplicate,
  findDuplicate,
  isStoredInParts,
  mergeInto,
  requeueMerged,
} from '../pages/duplicate-pages'
import { findClaimed } from '../pages/find-claimed'
import type { StagedDocument } from './document-parts'
import { type ReadDocument, storeDocumentRow, textOf } from './document-row'

interface Deps {
  db: Database
  indexes: Indexes
}

interface Stage {
  /** Number of committed fragments; null after they were cleared. */
  fragments: number | null
  /** The owner of the same text whose fragments were cleared. */
  clearedOwnerId: string | null
}

/**
 * Commits a document that was stored in parts, unless a preferred document has the same text. The duplicate is looked up
 * again in the last transaction, so that of two documents with the same text that end together only one keeps it.
 */
export async function finishDocument(
  { db, indexes }: Deps,
  run: RunContext,
  address: AddressRow,
  document: ReadDocument,
  staged: StagedDocument,
): Promise<void> {
  const stage: Stage = { fragments: null, clearedOwnerId: null }
  const early = await db.write((tx) => findDuplicate(tx, run, address, textOf(document)))
  if (early?.isPreferred) await staged.clear()
  else stage.fragments = await staged.commit()
  for (;;) {
    const duplicate = await db.write((tx) => finishRow(tx, indexes, run, address, document, stage))
    if (!duplicate) return
    if (duplicate.isPreferred) {
      await staged.clear()
      stage.fragments = null
    } else {
      await clearFragments(db, indexes, duplicate.owner)
      stage.clearedOwnerId = duplicate.owner.id
    }
  }
}

/** Returns the duplicate for which fragments have to be cleared before another attempt; null when finished. */
async function finishRow(
  tx: Transaction,
  indexes: Indexes,
  run: RunContext,
  address: AddressRow,
  document: ReadDocument,
  { fragments, clearedOwnerId }: Stage,
): Promise<Duplicate | null> {
  const stored = await findClaimed(tx, address)
  if (!stored) return null
  const duplicate = await findDuplicate(tx, run, address, textOf(document))
  if (duplicate?.isPreferred && fragments !== null) return duplicate
  if (duplicate && !duplicate.isPreferred && mustBeCleared(duplicate) && clearedOwnerId !== duplicate.owner.id) {
    await clearValidators(tx, duplicate.owner)
    return duplicate
  }
  if (stored.textHash !== document.textHash && stored.fragments > 0) await requeueMerged(tx, address, run.runId)
  if (!duplicate?.isPreferred && fragments === null) {
    // The preferred document is gone meanwhile.
    const unread = { etag: null, lastModified: null, fragments: 0 }
    await transitionAddresses(tx, eq(addresses.id, address.id), 'refetch-required', unread)
    return null
  }
  if (duplicate && !duplicate.isPreferred) await mergeInto(tx, indexes, address, duplicate.owner)
  await storeDocumentRow(tx, run, stored, document, { duplicate, fragments: fragments ?? 0 })
  return null
}

/** Whether the owner has more fragments than one transaction can delete. */
function mustBeCleared({ owner }: Duplicate): boolean {
  return owner.fragments > maxFragmentsPerTransaction && !isStoredInParts(owner)
}
