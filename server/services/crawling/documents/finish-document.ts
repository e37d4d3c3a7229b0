import { eq } from 'drizzle-orm'
import type { Database, Transaction } from '../../../../db/database'
import { addresses } from '../../../../db/schema/addresses'
import { clearFragments, manyFragments } from '../../fragments/delete-fragments'
import type { Indexes } from '../../fragments/fragments'
import { asStored } from '../pages/claim'
import { decidesItself, forgetValidators, giveWay, type Rival, readTwins, rivalOf } from '../pages/duplicate-pages'
import type { ClaimedAddress, CrawlWork } from '../runs/run-context'
import { moveAddresses } from '../transitions'
import type { DocumentPieces } from './document-parts'
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
export async function endDocument(
  { db, indexes }: Deps,
  work: CrawlWork,
  address: ClaimedAddress,
  document: ReadDocument,
  pieces: DocumentPieces,
): Promise<void> {
  const stage: Stage = { fragments: null, swept: null }
  const early = await db.write((tx) => rivalOf(tx, work, address, document.textHash))
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
  work: CrawlWork,
  address: ClaimedAddress,
  document: ReadDocument,
  { fragments, swept }: Stage,
): Promise<Rival | null> {
  const stored = await asStored(tx, address)
  if (!stored) return null
  const rival = await rivalOf(tx, work, address, document.textHash)
  if (rival?.stays && fragments !== null) return rival
  if (rival && !rival.stays && mustBeSwept(rival) && swept !== rival.keeper.id) {
    await forgetValidators(tx, rival.keeper)
    return rival
  }
  if (stored.textHash !== document.textHash && stored.fragments > 0) await readTwins(tx, address, work.runId)
  if (!rival?.stays && fragments === null) {
    // What it gave way to has gone meanwhile.
    const again = { etag: null, lastModified: null, fragments: 0 }
    await moveAddresses(tx, eq(addresses.id, address.id), 'asked-in-full', again)
    return null
  }
  if (rival && !rival.stays) await giveWay(tx, indexes, address, rival.keeper)
  await storeDocumentRow(tx, work, stored, document, { rival, fragments: fragments ?? 0 })
  return null
}

/** More than one transaction can take away. */
function mustBeSwept({ keeper }: Rival): boolean {
  return keeper.fragments > manyFragments && !decidesItself(keeper)
}
