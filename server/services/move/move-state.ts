import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { type Connection, send } from '../../../db/copy/table-rows'
import type { Database } from '../../../db/database'
import { settings } from '../../../db/schema/settings'

const name = 'move'

const tableStateSchema = z.object({
  rows: z.number(),
  /** Key of the last row that was copied; null before the first. */
  after: z.array(z.union([z.string(), z.number()])).nullable(),
  isComplete: z.boolean(),
})
export type TableState = z.infer<typeof tableStateSchema>

const stateSchema = z.object({
  /** The installation that is copied. */
  source: z.string(),
  tables: z.record(z.string(), tableStateSchema),
})
/** How far a move has come. Stored in the target, in the transaction that stores the rows. */
export type MoveState = z.infer<typeof stateSchema>

/** Null if no move into the database has begun, or it is complete. */
export async function readState(target: Connection): Promise<MoveState | null> {
  const [row] = await send(target, 'select value from settings where name = ?', [name])
  return row ? stateSchema.parse(JSON.parse(String(row[0]))) : null
}

export async function writeState(target: Connection, state: MoveState): Promise<void> {
  await send(
    target,
    'insert into settings (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
    [name, JSON.stringify(state)],
  )
}

export async function deleteState(target: Connection): Promise<void> {
  await send(target, 'delete from settings where name = ?', [name])
}

export async function isMoveComplete(db: Database): Promise<boolean> {
  return (await db.read.$count(settings, eq(settings.name, name))) === 0
}
