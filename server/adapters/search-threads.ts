import { createThreadPool } from './thread-pool'

export interface SearchQuery {
  /** One of a fixed set of statements: each is prepared once and kept. */
  sql: string
  /** Whole numbers that a virtual table must take as such are given as bigint. */
  params: (string | number | bigint | Uint8Array)[]
}

/** Runs statements that only read, outside of the event loop. */
export interface SearchThreads {
  /** Sees all that is committed when it starts. */
  all<Row>(sql: string, params: SearchQuery['params']): Promise<Row[]>
  close(): Promise<void>
}

export interface SearchThreadsOptions {
  /** The SQLite file, migrated before the first search. */
  file: string
  count?: number
  log?: { warn(details: object, message: string): void }
}

/** Each thread has a read-only connection of its own to the database. */
export function createSearchThreads({ file, count = 1, log }: SearchThreadsOptions): SearchThreads {
  const onCrash = (error: unknown) => log?.warn({ err: error }, 'A search thread ended unexpectedly.')
  const pool = createThreadPool<SearchQuery, unknown[]>({ thread: 'search', data: { file }, size: count, onCrash })
  return {
    all: <Row>(sql: string, params: SearchQuery['params']) => pool.run({ sql, params }) as Promise<Row[]>,
    close: () => pool.close(),
  }
}
