import { createRequire } from 'node:module'
import type Database from 'better-sqlite3'

/**
 * The package of the SQLite driver for this Node. better-sqlite3 brings its binaries from version 13 on; they need Node-API
 * 10. Node 20 has 9, so it gets version 12, which is compiled on installation.
 */
export const sqliteDriver = Number(process.versions.napi) >= 10 ? 'better-sqlite3' : 'better-sqlite3-node20'

export const SQLite: typeof Database = createRequire(import.meta.url)(sqliteDriver)
