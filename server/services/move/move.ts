import { type Connection, send } from '../../../db/copy/table-rows'
import { AppError } from '../../errors'
import { leaseMs } from '../jobs/jobs'
import { type MovedFiles, type MoveFilesOptions, moveFiles } from './move-files'
import { copyRows, finishRows, inTransaction, type MoveRowsOptions, verifyRows } from './move-rows'
import { deleteState } from './move-state'

export interface MoveOptions extends MoveRowsOptions, Pick<MoveFilesOptions, 'from' | 'to'> {
  /** Identifies the secrets of the source; null for a target that reads them from a folder. */
  fingerprints: string | null
}

export interface MoveReport extends MovedFiles {
  /** Rows by table. */
  tables: Record<string, number>
}

/**
 * Copies an installation into an empty one and compares the two. Continues where an interrupted call ended. The source is
 * not changed. Throws conflict if the target is not empty, or one of the two is in use.
 */
export async function move(options: MoveOptions): Promise<MoveReport> {
  const { source, target, fingerprints } = options
  await assertUnused(source, 'installation')
  await assertUnused(target, 'target')
  const tables = await copyRows(options)
  const files = await moveFiles({ ...options, rows: target })
  await verifyRows(options)
  await inTransaction(target, async (to) => {
    await finishRows(source, to)
    if (fingerprints !== null)
      await send(to, "insert into settings (name, value) values ('secrets', ?)", [fingerprints])
    await deleteState(to)
  })
  return { tables, ...files }
}

async function assertUnused(connection: Connection, what: string): Promise<void> {
  const [row] = await send(connection, 'select max(heartbeat_at) from workers')
  if (Number(row?.[0] ?? 0) > Date.now() - leaseMs)
    throw new AppError(
      'conflict',
      `A server or another command is using the ${what}. Stop it first; after a crash wait ${leaseMs / 1000} seconds.`,
    )
}
