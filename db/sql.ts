import { type Column, type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** The value of a column as an expression that no index covers, because SQLite without statistics prefers the wrong index. */
export function withoutIndex(column: Column): SQL<string> {
  return sql<string>`(${column} || '')`
}

/** Ignores case in both engines; `%` and `_` in the text stand for themselves. */
export function contains(column: Column, text: string): SQL {
  const escaped = text.toLowerCase().replace(/[\\%_]/g, '\\$&')
  return sql`lower(${column}) like ${`%${escaped}%`} escape '\\'`
}

/** Small letters, so that an order ignores case. */
export function lower(text: SQLWrapper): SQL<string> {
  return sql<string>`lower(${text})`
}
