import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep, setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type BetterSqlite3 from 'better-sqlite3'
import type { SQL } from 'drizzle-orm'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import { SQLiteRemoteSession, SqliteRemoteDatabase } from 'drizzle-orm/sqlite-proxy'
import { LRUCache } from 'lru-cache'
import * as sqliteVec from 'sqlite-vec'
import type { Engine, Queries, Run, Statement, Transaction } from './database'
import { createMutex } from './mutex'
import { SQLite } from './sqlite-driver'

const maxTurnMs = 10
const maxYields = 100
const maxPreparedStatements = 500
/** Longer statements have lists of parameters and are rarely repeated. */
const maxPreparedLength = 4_000
// The driver's default is 16 MB per connection. Each write invalidates the reader's cache, so it would be refilled again
// and again; the system caches the file's pages for both connections.
const writerCacheKib = 8_192
const readerCacheKib = 2_048
const dialect = new SQLiteAsyncDialect({ casing: 'snake_case' })

/** One connection writes, one transaction at a time; a second one reads and never waits for it (WAL). */
export function openSqlite(file: string): Engine {
  const writer = open(file)
  const reader = openReadOnly(file)
  const write = statements(writer)
  const read = statements(reader)
  const writeMutex = createMutex()
  const inTurn = createYielding()

  return {
    run: (statement) => inTurn(() => read(statement)),
    queries,
    async begin() {
      const release = await writeMutex.acquire()
      try {
        await beginImmediate(writer)
      } catch (error) {
        release()
        throw error
      }
      return {
        run: (statement) => inTurn(() => write(statement)),
        async commit() {
          writer.exec('commit')
          release()
        },
        async rollback() {
          try {
            if (writer.inTransaction) writer.exec('rollback')
          } finally {
            release()
          }
        },
      }
    },
    async exclusive(work) {
      const release = await writeMutex.acquire()
      // SQLite ignores this pragma within a transaction, and rebuilding a table would then delete its dependent rows.
      writer.pragma('foreign_keys = off')
      try {
        await beginImmediate(writer)
        await work(async (statement) => write(statement))
        if ((writer.pragma('foreign_key_check') as unknown[]).length > 0)
          throw new Error('A migration left rows that refer to nothing.')
        writer.exec('commit')
      } finally {
        if (writer.inTransaction) writer.exec('rollback')
        writer.pragma('foreign_keys = on')
        release()
      }
    },
    async close() {
      await writeMutex.acquire()
      reader.close()
      writer.close()
    },
  }
}

/**
 * Returns a function that runs synchronous work, but yields to the event loop first if statements have blocked it for
 * 10 ms. Awaiting a synchronous statement does not yield, so consecutive transactions would block the loop for as long as
 * all of them take. Yielding within a transaction is safe, because only one transaction uses the writer.
 */
function createYielding(): <Result>(work: () => Result) => Promise<Result> {
  let turnStartedAt: number | null = null
  const isOverdue = () => turnStartedAt !== null && performance.now() - turnStartedAt > maxTurnMs
  return async (work) => {
    // Bounded, so that other work that keeps arriving cannot starve this one.
    for (let yields = 0; isOverdue() && yields < maxYields; yields++) await yieldToEventLoop()
    if (turnStartedAt === null) {
      turnStartedAt = performance.now()
      setImmediate(() => {
        turnStartedAt = null
      })
    }
    return work()
  }
}

/** Runs queries on a file without changing it: no migration, no write-ahead log. */
export async function readSqlite<Result>(file: string, work: (read: Queries) => Promise<Result>): Promise<Result> {
  const { run, close } = openSqliteReader(file)
  try {
    return await work(queries(run))
  } finally {
    await close()
  }
}

/** Like `readSqlite`, until it is closed. */
export function openSqliteReader(file: string): { run: Run; close(): Promise<void> } {
  const connection = openReadOnly(file)
  const read = statements(connection)
  return {
    run: async (statement) => read(statement),
    close: async () => {
      connection.close()
    },
  }
}

export function openReadOnly(file: string): BetterSqlite3.Database {
  return open(file, { readonly: true })
}

/** Writes a compact copy while others read and write. Fails if `target` exists. */
export function copySqlite(file: string, target: string): void {
  const connection = openReadOnly(file)
  try {
    createPrivate(target)
    connection.prepare('vacuum into ?').run(target)
  } finally {
    connection.close()
  }
}

/**
 * Rewrites the file without free pages, and enables incremental vacuum for it. No other connection may write meanwhile.
 * Takes the time and the disk space of a copy. Throws SQLITE_BUSY if another connection writes, SQLITE_FULL without space.
 */
export function vacuumSqlite(file: string): void {
  const connection = new SQLite(file, { timeout: 5_000 })
  try {
    connection.pragma('auto_vacuum = incremental')
    connection.exec('vacuum')
    connection.pragma('wal_checkpoint(truncate)')
  } finally {
    connection.close()
  }
}

function open(file: string, options: BetterSqlite3.Options = {}): BetterSqlite3.Database {
  if (!options.readonly) makePrivate(file)
  const connection = new SQLite(file, { timeout: 100, ...options })
  if (!options.readonly) {
    // Counts for a new file: free pages can then be given back while it is in use.
    connection.pragma('auto_vacuum = incremental')
    connection.pragma('journal_mode = wal')
  }
  connection.pragma('synchronous = normal')
  connection.pragma('foreign_keys = on')
  connection.pragma(`cache_size = -${options.readonly ? readerCacheKib : writerCacheKib}`)
  sqliteVec.load(connection)
  return connection
}

/** SQLite gives the log and the shared-memory file the mode of the database. */
function makePrivate(file: string): void {
  if (!existsSync(file)) createPrivate(file)
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0
    if (!(mode & 0o077)) continue
    try {
      chmodSync(path, 0o600)
    } catch {
      // Another user owns the file; `doctor` warns about it.
    }
  }
}

function createPrivate(file: string): void {
  closeSync(openSync(file, 'wx', 0o600))
}

function statements(connection: BetterSqlite3.Database): (statement: Statement) => unknown[] {
  const prepared = new LRUCache<string, BetterSqlite3.Statement>({ max: maxPreparedStatements })
  return ({ sql, params, rows }) => {
    const key = rows + sql
    let statement = prepared.get(key)
    if (!statement) {
      statement = connection.prepare(sql)
      if (statement.reader) statement.raw(rows === 'arrays')
      if (sql.length <= maxPreparedLength) prepared.set(key, statement)
    }
    if (statement.reader) return statement.all(params)
    // The driver takes one step of a statement without columns, and this one does its work in many.
    if (sql.startsWith('pragma incremental_vacuum')) connection.exec(sql)
    else statement.run(params)
    return []
  }
}

/** Another process may be writing. SQLite's busy timeout would block this one, so it is short and the work is retried. */
async function beginImmediate(connection: BetterSqlite3.Database) {
  for (const deadline = Date.now() + 10_000; ; ) {
    try {
      return connection.exec('begin immediate')
    } catch (error) {
      if ((error as { code?: string }).code !== 'SQLITE_BUSY' || Date.now() > deadline) throw error
      await sleep(5 + Math.random() * 20)
    }
  }
}

function queries(run: Run): Transaction {
  const send = async (sql: string, params: unknown[], method: string) => {
    if (method === 'get') throw new Error('PostgreSQL has no get(): await the query and take its first row.')
    return { rows: await run({ sql, params, rows: 'arrays' }) }
  }
  // As drizzle() does, but with one shared dialect, which caches column names.
  const session = new SQLiteRemoteSession(send, dialect, undefined, undefined)
  return Object.assign(new SqliteRemoteDatabase('async', dialect, session, undefined) as unknown as Transaction, {
    execute: <Row>(query: SQL) => run({ ...dialect.sqlToQuery(query), rows: 'objects' }) as Promise<Row[]>,
  })
}
