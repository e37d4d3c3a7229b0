import { eq } from 'drizzle-orm'
import { isNote, reasonText } from '../../../../contract/reasons'
import type { Database, Transaction } from '../../../../db/database'
import { addresses } from '../../../../db/schema/addresses'
import { runs } from '../../../../db/schema/collections'
import type { FileRefusal } from '../../../engine/documents/ports'
import type { Files } from '../../files/files'
import { asStored } from '../pages/claim'
import type { AddressRow, RunContext } from '../runs/run-context'
import { addCounts, countExcluded } from '../runs/run-stats'
import { transitionAddresses } from '../transitions'
import { dropReplacement, promoteReplacement } from './file-rows'

interface Deps {
  db: Database
  files: Pick<Files, 'removeBytes'>
}

/** Stores what came of a document whose text stays as it was. */
export function createDocumentOutcomes(deps: Deps) {
  /** The document is the one that was read before. */
  async function storeUnchanged(work: RunContext, address: AddressRow): Promise<void> {
    await changeFiles(deps, address, async (tx) => {
      const change = { ...asBefore(address), crawledAt: new Date() }
      await transitionAddresses(tx, eq(addresses.id, address.id), 'unchanged', change)
      await addCounts(tx, work, { checked: 1, unchanged: 1 })
      return promoteReplacement(tx, work.source)
    })
  }

  /** The file that was to take the place of the one that was read is refused: that one stays, and the run says why. */
  async function refuseReplacement(
    work: RunContext,
    address: AddressRow,
    { name, reason }: { name: string; reason: FileRefusal },
  ): Promise<void> {
    const message = `“${name}” was not taken in. ${reasonText(reason)} “${address.url}” stays as it was read before.`
    await changeFiles(deps, address, async (tx) => {
      await transitionAddresses(tx, eq(addresses.id, address.id), 'kept', asBefore(address))
      await countExcluded(tx, work, reason, { wasIndexed: false, failed: 1 })
      await tx.update(runs).set({ reason, message }).where(eq(runs.id, work.runId))
      return dropReplacement(tx, work.source.id)
    })
  }

  return { storeUnchanged, refuseReplacement }
}

/**
 * In one transaction, while the address is claimed; the bytes of the files that `change` names are taken away when that
 * is stored.
 */
export async function changeFiles(
  { db, files }: Deps,
  address: AddressRow,
  change: (tx: Transaction, stored: AddressRow) => Promise<string[]>,
): Promise<void> {
  const gone = await db.write(async (tx) => {
    const stored = await asStored(tx, address)
    return stored ? change(tx, stored) : []
  })
  await files.removeBytes(gone)
}

/** The text stays, and what is missing of it. */
function asBefore({ reason }: AddressRow) {
  const same = { failures: 0, notFoundCount: 0, nextFetchAt: null }
  return isNote(reason) ? same : { ...same, reason: null, message: null }
}
