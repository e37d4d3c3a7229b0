import { sql } from 'drizzle-orm'

/** Milliseconds since 1970 on the clock of the database, because those of machines differ. */
export const databaseNow = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`
