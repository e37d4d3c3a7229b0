/** Rows of any table in a form that both engines share, to copy and to compare them. */
import { createHash } from 'node:crypto'
import type { Run } from '../database'
import type { EngineName } from '../engine'
import { storable } from '../text'
import type { ColumnKind, TableShape } from './table-shapes'

export interface Connection {
  engine: EngineName
  run: Run
}

/** JSON as a value, booleans as booleans, bytes as a Buffer. */
export type Value = string | number | boolean | null | Buffer | object
export type Row = Value[]

/** SQLite accepts 32,766 parameters a statement. */
const maxParameters = 30_000
const maxRows = 500

/** Sends a statement with `?` for each parameter. Returns its rows as arrays. */
export function send({ engine, run }: Connection, text: string, params: unknown[] = []): Promise<unknown[][]> {
  let count = 0
  const sql = engine === 'postgres' ? text.replaceAll('?', () => `$${++count}`) : text
  return run({ sql, params, rows: 'arrays' }) as Promise<unknown[][]>
}

export async function countRows(from: Connection, table: string): Promise<number> {
  const [row] = await send(from, `select count(*) from ${quoted(table)}`)
  return Number(row?.[0])
}

/** Reads the next rows in the order of the key, which must come after `after`. Empty at the end. */
export async function readRows(from: Connection, table: TableShape, after: Value[] | null): Promise<Row[]> {
  const key = table.key.map(quoted).join()
  const where = after ? `where (${key}) > (${table.key.map(() => '?').join()})` : ''
  const columns = table.columns.map(({ name }) => quoted(name)).join()
  const text = `select ${columns} from ${quoted(table.name)} ${where} order by ${key} limit ${maxRows}`
  const rows = await send(from, text, after ?? [])
  return rows.map((row) => row.map((value, n) => decode(value, table.columns[n]?.kind ?? 'plain', from.engine)))
}

/** Values of the key of a row. */
export function keyOf(table: TableShape, row: Row): Value[] {
  return table.key.map((name) => row[table.columns.findIndex((column) => column.name === name)] ?? null)
}

export async function insertRows(to: Connection, table: TableShape, rows: Row[]): Promise<void> {
  const size = Math.max(1, Math.floor(maxParameters / table.columns.length))
  const columns = table.columns.map(({ name }) => quoted(name)).join()
  const tuple = `(${table.columns.map(() => '?').join()})`
  for (let start = 0; start < rows.length; start += size) {
    const part = rows.slice(start, start + size)
    const params = part.flatMap((row) =>
      row.map((value, n) => encode(value, table.columns[n]?.kind ?? 'plain', to.engine)),
    )
    await send(to, `insert into ${quoted(table.name)} (${columns}) values ${part.map(() => tuple).join()}`, params)
  }
}

/** Counts rows and adds their hashes, so that the sums of two tables with the same rows are equal in any order. */
export class RowSum {
  rows = 0
  /** Of 64 bits. */
  sum = 0n

  add(row: Row): void {
    const hash = createHash('sha256')
      .update(JSON.stringify(row.map(comparable)))
      .digest()
    this.sum = BigInt.asUintN(64, this.sum + hash.readBigUInt64BE())
    this.rows++
  }
}

function decode(value: unknown, kind: ColumnKind, engine: EngineName): Value {
  if (value === null) return null
  if (kind === 'boolean') return value === true || value === 1
  // SQLite stores the text of JSON, PostgreSQL's driver parses it.
  if (kind === 'json') return clean(engine === 'sqlite' ? JSON.parse(String(value)) : value)
  if (kind === 'bytes') return Buffer.from(value as Uint8Array)
  return value as string | number
}

/** Without the characters that PostgreSQL rejects, which the text of JSON can hide in SQLite. */
function clean(value: unknown): Value {
  return JSON.parse(JSON.stringify(value, (_, part) => storable(part)))
}

function encode(value: Value, kind: ColumnKind, engine: EngineName): unknown {
  if (value === null) return null
  if (kind === 'json') return JSON.stringify(value)
  return kind === 'boolean' && engine === 'sqlite' ? Number(value) : value
}

/** PostgreSQL sorts the keys of JSON in an order of its own. */
function comparable(value: Value): unknown {
  if (Buffer.isBuffer(value)) return value.toString('base64')
  return typeof value === 'object' ? withSortedKeys(value) : value
}

function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([first], [second]) => (first < second ? -1 : 1))
  return entries.map(([name, part]) => [name, withSortedKeys(part)])
}

function quoted(name: string): string {
  return `"${name}"`
}
