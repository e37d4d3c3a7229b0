import type { VectorAnswer, VectorKind, VectorNote, VectorRequest } from '../vector-index/scan-requests'
import { createThreadPool } from './thread-pool'

export interface SearchQuery {
  /** One of a fixed set of statements: each is prepared once and kept. */
  sql: string
  /** Whole numbers that a virtual table must take as such are given as bigint. */
  params: (string | number | bigint | Uint8Array)[]
}

/** Runs what only reads, outside of the event loop. */
export interface SearchThreads {
  readonly count: number
  /** Sees all that is committed when it starts. */
  all<Row>(sql: string, params: SearchQuery['params']): Promise<Row[]>
  vectors<Kind extends VectorKind>(request: VectorRequest<Kind>): Promise<VectorAnswer<Kind>>
  tellAll(note: VectorNote): void
  /** Resolves when all threads listen, so that each hears of what the others share. */
  startAll(): Promise<void>
  /** Calls back whenever a thread has ended unexpectedly. */
  onLoss(lost: () => void): void
  close(): Promise<void>
}

export interface SearchThreadsOptions {
  /** The SQLite file, migrated before the first search. */
  file: string
  count?: number
  log?: { warn(details: object, message: string): void }
}

/** What a search thread is started with. */
export interface SearchThreadData {
  file: string
  count: number
  /** Where threads give copies of vectors to one another. */
  channel: string
}

/** Each thread has a read-only connection of its own to the database. */
export function createSearchThreads({ file, count = 1, log }: SearchThreadsOptions): SearchThreads {
  const listeners: (() => void)[] = []
  const data: SearchThreadData = { file, count, channel: crypto.randomUUID() }
  const pool = createThreadPool<SearchQuery | VectorRequest, unknown>({
    thread: 'search',
    data: { ...data },
    size: count,
    onCrash(error) {
      log?.warn({ err: error }, 'A search thread ended unexpectedly.')
      for (const lost of listeners) lost()
    },
  })
  return {
    count,
    all: <Row>(sql: string, params: SearchQuery['params']) => pool.run({ sql, params }) as Promise<Row[]>,
    vectors: <Kind extends VectorKind>(request: VectorRequest<Kind>) =>
      pool.run(request as VectorRequest) as Promise<VectorAnswer<Kind>>,
    tellAll: (note) => pool.tell(note),
    startAll: () => pool.startAll(),
    onLoss: (lost) => void listeners.push(lost),
    close: () => pool.close(),
  }
}
