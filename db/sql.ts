import { type Column, type SQL, sql } from 'drizzle-orm'
import { engine } from './engine'

/** The same text, for which no index is used: where SQLite has no numbers it takes a whole collection for a few rows. */
export function withoutIndex(column: Column): SQL<string> {
  return sql<string>`(${column} || '')`
}

/** Ignores case in both engines; `%` and `_` in the text stand for themselves. */
export function contains(column: Column, text: string): SQL {
  const escaped = text.toLowerCase().replace(/[\\%_]/g, '\\$&')
  return sql`lower(${column}) like ${`%${escaped}%`} escape '\\'`
}

/** Passes over rows that another transaction is claiming. SQLite has one writer, so there is nothing to pass over. */
export function skipLocked<Query extends { for(strength: 'update', config: { skipLocked: true }): unknown }>(
  query: Query,
): Query {
  return engine === 'postgres' ? (query.for('update', { skipLocked: true }) as Query) : query
}
