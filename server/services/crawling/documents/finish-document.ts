import { eq } from 'drizzle-orm'
import type { Database, Transaction } from '../../../../db/database'
import { addresses } from '../../../../db/schema/addresses'
import { clearFragments, manyFragments } from '../../fragments/delete-fragments'
import type { Indexes } from '../../fragments/fragments'
import { asStored } from '../pages/claim'
import {
  clearValidators,
  type Duplicate,
  findDuplicate,
  isStoredInParts,
  mergeInto,
  requeueMerged,
} from '../pages/duplicate-pages'
import type { AddressRow, RunContext } from '../runs/run-context'
import { transitionAddresses } from '../transitions'
import type { DocumentParts } from './document-parts'
import { type ReadDocument, storeDocumentRow } from './document-row'

interface Deps {
  db: Database
  indexes: Indexes
}

/** Where the pieces of a document are. `fragments` is null where they were cleared; `swept` is the rival whose were. */
interface Stage {
  fragments: number | null
  swept: string | null
}

/**
 * Ends a document that was stored in pieces. Whether its text is kept is asked in the transaction that ends it, so that
 * of two with the same text that end together one gives way.
 */
export async function finishDocument(
  { db, indexes }: Deps,
  work: RunContext,
  address: AddressRow,
  document: ReadDocument,
  pieces: DocumentParts,
): Promise<void> {
  const stage: Stage = { fragments: null, swept: null }
  const early = await db.write((tx) => findDuplicate(tx, work, address, document.textHash))
  if (early?.stays) await pieces.clear()
  else stage.fragments = await pieces.end()
  for (;;) {
    const rival = await db.write((tx) => endRow(tx, indexes, work, address, document, stage))
    if (!rival) return
    if (rival.stays) {
      await pieces.clear()
      stage.fragments = null
    } else {
      await clearFragments(db, indexes, rival.keeper)
      stage.swept = rival.keeper.id
    }
  }
}

/** Null where it is ended, or nobody wants it; else the rival before which fragments are to be taken away first. */
async function endRow(
  tx: Transaction,
  indexes: Indexes,
  work: RunContext,
  address: AddressRow,
  document: ReadDocument,
  { fragments, swept }: Stage,
): Promise<Duplicate | null> {
  const stored = await asStored(tx, address)
  if (!stored) return null
  const rival = await findDuplicate(tx, work, address, document.textHash)
  if (rival?.stays && fragments !== null) return rival
  if (rival && !rival.stays && mustBeSwept(rival) && swept !== rival.keeper.id) {
    await clearValidators(tx, rival.keeper)
    return rival
  }
  if (stored.textHash !== document.textHash && stored.fragments > 0) await requeueMerged(tx, address, work.runId)
  if (!rival?.stays && fragments === null) {
    // What it gave way to has gone meanwhile.
    const again = { etag: null, lastModified: null, fragments: 0 }
    await transitionAddresses(tx, eq(addresses.id, address.id), 'asked-in-full', again)
    return null
  }
  if (rival && !rival.stays) await mergeInto(tx, indexes, address, rival.keeper)
  await storeDocumentRow(tx, work, stored, document, { rival, fragments: fragments ?? 0 })
  return null
}

/** More than one transaction can take away. */
function mustBeSwept({ keeper }: Duplicate): boolean {
  return keeper.fragments > manyFragments && !isStoredInParts(keeper)
}
