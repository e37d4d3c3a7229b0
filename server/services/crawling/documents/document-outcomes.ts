import { eq } from 'drizzle-orm'
import { isNote, reasonText } from '../../../../contract/reasons'
import type { Database, Transaction } from '../../../../db/database'
import { addresses } from '../../../../db/schema/addresses'
import { runs } from '../../../../db/schema/collections'
import type { FileRefusal } from '../../../engine/documents/ports'
import { dropReplacement, promoteReplacement } from '../../files/file-rows'
import type { Files } from '../../files/files'
import type { AddressRow, RunContext } from '../../runs/run-context'
import { addCounts, countExcluded } from '../../runs/run-stats'
import { transitionAddresses } from '../../runs/transitions'
import { findClaimed } from '../pages/find-claimed'

interface Deps {
  db: Database
  files: Pick<Files, 'removeBytes'>
}

/** Stores the outcomes that leave the text of a file source as it is. */
export function createDocumentOutcomes(deps: Deps) {
  /** The file was read before. */
  async function storeUnchanged(run: RunContext, address: AddressRow): Promise<void> {
    await changeFiles(deps, address, async (tx) => {
      const columns = { ...unchangedColumns(address), crawledAt: new Date() }
      await transitionAddresses(tx, eq(addresses.id, address.id), 'unchanged', columns)
      await addCounts(tx, run, { checked: 1, unchanged: 1 })
      return promoteReplacement(tx, run.source)
    })
  }

  /** The replacement is unreadable: the source keeps its file, and the run reports why. */
  async function rejectReplacement(
    run: RunContext,
    address: AddressRow,
    { name, reason }: { name: string; reason: FileRefusal },
  ): Promise<void> {
    const message = `“${name}” was rejected. ${reasonText(reason)} “${address.url}” stays as it is.`
    await changeFiles(deps, address, async (tx) => {
      await transitionAddresses(tx, eq(addresses.id, address.id), 'replacement-rejected', unchangedColumns(address))
      await countExcluded(tx, run, reason, { wasIndexed: false, failed: 1 })
      await tx.update(runs).set({ reason, message }).where(eq(runs.id, run.runId))
      return dropReplacement(tx, run.source.id)
    })
  }

  return { storeUnchanged, rejectReplacement }
}

/**
 * Runs `change` in a transaction while the address is claimed, and removes the bytes of the files whose ids it returns
 * after the commit.
 */
export async function changeFiles(
  { db, files }: Deps,
  address: AddressRow,
  change: (tx: Transaction, stored: AddressRow) => Promise<string[]>,
): Promise<void> {
  const deleted = await db.write(async (tx) => {
    const stored = await findClaimed(tx, address)
    return stored ? change(tx, stored) : []
  })
  await files.removeBytes(deleted)
}

/** A note about the text stays with the text. */
function unchangedColumns({ reason }: AddressRow) {
  const columns = { failures: 0, notFoundCount: 0, nextFetchAt: null }
  return isNote(reason) ? columns : { ...columns, reason: null, message: null }
}
