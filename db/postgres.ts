import { setTimeout as sleep } from 'node:timers/promises'
import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { drizzle } from 'drizzle-orm/pg-proxy'
import pg from 'pg'
import type { Engine, Run, Statement, Transaction } from './database'
import { DatabaseOpenError, DatabaseUnavailableError, isConnectionLost } from './errors'

const dialect = new PgDialect({ casing: 'snake_case' })

/** Limits of the server for one statement, for the wait for a lock, and for a transaction that does nothing. */
const statementTimeoutMs = 30_000
const lockTimeoutMs = 10_000
const idleTransactionTimeoutMs = 15_000
const connectTimeoutMs = 10_000
/** How long a request waits for a database that is away, before it fails. */
const reconnectMs = 8_000
const minRetryMs = 50
const maxRetryMs = 1_000
/** The first release that the product is tested with. */
const minServerVersion = 150_000
const migrationLock = 5_172_019

export interface PostgresOptions {
  /** Connections of this process, without the one that is reserved for heartbeats. */
  maxConnections?: number
  /** How long the start waits for a server that does not respond. */
  startMs?: number
}

/**
 * Opens a pool of connections. Transactions are READ COMMITTED; see `Database.write`. While the server is away, statements
 * wait for it for some seconds before they throw DatabaseUnavailableError.
 */
export function openPostgres(connectionString: string, { maxConnections = 10 }: PostgresOptions = {}): Engine {
  const pool = openPool(connectionString, maxConnections)
  // Heartbeats must not wait for connections that others hold.
  const reserved = openPool(connectionString, 1)

  return {
    run: (statement) => untilConnected(() => send(pool, statement)),
    queries,
    async begin(scope, { locks, isReserved = false } = {}) {
      const connections = isReserved ? reserved : pool
      if (scope === 'transaction') return untilConnected(() => begin(connections, locks))
      // Outside a transaction, each statement is its own.
      return { run: (statement) => sendOnce(connections, statement), commit: nothing, rollback: nothing }
    },
    async exclusive(work) {
      // Without limits of time: others wait for a migration, however long it takes.
      const client = new pg.Client({
        connectionString,
        types,
        connectionTimeoutMillis: connectTimeoutMs,
        keepAlive: true,
      })
      client.on('error', () => {})
      try {
        await client.connect()
        await client.query('begin')
        await client.query('select pg_advisory_xact_lock($1)', [migrationLock])
        await work((statement) => send(client, statement))
        await client.query('commit')
      } finally {
        // Ends a transaction that was not committed.
        await client.end()
      }
    },
    close: async () => {
      await Promise.all([pool.end(), reserved.end()])
    },
  }
}

/**
 * Takes a lock of this name on a connection of its own; null if another process has it. Call the function to release it.
 * The server releases it when the process ends, however it ends.
 */
export async function takeLock(connectionString: string, name: string): Promise<(() => Promise<void>) | null> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: connectTimeoutMs, keepAlive: true })
  client.on('error', () => {})
  let isTaken = false
  try {
    await client.connect()
    const { rows } = await client.query<{ taken: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, 0)) as taken',
      [name],
    )
    isTaken = rows[0]?.taken === true
  } finally {
    if (!isTaken) await client.end()
  }
  return isTaken ? () => client.end() : null
}

async function nothing(): Promise<void> {}

/** Reads integers of 64 bits as numbers, which all of ours are within 2^53. */
const types = {
  getTypeParser: ((id: number, format?: 'text' | 'binary') =>
    id === pg.types.builtins.INT8 && format !== 'binary'
      ? Number
      : pg.types.getTypeParser(id, format)) as typeof pg.types.getTypeParser,
}

function openPool(connectionString: string, max: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    types,
    max,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: idleTransactionTimeoutMs,
    // A server that vanished without a word is noticed when a statement takes longer than the server would allow.
    query_timeout: statementTimeoutMs + 5_000,
    keepAlive: true,
    application_name: 'sitelore',
  })
  // Without a listener, a lost idle connection would end the process.
  pool.on('error', () => {})
  return pool
}

/** Waits until a server responds, and checks its version and encoding. Throws DatabaseOpenError. */
export async function waitForPostgres(connectionString: string, { startMs = 60_000 }: PostgresOptions = {}) {
  const endsAt = Date.now() + startMs
  for (let delayMs = minRetryMs; ; delayMs = Math.min(maxRetryMs, delayMs * 2)) {
    try {
      return await assertUsable(connectionString)
    } catch (error) {
      if (error instanceof DatabaseOpenError) throw error
      if (!isConnectionLost(error) || Date.now() + delayMs > endsAt) throw openError(error)
      await sleep(delayMs)
    }
  }
}

async function assertUsable(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: connectTimeoutMs })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ version: string; encoding: string; can_create: boolean; standby: boolean }>(
      `select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding,
        has_schema_privilege(current_schema(), 'create') as can_create, pg_is_in_recovery() as standby`,
    )
    const [server] = rows
    if (Number(server?.version) < minServerVersion)
      throw new DatabaseOpenError(
        `DATABASE_URL: PostgreSQL ${Math.floor(Number(server?.version) / 10_000)} is too old. Use 15 or newer.`,
      )
    if (server?.encoding !== 'UTF8')
      throw new DatabaseOpenError(
        `DATABASE_URL: the encoding of the database is ${server?.encoding}. Create it with: createdb --encoding=UTF8 --template=template0`,
      )
    if (server.standby)
      throw new DatabaseOpenError(
        'DATABASE_URL: this server is a standby and takes no writes. Use the address of the primary.',
      )
    if (!server.can_create)
      throw new DatabaseOpenError(
        'DATABASE_URL: this user may not create tables in its schema. Make it the owner of the database.',
      )
  } finally {
    await client.end().catch(() => {})
  }
}

const reasons: Record<string, string> = {
  '28P01': 'the server refuses the user or the password.',
  '28000': 'the server refuses this user from this machine. Check pg_hba.conf.',
  '3D000': 'the server has no such database. Create it with createdb.',
  ENOTFOUND: 'there is no host of this name.',
}

/** Does not repeat the address, which may contain a password. */
function openError(error: unknown): DatabaseOpenError {
  const code = codeOf(error)
  const message = error instanceof Error ? error.message : String(error)
  const reason = reasons[code] ?? `the server cannot be used (${message || code}).`
  return new DatabaseOpenError(`DATABASE_URL: ${reason}`, { cause: error })
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Repeats what may be repeated, a read or the start of a transaction, until the server responds. */
async function untilConnected<T>(attempt: () => Promise<T>): Promise<T> {
  const endsAt = Date.now() + reconnectMs
  for (let delayMs = minRetryMs; ; delayMs = Math.min(maxRetryMs, delayMs * 2)) {
    try {
      return await attempt()
    } catch (error) {
      if (!isConnectionLost(error)) throw error
      if (Date.now() + delayMs > endsAt) throw new DatabaseUnavailableError({ cause: error })
      await sleep(delayMs * (0.5 + Math.random()))
    }
  }
}

async function begin(pool: pg.Pool, locks: readonly string[] = []): ReturnType<Engine['begin']> {
  const client = await pool.connect()
  let broken = false
  client.on('error', onError)
  try {
    await client.query('begin')
    if (locks.length > 0)
      await client.query('select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest($1::text[]) name', [
        locks,
      ])
  } catch (error) {
    onError()
    release()
    throw error
  }
  return {
    run: (statement) => send(client, statement),
    async commit() {
      try {
        await client.query('commit')
      } catch (error) {
        onError()
        // Nobody knows whether it was committed, so it must not be repeated.
        throw isConnectionLost(error) ? new DatabaseUnavailableError({ cause: error }) : error
      } finally {
        release()
      }
    },
    async rollback() {
      await client.query('rollback').catch(onError)
      release()
    },
  }

  function onError() {
    broken = true
  }
  function release() {
    client.off('error', onError)
    client.release(broken)
  }
}

/** Sends a statement that must not be repeated, because it may have been committed when its connection is lost. */
async function sendOnce(pool: pg.Pool, statement: Statement): Promise<unknown[]> {
  const client = await untilConnected(() => pool.connect())
  let failure: Error | undefined
  // Without a listener, a lost connection would end the process.
  const onError = () => {}
  client.on('error', onError)
  try {
    return await send(client, statement)
  } catch (error) {
    if (!isConnectionLost(error)) throw error
    failure = new DatabaseUnavailableError({ cause: error })
    throw failure
  } finally {
    client.off('error', onError)
    client.release(failure)
  }
}

async function send(
  client: pg.Pool | pg.ClientBase,
  { sql: text, params: values, rows }: Statement,
): Promise<unknown[]> {
  const result =
    rows === 'arrays' ? await client.query({ text, values, rowMode: 'array' }) : await client.query(text, values)
  return result.rows
}

export function queries(run: Run): Transaction {
  const builder = drizzle(
    async (sql, params, method) => ({
      rows: await run({ sql, params, rows: method === 'all' ? 'arrays' : 'objects' }),
    }),
    {},
    () => dialect,
  )
  return Object.assign(builder as unknown as Transaction, {
    execute: <Row>(query: SQL) => run({ ...dialect.sqlToQuery(query), rows: 'objects' }) as Promise<Row[]>,
  })
}
