import { SQLite } from '../../../db/sqlite-driver'

/** Names and statements of the tables that fit a condition on `sqlite_master`, as far as they differ in meaning. */
export function tablesOf(file: string, condition: string): unknown {
  const connection = new SQLite(file, { readonly: true })
  const rows = connection.prepare(`select name, sql from sqlite_master where ${condition} order by name`).all()
  connection.close()
  return (rows as { name: string; sql: string | null }[]).map(({ name, sql }) => [
    name,
    // A renamed table has its name in quotes.
    sql?.toLowerCase().replaceAll(/[\s"]+/g, ''),
  ])
}
