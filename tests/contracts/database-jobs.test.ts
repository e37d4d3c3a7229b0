import { fork } from 'node:child_process'
import { once } from 'node:events'
import { eq } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../db/database'
import { engine } from '../../db/engine'
import { jobs, workers } from '../../db/schema/jobs'
import { claimJob } from '../../server/services/jobs/claim-job'
import { enqueue, finishJob, type JobRow } from '../../server/services/jobs/jobs'
import { heartbeat, isServerAlive, registerWorker } from '../../server/services/jobs/workers'
import { openTestDatabase } from '../support/database/database'
import { until } from '../support/until'

let database: Database
let url: string

beforeAll(async () => {
  ;({ database, url } = await openTestDatabase())
})
afterAll(() => database.close())
beforeEach(() =>
  database.write(async (tx) => {
    await tx.delete(jobs)
    await tx.delete(workers)
  }),
)

describe('jobs', () => {
  const kind = 'crawl-source' as const
  async function claim(worker: string, count: number, now = new Date()): Promise<JobRow[]> {
    const claimed: JobRow[] = []
    while (claimed.length < count) {
      const job = await claimJob(database, { worker, kind, now })
      if (!job) break
      claimed.push(job)
    }
    return claimed
  }
  const queue = (count: number) =>
    database.write((tx) =>
      tx
        .insert(jobs)
        .values(Array.from({ length: count }, (_, n) => ({ kind, payload: { n: String(n) }, runAfter: new Date(n) }))),
    )

  it('are claimed in order, and again when their lease has run out', async () => {
    await queue(3)
    const now = new Date()
    const first = await claim('a', 2, now)
    expect(first.map((job) => job.payload.n).sort()).toEqual(['0', '1'])
    expect(await claim('b', 5, now)).toMatchObject([{ payload: { n: '2' }, attempts: 0 }])
    expect(await claim('b', 5, now)).toEqual([])
    expect(await claim('b', 5, new Date(now.getTime() + 60_000))).toHaveLength(3)
  })

  it('go first to the organization with the fewest running ones, then to the one that waits longest', async () => {
    const rows = ['a0', 'a1', 'a2', 'b3', 'b4', 'c5', '-6', '-7'].map((name) => ({
      kind,
      payload: { name },
      organizationId: name.startsWith('-') ? null : name.charAt(0),
      runAfter: new Date(Number(name.charAt(1))),
    }))
    await database.write((tx) => tx.insert(jobs).values(rows))
    const claimed = await claim('w', 20)
    expect(claimed.map((job) => job.payload.name)).toEqual(['a0', 'b3', 'c5', '-6', '-7', 'a1', 'b4', 'a2'])
  })

  it('are left to newcomers, to a later time, to their owner or to the end of one of the same key', async () => {
    const later = new Date(Date.now() + 60_000)
    const rows = [
      { organizationId: 'a', payload: { name: 'a' }, dedupeKey: 'one' },
      { organizationId: 'b', payload: { name: 'b later' }, runAfter: later },
    ]
    await database.write((tx) => tx.insert(jobs).values(rows.map((row) => ({ kind, ...row }))))
    const running = await claimJob(database, { worker: 'w', kind })
    expect(running?.payload.name).toBe('a')
    await database.write((tx) =>
      tx.insert(jobs).values([
        { kind, organizationId: 'a', payload: { name: 'a again' }, dedupeKey: 'one' },
        { kind, organizationId: 'a', payload: { name: 'a other' } },
        { kind: 'mail-link', payload: { name: 'other kind' } },
      ]),
    )
    expect(await claimJob(database, { worker: 'w', kind, newcomersOnly: true })).toBeNull()
    expect((await claimJob(database, { worker: 'w', kind }))?.payload.name).toBe('a other')
    expect(await claimJob(database, { worker: 'w', kind })).toBeNull()
    const expired = { worker: 'w', kind, now: new Date(Date.now() + 30_000) }
    const ownIds = [String(running?.id)]
    expect((await claimJob(database, { ...expired, excludedIds: ownIds }))?.payload.name).toBe('a other')
    expect(await claimJob(database, { ...expired, excludedIds: ownIds })).toBeNull()
    expect((await claimJob(database, expired))?.payload.name).toBe('a')
    await finishJob(database, String(running?.id), 'w')
    expect((await claimJob(database, { worker: 'w', kind }))?.payload.name).toBe('a again')
    const runningIds = (await database.read.select().from(jobs).where(eq(jobs.status, 'running'))).map(({ id }) => id)
    const atLater = { worker: 'w', kind, now: later, excludedIds: runningIds }
    expect((await claimJob(database, atLater))?.payload.name).toBe('b later')
  })

  it('never runs two jobs of one key, even if a claim does not see the other one', async () => {
    const row = { kind, payload: {}, dedupeKey: 'one', status: 'running' as const, leasedUntil: new Date() }
    await database.write((tx) => tx.insert(jobs).values(row))
    await expect(database.write((tx) => tx.insert(jobs).values(row))).rejects.toMatchObject({ constraint: 'unique' })
  })

  // PGlite has one connection, and SQLite one writer: there, nothing happens between the reading and the writing.
  it.runIf(engine === 'postgres' && process.env.DATABASE_URL !== 'postgres:pglite')(
    'are not claimed early when another worker takes and postpones them meanwhile',
    async () => {
      await queue(1)
      const another = new pg.Client(url)
      await another.connect()
      await another.query(`begin; update jobs set status = 'running'`)
      const claimed = claimJob(database, { worker: 'w', kind })
      const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await until(async () => (await another.query(waiting)).rowCount)
      await another.query(`update jobs set status = 'queued', run_after = $1`, [Date.now() + 60_000])
      await another.query('commit')
      await another.end()
      expect(await claimed).toBeNull()
    },
  )

  it('wait once for a key, and may wait again while one runs', async () => {
    const job = { kind, payload: {}, dedupeKey: 'source-1' }
    for (let i = 0; i < 3; i++) await database.write((tx) => enqueue(tx, job))
    const [running] = await claim('a', 5)
    expect(running).toBeDefined()
    await database.write((tx) => enqueue(tx, job))
    expect(await database.read.$count(jobs)).toBe(2)
    await finishJob(database, String(running?.id), 'a')
    expect(await claim('a', 5)).toHaveLength(1)
  })

  it('gives jobs of a dead worker to the next one at once, and renews those of a live one by its heartbeat', async () => {
    await queue(2)
    const worker = (id: string) => ({ id, hostname: 'h', pid: 1, kind: 'server' as const })
    await registerWorker(database, worker('dead'), () => false)
    await claim('dead', 1)
    await registerWorker(database, worker('live'), (workerProcess) => workerProcess.id === 'dead')
    const [input, kept] = await claim('live', 5)
    const later = new Date(Date.now() + 10_000)
    await heartbeat(database, 'live', [String(kept?.id)], later)
    const soon = new Date(later.getTime() + 10_000)
    expect(await claim('other', 5, soon)).toMatchObject([{ id: input?.id }])
    expect(await isServerAlive(database.read, later.getTime())).toBe(true)
    expect(await isServerAlive(database.read, later.getTime() + 60_000)).toBe(false)
  })

  it.skipIf(process.env.DATABASE_URL === 'postgres:pglite')('are claimed once by two processes', async () => {
    await queue(400)
    const env = { ...process.env, DATABASE_URL: engine === 'postgres' ? url : '' }
    const children = ['a', 'b'].map((name) =>
      fork('tests/support/claim-all.ts', [url, name], { env, execArgv: ['--import', 'tsx'] }),
    )
    // Both have opened the database before either begins.
    await Promise.all(children.map((child) => once(child, 'message')))
    const answers = children.map((child) => once(child, 'message') as Promise<[string[]]>)
    for (const child of children) child.send('begin')
    const claimed = (await Promise.all(answers)).flatMap(([ids]) => ids)
    expect(claimed).toHaveLength(400)
    expect(new Set(claimed).size).toBe(400)
  })
})
