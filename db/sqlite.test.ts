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

/** Runs `work` 60 times concurrently. Returns the maximum number that finish in one turn of the event loop. */
async function maxPerTurn(work: () => Promise<unknown>): Promise<number> {
  const done = new Map<number, number>()
  let turns = 0
  let isOver = false
  const turned = () => {
    turns++
    if (!isOver) setImmediate(turned)
  }
  setImmediate(turned)
  const counted = () => work().then(() => done.set(turns, (done.get(turns) ?? 0) + 1))
  await Promise.all(Array.from({ length: 60 }, counted))
  isOver = true
  return Math.max(...done.values())
}

it('yields to the event loop between concurrent reads', async () => {
  expect(await maxPerTurn(() => db.read.execute(slow))).toBeLessThan(30)
})

it('yields to the event loop between transactions', async () => {
  expect(await maxPerTurn(() => db.write((tx) => tx.execute(slow)))).toBeLessThan(30)
})
