import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SQL } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { isWorthARetry, translateError } from './errors'
import { storable } from './text'

interface NoResult extends PgQueryResultHKT {
  type: unknown
}
type Builder = PgDatabase<NoResult, Record<string, never>>

/** Runs queries. Functions that only read take this type, so they work inside and outside a transaction. */
export type Queries = Pick<Builder, 'select' | 'selectDistinct' | '$with' | 'with' | '$count'> & {
  /** Raw SQL, for adapters of one engine. */
  execute<Row>(query: SQL): Promise<Row[]>
}
export type Transaction = Queries & Pick<Builder, 'insert' | 'update' | 'delete'>

export interface Database {
  /** Reads committed data. */
  read: Queries
  /**
   * Runs `work` in one transaction. SQLite runs one at a time. PostgreSQL runs several at once, each of which reads what
   * the others have committed: work that decides by what it reads uses `writeAlone`, or changes rows on a condition. It may
   * run again, so it must change and await nothing but the database.
   */
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /**
   * Like `write`, but excludes transactions with the same scope: the id of an organization or a source, for example, by
   * whose rows `work` decides.
   */
  writeAlone<T>(scope: LockScope, work: (tx: Transaction) => Promise<T>): Promise<T>
  /**
   * Runs one self-contained statement, such as a quota check or a claim. Concurrent statements on the same rows wait for
   * each other.
   */
  writeOne<T>(work: (tx: Transaction) => Promise<T>, options?: WriteOneOptions): Promise<T>
  close(): Promise<void>
}

/** One or several names. Their locks are taken in order, so that transactions never wait for each other in a circle. */
export type LockScope = string | readonly string[]

export interface WriteOneOptions {
  /** Uses a connection that nothing else uses, so that the statement never waits for others. For heartbeats. */
  isReserved?: boolean
}

export interface Statement {
  sql: string
  params: unknown[]
  rows: 'arrays' | 'objects'
}
export type Run = (statement: Statement) => Promise<unknown[]>

type Scope = 'transaction' | 'statement'

interface BeginOptions extends WriteOneOptions {
  /** Names that are locked until the end of the transaction. */
  locks?: readonly string[]
}

export interface Engine {
  run: Run
  begin(scope: Scope, options?: BeginOptions): Promise<{ run: Run; commit(): Promise<void>; rollback(): Promise<void> }>
  /** Runs migrations with exclusive access; foreign keys are checked at the end. */
  exclusive(work: (run: Run) => Promise<void>): Promise<void>
  queries(run: Run): Transaction
  close(): Promise<void>
}

const attempts = 8
const maxWriteMs = 10_000

export function createDatabase(engine: Engine, { rehearse = false } = {}): Database {
  const current = new AsyncLocalStorage<{ ended: boolean }>()

  return {
    read: translated(
      engine.queries(async (statement) => {
        outsideOfWrite('read')
        return engine.run(statement)
      }),
    ),

    write: (work) => write(work, 'transaction'),
    writeAlone: (scope, work) => write(work, 'transaction', { locks: [scope].flat().sort() }),
    writeOne: (work, options) => write(work, 'statement', options),
    close: async () => {
      // Otherwise each promise of the process would carry it on.
      current.disable()
      await engine.close()
    },
  }

  async function write<T>(work: (tx: Transaction) => Promise<T>, scope: Scope, options?: BeginOptions): Promise<T> {
    outsideOfWrite('write')
    for (let attempt = 1; ; attempt++) {
      try {
        if (rehearse && scope === 'transaction') await runOnce(work, scope, options, 'rollback')
        return await runOnce(work, scope, options)
      } catch (error) {
        if (scope === 'statement' || attempt === attempts || !isWorthARetry(error)) throw translateError(error)
        await sleep(Math.random() * 5 * 2 ** attempt)
      }
    }
  }

  async function runOnce<T>(
    work: (tx: Transaction) => Promise<T>,
    scope: Scope,
    options?: BeginOptions,
    end: 'commit' | 'rollback' = 'commit',
  ): Promise<T> {
    const transaction = await engine.begin(scope, options)
    const state = { ended: false, failure: undefined as unknown, begun: 0, changes: 0, statements: 0, running: 0 }

    async function run(statement: Statement) {
      if (state.ended)
        throw new Error('This transaction has ended: an await is missing in the function given to write().')
      if (state.failure) throw state.failure
      if (++state.statements > 1 && scope === 'statement')
        throw new Error('writeOne() takes one statement: use write().')
      if (/^\s*(insert|update|delete)\b/i.test(statement.sql)) state.changes++
      state.running++
      try {
        return await transaction.run({ ...statement, params: statement.params.map(storable) })
      } catch (error) {
        state.failure = error
        throw error
      } finally {
        state.running--
      }
    }

    const tx = engine.queries(run)
    for (const verb of ['insert', 'update', 'delete'] as const) {
      const begin = tx[verb].bind(tx) as (...args: unknown[]) => unknown
      Object.assign(tx, {
        [verb]: (...args: unknown[]) => {
          state.begun++
          return begin(...args)
        },
      })
    }

    try {
      const result = await current.run(state, () => inTime(work(tx)))
      // As in PostgreSQL, a failed statement aborts its transaction even if the error is caught.
      if (state.failure) throw state.failure
      if (state.running > 0 || state.changes < state.begun)
        throw new Error('An await is missing in the function given to write(): a statement was not finished.')
      state.ended = true
      await transaction[end]()
      return result
    } catch (error) {
      state.ended = true
      await transaction.rollback()
      throw error
    }
  }

  function outsideOfWrite(verb: string) {
    if (current.getStore()?.ended === false)
      throw new Error(`Database.${verb} inside write(): use the transaction that write() gives.`)
  }
}

interface Session {
  prepareQuery(...all: unknown[]): { queryWithCache(...all: unknown[]): Promise<unknown> }
}

/**
 * Removes values from the errors of reads. Drizzle puts a failed statement and its values, which are people's texts, into
 * the message, which is logged. write() translates its errors itself.
 */
function translated(queries: Transaction): Transaction {
  const { session } = queries as unknown as { session: Session }
  const prepareQuery = session.prepareQuery.bind(session)
  session.prepareQuery = (...all) => {
    const prepared = prepareQuery(...all)
    const send = prepared.queryWithCache.bind(prepared)
    prepared.queryWithCache = (...query) =>
      send(...query).catch((error) => {
        throw translateError(error)
      })
    return prepared
  }
  return queries
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`A write() took longer than ${maxWriteMs} ms: only its statements may be awaited in it.`)),
      maxWriteMs,
    )
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
