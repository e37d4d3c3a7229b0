import type { Ranker, Ranking, RankingRequest } from '../engine/search/rank-fragments'
import { createChunkMemory } from './text-index/chunk-cache'
import type { KeywordRequest, PackedHits } from './text-index/keyword-search'
import { createThreadPool } from './threads/thread-pool'
import type { VectorKind, VectorNotification, VectorRequest, VectorResponse } from './vector-index/scan-requests'

export interface StatementRequest {
  kind: 'statement'
  /** One of a fixed set of statements, each of which is prepared once. */
  sql: string
  /** Virtual tables take integers only as bigint. */
  params: (string | number | bigint | Uint8Array)[]
}

export type SearchThreadRequest =
  | StatementRequest
  | ({ kind: 'keywords' } & KeywordRequest)
  | ({ kind: 'rank' } & RankingRequest)
  | VectorRequest

/** What searches compute outside the event loop, and what they read from the database. */
export interface SearchThreads extends Ranker {
  readonly count: number
  /** Runs a statement, which sees all transactions committed before it starts. */
  all<Row>(sql: string, params: StatementRequest['params']): Promise<Row[]>
  keywords(request: KeywordRequest): Promise<PackedHits>
  vectors<Kind extends VectorKind>(request: VectorRequest<Kind>): Promise<VectorResponse<Kind>>
  broadcast(notification: VectorNotification): void
  /** Starts all threads and resolves when they accept messages, so that each learns what the others share. */
  startAll(): Promise<void>
  /** Calls back after a thread ended unexpectedly. */
  onCrash(callback: () => void): void
  close(): Promise<void>
}

export interface SearchThreadsOptions {
  /** The SQLite file, migrated before the first search. */
  file: string
  count?: number
  /** Memory for the parts of the keyword index that were read. With 0, every search reads the database. */
  keywordCacheBytes?: number
  log?: { warn(details: object, message: string): void }
}

/** `workerData` of a search thread. */
export interface SearchThreadData {
  file: string
  count: number
  /** Name of the channel on which threads share their vector caches. */
  channel: string
  /** What the threads share of the keyword index; see `openChunkCache`. */
  chunks: SharedArrayBuffer
}

/** Each thread has a read-only connection of its own to the database. */
export function createSearchThreads({
  file,
  count = 1,
  keywordCacheBytes = 0,
  log,
}: SearchThreadsOptions): SearchThreads {
  const callbacks: (() => void)[] = []
  const data: SearchThreadData = {
    file,
    count,
    channel: crypto.randomUUID(),
    chunks: createChunkMemory(keywordCacheBytes),
  }
  const pool = createThreadPool<SearchThreadRequest, unknown>({
    thread: 'search-indexes',
    data: { ...data },
    size: count,
    onCrash(error) {
      log?.warn({ err: error }, 'A search thread ended unexpectedly.')
      for (const callback of callbacks) callback()
    },
  })
  return {
    count,
    all: <Row>(sql: string, params: StatementRequest['params']) =>
      pool.run({ kind: 'statement', sql, params }) as Promise<Row[]>,
    rank: (request) => pool.run({ kind: 'rank', ...request }) as Promise<Ranking | null>,
    keywords: (request) => pool.run({ kind: 'keywords', ...request }) as Promise<PackedHits>,
    vectors: <Kind extends VectorKind>(request: VectorRequest<Kind>) =>
      pool.run(request as VectorRequest) as Promise<VectorResponse<Kind>>,
    broadcast: (notification) => pool.broadcast(notification),
    startAll: () => pool.startAll(),
    onCrash: (callback) => void callbacks.push(callback),
    close: () => pool.close(),
  }
}
