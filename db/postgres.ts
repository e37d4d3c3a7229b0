import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { drizzle } from 'drizzle-orm/pg-proxy'
import pg from 'pg'
import type { Engine, Run, Statement, Transaction } from './database'

const dialect = new PgDialect({ casing: 'snake_case' })

export function openPostgres(connectionString: string, max = 10): Engine {
  const pool = new pg.Pool({
    connectionString,
    max,
    connectionTimeoutMillis: 10_000,
    idle_in_transaction_session_timeout: 15_000,
  })
  // Without a listener, a lost idle connection would end the process.
  pool.on('error', () => {})

  return {
    run: (statement) => send(pool, statement),
    queries,
    async begin(scope) {
      if (scope === 'transaction') return begin(pool, 'begin isolation level serializable')
      // Outside a transaction, each statement is its own.
      return { run: (statement) => send(pool, statement), commit: async () => {}, rollback: async () => {} }
    },
    async exclusive(work) {
      const transaction = await begin(pool, 'begin')
      try {
        await transaction.run({ sql: 'select pg_advisory_xact_lock(5172019)', params: [], rows: 'arrays' })
        await work(transaction.run)
        await transaction.commit()
      } catch (error) {
        await transaction.rollback()
        throw error
      }
    },
    close: () => pool.end(),
  }
}

async function begin(pool: pg.Pool, statement: string): ReturnType<Engine['begin']> {
  const client = await pool.connect()
  let broken = false
  client.on('error', onError)
  try {
    await client.query(statement)
  } catch (error) {
    onError()
    release()
    throw error
  }
  return {
    run: (statement) => send(client, statement),
    async commit() {
      await client.query('commit')
      release()
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

async function send(
  client: pg.Pool | pg.PoolClient,
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
