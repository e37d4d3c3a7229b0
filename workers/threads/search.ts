import { workerData } from 'node:worker_threads'
import SQLite from 'better-sqlite3'
import * as sqliteVec from 'sqlite-vec'
import type { SearchQuery } from '../../server/adapters/search-threads'
import { answerRequests } from './answer-requests'

const { file } = workerData as { file: string }
const connection = new SQLite(file, { readonly: true, timeout: 5_000 })
sqliteVec.load(connection)
// Scans read the file in place; the pages are shared with the other connections.
connection.pragma(`mmap_size = ${2 ** 40}`)
const prepared = new Map<string, SQLite.Statement>()

// Outside of a transaction each statement sees what is committed when it starts.
answerRequests<SearchQuery, unknown[]>(
  async ({ sql, params }) => {
    const statement = prepared.get(sql) ?? connection.prepare(sql)
    prepared.set(sql, statement)
    return { response: statement.all(params) }
  },
  () => {
    connection.close()
  },
)
