import { workerData } from 'node:worker_threads'
import type BetterSqlite3 from 'better-sqlite3'
import * as sqliteVec from 'sqlite-vec'
import { SQLite } from '../../db/sqlite-driver'
import { createHeapTrimmer } from '../../server/adapters/extraction/thread-heap'
import type { SearchThreadData, SearchThreadRequest, StatementRequest } from '../../server/adapters/search-threads'
import { createKeywordSearch } from '../../server/adapters/text-index/keyword-search'
import { createCopyRegistry } from '../../server/adapters/vector-index/copies/copy-registry'
import type { VectorNotification } from '../../server/adapters/vector-index/scan-requests'
import { createScanWorker } from '../../server/adapters/vector-index/scan-worker'
import { rankFragments } from '../../server/engine/search/rank-fragments'
import { answerRequests } from './worker-protocol'

const { file, channel, count, chunks } = workerData as SearchThreadData
const connection = new SQLite(file, { readonly: true, timeout: 5_000 })
sqliteVec.load(connection)
// Scans read the file in place; its pages are shared with the other connections.
connection.pragma(`mmap_size = ${2 ** 40}`)
const prepared = new Map<string, BetterSqlite3.Statement>()
const held = createCopyRegistry(channel, count)
const trimHeap = createHeapTrimmer()
// Created with the first request, because their tables need not exist before.
let searchKeywords: ReturnType<typeof createKeywordSearch> | null = null
let answerVectors: ReturnType<typeof createScanWorker> | null = null

answerRequests<SearchThreadRequest, unknown>(
  async (request) => ({ response: await answer(request) }),
  () => {
    held.close()
    connection.close()
  },
  (notification) => {
    held.drop((notification as VectorNotification).drop)
    // The memory is freed once nothing refers to it, which would otherwise be noticed much later.
    trimHeap(Number.NEGATIVE_INFINITY)
  },
)

function answer(request: SearchThreadRequest): unknown {
  if (request.kind === 'statement') return all(request)
  if (request.kind === 'rank') return rankFragments(request)
  if (request.kind === 'keywords') {
    searchKeywords ??= createKeywordSearch(connection, chunks)
    return searchKeywords(request)
  }
  answerVectors ??= createScanWorker(connection, held)
  return answerVectors(request)
}

/** Outside a transaction, each statement sees what is committed when it starts. */
function all({ sql, params }: StatementRequest): unknown[] {
  const statement = prepared.get(sql) ?? connection.prepare(sql)
  prepared.set(sql, statement)
  return statement.all(params)
}
