/**
 * Column builders for both engines. TypeScript always sees the PostgreSQL types and the tests always run SQLite, so that
 * only what both engines support passes both.
 */
import * as pg from 'drizzle-orm/pg-core'
import * as sqlite from 'drizzle-orm/sqlite-core'
import { engine } from './engine'
import { storable } from './text'

// Drizzle's jsonb() parses twice: the text "1" would be read as a number.
const jsonb = pg.customType<{ data: unknown; driverData: unknown }>({
  dataType: () => 'jsonb',
  toDriver: (value) => JSON.stringify(value, (_, part) => storable(part)),
})

const bytea = pg.customType<{ data: Uint8Array; driverData: Uint8Array }>({
  dataType: () => 'bytea',
})

const postgres = {
  table: pg.pgTable,
  text: pg.text,
  /** An integer up to 2^53. */
  integer: () => pg.bigint({ mode: 'number' }),
  /** An integer assigned by the database, never reused after a delete. */
  serial: () => pg.bigserial({ mode: 'number' }).primaryKey(),
  real: () => pg.doublePrecision(),
  boolean: () => pg.boolean(),
  /** Milliseconds since 1970 in both engines; a Date in code. */
  timestamp: pg.customType<{ data: Date; driverData: number | string }>({
    dataType: () => 'bigint',
    toDriver: (date) => date.getTime(),
    fromDriver: (milliseconds) => new Date(Number(milliseconds)),
  }),
  json: <Value>() => jsonb().$type<Value>(),
  bytes: () => bytea(),
  index: pg.index,
  uniqueIndex: pg.uniqueIndex,
  primaryKey: pg.primaryKey,
  check: pg.check,
}

const sqliteAsPostgres = {
  table: sqlite.sqliteTable,
  text: sqlite.text,
  integer: () => sqlite.integer({ mode: 'number' }),
  serial: () => sqlite.integer({ mode: 'number' }).primaryKey({ autoIncrement: true }),
  real: () => sqlite.real(),
  boolean: () => sqlite.integer({ mode: 'boolean' }),
  timestamp: () => sqlite.integer({ mode: 'timestamp_ms' }),
  json: () => sqlite.text({ mode: 'json' }),
  bytes: () => sqlite.blob({ mode: 'buffer' }),
  index: sqlite.index,
  uniqueIndex: sqlite.uniqueIndex,
  primaryKey: sqlite.primaryKey,
  check: sqlite.check,
} as unknown as typeof postgres

export const {
  table,
  text,
  integer,
  serial,
  real,
  boolean,
  timestamp,
  json,
  bytes,
  index,
  uniqueIndex,
  primaryKey,
  check,
} = engine === 'postgres' ? postgres : sqliteAsPostgres

export const id = () =>
  text()
    .primaryKey()
    .$defaultFn(() => crypto.randomUUID())
export const createdAt = () =>
  timestamp()
    .notNull()
    .$defaultFn(() => new Date())
