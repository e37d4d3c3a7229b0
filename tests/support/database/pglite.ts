import { PGlite } from '@electric-sql/pglite'
import type { Engine, Run } from '../../../db/database'
import { queries } from '../../../db/postgres'

/** PostgreSQL's dialect without a server. It has one connection, so even reads wait for the transaction before them. */
export function openPglite(): Engine {
  const connection = new PGlite()
  let last: Promise<void> = Promise.resolve()

  const run: Run = async ({ sql, params, rows }) =>
    (await connection.query(sql, params, { rowMode: rows === 'arrays' ? 'array' : 'object' })).rows

  async function begin() {
    const before = last
    let done: () => void = () => {}
    last = new Promise((resolve) => {
      done = resolve
    })
    await before
    await connection.query('begin')
    const end = (statement: string) => async () => {
      try {
        await connection.query(statement)
      } finally {
        done()
      }
    }
    return { run, commit: end('commit'), rollback: end('rollback') }
  }

  return {
    begin,
    queries,
    async run(statement) {
      await last
      return run(statement)
    },
    async exclusive(work) {
      const transaction = await begin()
      try {
        await work(transaction.run)
        await transaction.commit()
      } catch (error) {
        await transaction.rollback()
        throw error
      }
    },
    close: () => connection.close(),
  }
}
