import { getTableName, is, Table } from 'drizzle-orm'
import { CasingCache } from 'drizzle-orm/casing'
import * as pg from 'drizzle-orm/pg-core'
import * as sqlite from 'drizzle-orm/sqlite-core'
import { engine } from '../engine'
import * as accessTokens from '../schema/access-tokens'
import * as addresses from '../schema/addresses'
import * as agents from '../schema/agents'
import * as audit from '../schema/audit'
import * as collections from '../schema/collections'
import * as files from '../schema/files'
import * as jobs from '../schema/jobs'
import * as keychains from '../schema/keychains'
import * as notices from '../schema/notices'
import * as organizations from '../schema/organizations'
import * as plans from '../schema/plans'
import * as settings from '../schema/settings'
import * as threads from '../schema/threads'
import * as usage from '../schema/usage'
import * as users from '../schema/users'

/** What the engines store differently. */
export type ColumnKind = 'plain' | 'boolean' | 'json' | 'bytes'

export interface TableShape {
  name: string
  columns: { name: string; kind: ColumnKind }[]
  /** Columns of the primary key. */
  key: string[]
  /** Whether the database assigns the key. */
  isSerial: boolean
}

const modules = [
  ...[accessTokens, addresses, agents, audit, collections, files, jobs, keychains, notices, organizations, plans],
  ...[settings, threads, usage, users],
]

/** Returns the tables of the schema. A table comes after those that it references. */
export function tableShapes(): TableShape[] {
  const tables = modules.flatMap((module) => Object.values<unknown>(module).filter((value) => is(value, Table)))
  const sorted = new Map<string, TableShape>()
  const add = (table: Table) => {
    const name = getTableName(table)
    if (sorted.has(name)) return
    const config = configOf(table)
    for (const { reference } of config.foreignKeys) add(reference().foreignTable)
    sorted.set(name, shapeOf(name, config))
  }
  for (const table of tables) add(table)
  return [...sorted.values()]
}

/** Code sees PostgreSQL's types; see `columns.ts`. */
const configOf = (engine === 'postgres' ? pg.getTableConfig : sqlite.getTableConfig) as typeof pg.getTableConfig &
  ((table: Table) => ReturnType<typeof pg.getTableConfig>)

function shapeOf(name: string, { columns, primaryKeys }: ReturnType<typeof pg.getTableConfig>): TableShape {
  const casing = new CasingCache('snake_case')
  const nameOf = (column: pg.PgColumn) => casing.getColumnCasing(column)
  const key = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary)
  return {
    name,
    columns: columns.map((column) => ({ name: nameOf(column), kind: kindOf(column) })),
    key: key.map(nameOf),
    isSerial: columns.some(isAssigned),
  }
}

function isAssigned(column: pg.PgColumn): boolean {
  return column.getSQLType() === 'bigserial' || (column as { autoIncrement?: boolean }).autoIncrement === true
}

function kindOf(column: pg.PgColumn): ColumnKind {
  const type = column.getSQLType()
  if (column.dataType === 'boolean') return 'boolean'
  if (type === 'jsonb' || (column.dataType as string) === 'json') return 'json'
  return type === 'bytea' || type === 'blob' ? 'bytes' : 'plain'
}
