import { workerData } from 'node:worker_threads'
import SQLite from 'better-sqlite3'
import * as sqliteVec from 'sqlite-vec'
import { createHeapTrimmer } from '../../server/adapters/extraction/thread-heap'
import type { SearchQuery, SearchThreadData } from '../../server/adapters/threads/search-threads'
import { createHeldCopies } from '../../server/adapters/vector-index/copies/held-copies'
import type { VectorNote, VectorRequest } from '../../server/adapters/vector-index/scan-requests'
import { createVectorAnswers } from '../../server/adapters/vector-index/scan-worker'
import { answerRequests } from './worker-protocol'

const { file, channel, count } = workerData as SearchThreadData
const connection = new SQLite(file, { readonly: true, timeout: 5_000 })
sqliteVec.load(connection)
// Scans read the file in place; the pages are shared with the other connections.
connection.pragma(`mmap_size = ${2 ** 40}`)
const prepared = new Map<string, SQLite.Statement>()
const held = createHeldCopies(channel, count)
const trimHeap = createHeapTrimmer()
let answerVectors: ReturnType<typeof createVectorAnswers> | null = null

// Outside of a transaction each statement sees what is committed when it starts.
answerRequests<SearchQuery | VectorRequest, unknown>(
  async (request) => {
    if ('sql' in request) return { response: all(request) }
    // Not before it is needed, as its tables need not be there for words.
    answerVectors ??= createVectorAnswers(connection, held)
    return { response: await answerVectors(request) }
  },
  () => {
    held.close()
    connection.close()
  },
  (note) => {
    held.drop((note as VectorNote).drop)
    // Memory is given back when nobody refers to it any more, which nothing else would find out for a long time.
    trimHeap(Number.NEGATIVE_INFINITY)
  },
)

function all({ sql, params }: SearchQuery): unknown[] {
  const statement = prepared.get(sql) ?? connection.prepare(sql)
  prepared.set(sql, statement)
  return statement.all(params)
}
