import {
  type Connection,
  countRows,
  insertRows,
  keyOf,
  type Row,
  RowSum,
  readRows,
  send,
  type Value,
} from '../../../db/copy/table-rows'
import { type TableShape, tableShapes } from '../../../db/copy/table-shapes'
import type { Engine } from '../../../db/database'
import { AppError } from '../../errors'
import { type MoveState, readState, type TableState, writeState } from './move-state'

export type Target = Connection & Pick<Engine, 'begin'>

export interface MoveRowsOptions {
  source: Connection
  target: Target
  /** What tells the source from other installations. Contains no password. */
  sourceName: string
  /**
   * Stores vectors of fragments that the target has, on a connection in a transaction. The keys of those in the second set of
   * a collection are negative.
   */
  storeVectors(to: Connection, vectors: { key: number; vector: Buffer }[]): Promise<void>
  show(step: string, done: number, total: number): void
  signal: AbortSignal
}

/** Keys of fragments in one statement. */
const queuedAtOnce = 100_000

/** Heartbeats, settings of one installation, and a backlog that `finishRows` fills for the target. */
const notMoved = new Set(['workers', 'settings', 'text_index_backlog'])

const vectors: TableShape = {
  name: 'fragment_vectors',
  columns: [
    { name: 'key', kind: 'plain' },
    { name: 'vector', kind: 'bytes' },
  ],
  key: ['key'],
  isSerial: false,
}

function movedTables(): TableShape[] {
  return [...tableShapes().filter(({ name }) => !notMoved.has(name)), vectors]
}

/** Copies all rows, and continues where an interrupted call ended. Returns how many rows each table has. */
export async function copyRows(options: MoveRowsOptions): Promise<Record<string, number>> {
  const { source, show, signal } = options
  const tables = movedTables()
  const state = await begin(options, tables)
  const total = await sumOf(tables.map(({ name }) => countRows(source, name)))
  for (const table of tables) {
    while (!state.tables[table.name]?.isComplete) {
      signal.throwIfAborted()
      await copyNext(options, table, state)
      show('Copying rows', rowsOf(state), total)
    }
  }
  return Object.fromEntries(Object.entries(state.tables).map(([name, { rows }]) => [name, rows]))
}

/**
 * Reads all rows of both databases. Throws conflict if they differ: the target was changed, or the source was while an
 * interrupted move waited to be continued.
 */
export async function verifyRows({ source, target, show, signal }: MoveRowsOptions): Promise<void> {
  const tables = movedTables()
  const total = await sumOf(tables.map(({ name }) => countRows(target, name)))
  let done = 0
  for (const table of tables) {
    const expected = new RowSum()
    for await (const rows of pagesOf(source, table, signal))
      for (const row of await movedRows(target, table, rows)) expected.add(row)
    const copied = new RowSum()
    for await (const rows of pagesOf(target, table, signal)) {
      for (const row of rows) copied.add(row)
      done += rows.length
      show('Comparing rows', done, total)
    }
    if (expected.rows !== copied.rows || expected.sum !== copied.sum)
      throw new AppError(
        'conflict',
        `The table ${table.name} is not the same in both: ${expected.rows} rows here, ${copied.rows} in the target, or their contents differ. Something changed it after the move began. Empty the target and move again.`,
      )
  }
}

async function* pagesOf(from: Connection, table: TableShape, signal: AbortSignal): AsyncIterable<Row[]> {
  for (let after: Value[] | null = null; ; ) {
    signal.throwIfAborted()
    const rows = await readRows(from, table, after)
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = keyOf(table, last)
  }
}

/** Continues the counters of keys, and queues all fragments for the index of the target. */
export async function finishRows(source: Connection, target: Connection): Promise<void> {
  for (const { name, key } of movedTables().filter(({ isSerial }) => isSerial)) {
    const last = await lastKey(source, name, key[0] ?? '')
    if (last > 0) await continueAfter(target, name, key[0] ?? '', last)
  }
  const lastFragment = await lastKey(target, 'fragments', 'key')
  // A statement has a time limit.
  for (let after = 0; after < lastFragment; after += queuedAtOnce)
    await queueFragments(target, after, after + queuedAtOnce)
}

async function queueFragments(target: Connection, after: number, through: number): Promise<void> {
  const [into, values] =
    target.engine === 'sqlite'
      ? ['text_index_backlog (key) select key', []]
      : ['search_outbox (key, collection_id, queued_at) select key, collection_id, ?', [Date.now()]]
  const rows = 'from fragments where key > ? and key <= ? order by key on conflict (key) do nothing'
  await send(target, `insert into ${into} ${rows}`, [...values, after, through])
}

/** Empties the tables that a new installation fills at its start. Throws conflict if the target is in use. */
async function begin({ source, target, sourceName }: MoveRowsOptions, tables: TableShape[]): Promise<MoveState> {
  const existing = await readState(target)
  if (existing && existing.source !== sourceName)
    throw new AppError('conflict', 'Another installation is being moved into the target. Choose an empty one.')
  if (existing) return existing
  if ((await countRows(target, 'organizations')) + (await countRows(target, 'users')) > 0)
    throw new AppError('conflict', 'The target already has organizations or people. Choose an empty one.')
  const state: MoveState = { source: sourceName, tables: {} }
  await inTransaction(target, async (to) => {
    for (const { name } of tables.toReversed()) await send(to, `delete from ${name}`)
    await send(to, "delete from settings where name not in ('move')")
    for (const row of await send(source, "select name, value from settings where name = 'installation'"))
      await send(to, 'insert into settings (name, value) values (?, ?)', row)
    await writeState(to, state)
  })
  return state
}

async function copyNext({ source, target, storeVectors }: MoveRowsOptions, table: TableShape, state: MoveState) {
  const known: TableState = state.tables[table.name] ?? { rows: 0, after: null, isComplete: false }
  const read = await readRows(source, table, known.after)
  const last = read.at(-1)
  const rows = await movedRows(target, table, read)
  const after = last ? (keyOf(table, last) as (string | number)[]) : known.after
  state.tables[table.name] = { rows: known.rows + rows.length, after, isComplete: !last }
  await inTransaction(target, async (to) => {
    if (table.name !== vectors.name) await insertRows(to, table, rows)
    else
      await storeVectors(
        to,
        rows.map(([key, vector]) => ({ key: Number(key), vector: vector as Buffer })),
      )
    await writeState(to, state)
  })
}

async function movedRows(target: Connection, table: TableShape, rows: Row[]): Promise<Row[]> {
  return table.name === vectors.name ? ofFragments(target, rows) : rows.map((row) => movedRow(table, row))
}

/** A job that an ended process was running can be claimed at once. */
function movedRow(table: TableShape, row: Row): Row {
  if (table.name !== 'jobs') return row
  const place = (name: string) => table.columns.findIndex((column) => column.name === name)
  return row[place('status')] === 'running' ? row.with(place('leased_until'), 0) : row
}

/** Without vectors whose fragment was deleted. */
async function ofFragments(target: Connection, rows: Row[]): Promise<Row[]> {
  if (rows.length === 0) return []
  const keys = [...new Set(rows.map(([key]) => Math.abs(Number(key))))]
  const found = await send(target, `select key from fragments where key in (${keys.map(() => '?').join()})`, keys)
  const existing = new Set(found.map(([key]) => Number(key)))
  return rows.filter(([key]) => existing.has(Math.abs(Number(key))))
}

/** The largest key that was ever assigned: those of deleted rows are not used again. */
async function lastKey(database: Connection, table: string, key: string): Promise<number> {
  const [row] =
    database.engine === 'sqlite'
      ? await send(database, 'select seq from sqlite_sequence where name = ?', [table])
      : await send(database, `select last_value from ${table}_${key}_seq where is_called`)
  return Number(row?.[0] ?? 0)
}

async function continueAfter(target: Connection, table: string, key: string, last: number): Promise<void> {
  if (target.engine === 'postgres') {
    await send(target, 'select setval(pg_get_serial_sequence(?, ?), ?)', [table, key, last])
    return
  }
  await send(target, 'delete from sqlite_sequence where name = ?', [table])
  await send(target, 'insert into sqlite_sequence (name, seq) values (?, ?)', [table, last])
}

export async function inTransaction(target: Target, work: (to: Connection) => Promise<void>): Promise<void> {
  const transaction = await target.begin('transaction')
  try {
    await work({ engine: target.engine, run: transaction.run })
    await transaction.commit()
  } catch (error) {
    await transaction.rollback()
    throw error
  }
}

function rowsOf({ tables }: MoveState): number {
  return Object.values(tables).reduce((sum, { rows }) => sum + rows, 0)
}

async function sumOf(numbers: Promise<number>[]): Promise<number> {
  return (await Promise.all(numbers)).reduce((sum, number) => sum + number, 0)
}
