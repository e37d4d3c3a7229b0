import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createDatabase, type Database } from './database'
import { openSqlite } from './sqlite'

// Some milliseconds of work that touches no table.
const slow = sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 20000)
  select count(*) as many from numbers`

let folder = ''
let db: Database
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sitelore-sqlite-'))
  db = createDatabase(openSqlite(join(folder, 'test.db')))
})
afterEach(async () => {
  await db.close()
  await rm(folder, { recursive: true })
})

/** The longest that the event loop was held while `work` was done, as a share of all its time. */
async function longestHold(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  let last = started
  let longest = 0
  let isDone = false
  const turned = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (!isDone) setImmediate(turned)
  }
  setImmediate(turned)
  await work()
  isDone = true
  turned()
  return longest / (performance.now() - started)
}

it('many reads that are asked for at once do not hold the event loop until the last is done', async () => {
  const reads = () => Promise.all(Array.from({ length: 60 }, () => db.read.execute(slow)))
  expect(await longestHold(reads)).toBeLessThan(0.4)
})

it('transactions that wait for one another let others go on between them', async () => {
  const writes = () => Promise.all(Array.from({ length: 60 }, () => db.write((tx) => tx.execute(slow))))
  expect(await longestHold(writes)).toBeLessThan(0.4)
})
