import { hostname } from 'node:os'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { jobs } from '../../../db/schema/jobs'
import { system } from '../../../server/actor'
import { GiveUp, RetryLater } from '../../../server/errors'
import { enqueue, type JobRow } from '../../../server/services/jobs/jobs'
import { type KindHandler, type Runner, type RunnerOptions, startRunner } from '../../../workers/runner'
import { createTestApp, openTestApp } from '../../support/app'
import { until } from '../../support/until'

let app: Awaited<ReturnType<typeof openTestApp>>['app']
let runners: Runner[] = []
beforeEach(async () => {
  app = (await openTestApp()).app
})
afterEach(async () => {
  vi.useRealTimers()
  for (const runner of runners) await runner.stop()
  runners = []
  await app.close()
})

const kind = 'purge-source' as const

async function start(handler: Partial<KindHandler>): Promise<Runner> {
  const idle: KindHandler = { run: async () => {}, concurrency: 1 }
  const handlers: RunnerOptions['handlers'] = {
    'crawl-source': idle,
    'detect-boilerplate': idle,
    'embed-fragments': idle,
    'reindex-text': idle,
    'purge-collection': idle,
    'purge-organization': idle,
    'mail-invitation': idle,
    'mail-link': idle,
    [kind]: { ...idle, ...handler },
  }
  const { db, log, signals } = app
  const runner = await startRunner({ db, log, kind: 'server', handlers, machine: hostname(), isShared: false, signals })
  runners.push(runner)
  return runner
}

const queue = (name = 'lamp', dedupeKey?: string) =>
  app.db.write((tx) => enqueue(tx, { kind, payload: { name }, dedupeKey }))
const stored = (): Promise<JobRow[]> => app.db.read.select().from(jobs)
/** Makes the job due now. */
const makeDue = () => app.db.write((tx) => tx.update(jobs).set({ runAfter: new Date(0) }))

/**
 * Stops the clock, so that a delay does not depend on how long storing it takes. It stands a day ahead: by the clock of
 * PostgreSQL, which goes on, no delay ends during a test.
 */
const stopClock = () => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 })
/** Seconds from now until the job is due. */
async function waitOf(): Promise<number> {
  const [job] = await stored()
  return ((job?.runAfter.getTime() ?? 0) - Date.now()) / 1000
}

describe('the runner', () => {
  it('runs queued jobs within the concurrency of their kind, and deletes them', async () => {
    let now = 0
    let most = 0
    const names: string[] = []
    for (const name of ['a', 'b', 'c', 'd', 'e']) await queue(name)
    const runner = await start({
      concurrency: 2,
      run: async ({ name = '' }) => {
        most = Math.max(most, ++now)
        // Overlaps with another job, except for the last one.
        await until(() => now === 2 || names.length === 4)
        now--
        names.push(name)
      },
    })
    await runner.idle()
    expect(names.sort()).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(most).toBe(2)
    expect(await stored()).toEqual([])
  })

  it('tries a failed job again after 1, 4, 16 and 64 seconds, then marks it as failed', async () => {
    let tried = 0
    const givenUp: string[] = []
    await queue()
    const runner = await start({
      run: async () => {
        tried++
        throw new Error(`Broken ${tried} times.`)
      },
      onGiveUp: async ({ name = '' }) => {
        givenUp.push(name)
      },
    })
    stopClock()
    for (const seconds of [1, 4, 16, 64]) {
      await makeDue()
      await runner.idle()
      expect(await waitOf()).toBe(seconds)
      expect(await stored()).toMatchObject([{ status: 'queued', worker: null, error: `Broken ${tried} times.` }])
    }
    expect(givenUp).toEqual([])
    await makeDue()
    await runner.idle()
    expect(await stored()).toMatchObject([{ status: 'failed', attempts: 5, error: 'Broken 5 times.' }])
    expect(givenUp).toEqual(['lamp'])
    await makeDue()
    await runner.idle()
    expect(tried).toBe(5)
  })

  it('tries a job as often as its kind says', async () => {
    await queue()
    const runner = await start({
      maxAttempts: 7,
      run: async () => {
        throw new Error('No answer.')
      },
    })
    stopClock()
    for (const seconds of [1, 4, 16, 64, 256, 1_024]) {
      await makeDue()
      await runner.idle()
      expect(await waitOf()).toBe(seconds)
    }
    await makeDue()
    await runner.idle()
    expect(await stored()).toMatchObject([{ status: 'failed', attempts: 7 }])
  })

  it('fails a job at once if it asks for it', async () => {
    await queue()
    const runner = await start({
      run: async () => {
        throw new GiveUp('There is no lamp.')
      },
    })
    await runner.idle()
    expect(await stored()).toMatchObject([{ status: 'failed', attempts: 1, error: 'There is no lamp.' }])
  })

  it('retries a job that nothing else would enqueue again', async () => {
    let tried = 0
    await queue()
    const runner = await start({
      retryMs: 600_000,
      run: async () => {
        if (++tried <= 7) throw new Error('No memory.')
      },
    })
    stopClock()
    for (const seconds of [1, 4, 16, 64, 600, 600, 600]) {
      await makeDue()
      await runner.idle()
      expect(await waitOf()).toBe(seconds)
    }
    await makeDue()
    await runner.idle()
    expect(await stored()).toEqual([])
  })

  it('does not restart its own running job after the lease expired', async () => {
    await queue('first')
    const started: string[] = []
    let end: () => void = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const runner = await start({
      concurrency: 2,
      run: ({ name = '' }) => {
        started.push(name)
        return ended
      },
    })
    await until(() => started.length > 0)
    // As after an interval in which the process could not send its heartbeat.
    await app.db.write((tx) => tx.update(jobs).set({ leasedUntil: new Date(0) }))
    await queue('second')
    runner.wake()
    await until(() => started.includes('second'))
    expect(started).toEqual(['first', 'second'])
    end()
    await runner.idle()
    expect(await stored()).toEqual([])
  })

  it('requeues a job as often as it asks, without counting attempts', async () => {
    let tried = 0
    await queue()
    const runner = await start({
      run: async () => {
        if (++tried <= 7) throw new RetryLater(60_000)
      },
    })
    stopClock()
    for (let time = 1; time <= 7; time++) {
      await makeDue()
      await runner.idle()
      expect(tried).toBe(time)
      expect(await waitOf()).toBe(60)
      expect(await stored()).toMatchObject([{ status: 'queued', attempts: 0, error: null }])
    }
    await makeDue()
    await runner.idle()
    expect(await stored()).toEqual([])
  })

  it('counts only consecutive failures', async () => {
    let tried = 0
    await queue()
    const runner = await start({
      run: async () => {
        if (++tried > 12) return
        if (tried % 4 === 0) throw new RetryLater(0)
        throw new Error('The disk is busy.')
      },
    })
    for (const attempts of [1, 2, 3, 1, 2, 3, 1, 2, 3]) {
      await makeDue()
      await runner.idle()
      expect(await stored()).toMatchObject([{ status: 'queued', attempts }])
    }
    await makeDue()
    await runner.idle()
    expect(await stored()).toEqual([])
    expect(tried).toBe(13)
  })

  it('resets the failures after a long attempt', async () => {
    let worksMs = 0
    await queue()
    const runner = await start({
      run: async () => {
        vi.setSystemTime(Date.now() + worksMs)
        throw new Error('The disk is busy.')
      },
    })
    stopClock()
    for (const [minutes, attempts] of [[0, 1] as const, [9, 2] as const, [10, 1] as const, [0, 2] as const]) {
      worksMs = minutes * 60_000
      await makeDue()
      await runner.idle()
      expect(await stored()).toMatchObject([{ status: 'queued', attempts }])
    }
  })

  it('drops a requeued job if another has its key', async () => {
    await queue('first', 'key')
    const seen: string[] = []
    const runner = await start({
      run: async ({ name = '' }) => {
        seen.push(name)
        if (name !== 'first') return
        await queue('second', 'key')
        throw new RetryLater(0)
      },
    })
    await runner.idle()
    expect(seen).toEqual(['first', 'second'])
    expect(await stored()).toEqual([])
  })

  it('releases its jobs when it stops, and the next runner claims them at once', async () => {
    await queue('ends with the signal')
    await queue('does not listen')
    const seen: string[] = []
    let release: () => void = () => {}
    const deaf = new Promise<void>((resolve) => {
      release = resolve
    })
    const first = await start({
      concurrency: 2,
      run: ({ name = '' }, signal) => {
        seen.push(name)
        if (name === 'does not listen') return deaf
        return new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('Stopped.')))
        })
      },
    })
    await expect.poll(() => seen.length).toBe(2)
    await first.stop(100)
    expect((await stored()).map(({ status, attempts }) => [status, attempts]).sort()).toEqual([
      ['queued', 0],
      ['running', 0],
    ])
    const again: string[] = []
    const second = await start({
      run: async ({ name = '' }) => {
        again.push(name)
      },
    })
    await second.idle()
    release()
    expect(again.sort()).toEqual(['does not listen', 'ends with the signal'])
    expect(await stored()).toEqual([])
  })

  it('runs a job again whose failure could not be stored', async () => {
    await queue()
    let broken = true
    const { db } = app
    const runner = await start({
      run: async () => {
        if (broken) throw new GiveUp('Broken.')
      },
      onGiveUp: async () => {
        throw new Error('The disk is full.')
      },
    })
    await runner.idle()
    broken = false
    expect(await stored()).toMatchObject([{ status: 'running' }])
    // The lease expires: nothing renews it.
    await db.write((tx) => tx.update(jobs).set({ leasedUntil: new Date(0) }))
    await runner.idle()
    expect(await stored()).toEqual([])
  })
})

describe('a crawl that fails for good', () => {
  it('sets a plain reason on its source, and can be restarted', async () => {
    const fetcher = {
      fetch: async () => {
        throw new Error('A fault of our own')
      },
    }
    const test = await createTestApp({}, { fetcher })
    try {
      const { id: orgId } = await test.app.services.organizations.create(system, { name: 'Fennel', entity_name: '' })
      const { id: collectionId } = await test.app.services.collections.create(system, orgId, {
        name: 'Pages',
        description: '',
      })
      const input = { type: 'domain' as const, name: '', url: 'http://127.0.0.1:9/' }
      const { id } = await test.app.services.sources.create(system, { organizationId: orgId, collectionId }, input)
      const source = () => test.app.services.sources.get(system, { organizationId: orgId, collectionId, sourceId: id })
      const allAttempts = async () => {
        for (let attempt = 0; attempt < 5; attempt++) {
          await test.app.db.write((tx) => tx.update(jobs).set({ runAfter: new Date(0) }))
          await test.runner.idle()
        }
      }
      await allAttempts()
      expect(await source()).toMatchObject({ status: 'fail', reason: 'crawl-failed', progress: null })
      expect((await source()).message).toContain('failed several times')
      const run = (await source()).last_run
      expect(run?.finished_at).not.toBeNull()
      const open = sql.raw('select * from visits where outcome is null')
      expect(await test.app.db.read.execute(open)).toEqual([])

      await test.app.services.runControl.refresh(
        system,
        { organizationId: orgId, collectionId, sourceId: id },
        { crawl: true, auto: false },
        { waitMs: 0 },
      )
      expect((await source()).status).toBe('processing')
      await allAttempts()
      expect(await source()).toMatchObject({ status: 'fail', reason: 'crawl-failed' })
      expect((await source()).last_run?.id).not.toBe(run?.id)
    } finally {
      await test.close()
    }
  })
})
