import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { visits } from '../../../../db/schema/addresses'
import { openTestApp } from '../../../../tests/support/app'
import { system } from '../../../actor'
import type { App } from '../../../app'
import { refused } from '../../../engine/crawl/fetch/page-outcome'
import { type RunContext, takeRun } from '../../runs/run-context'
import { isClaimed } from '../../runs/visits'
import { usedInMonth } from '../../usage/quota'
import type { Visit } from './frontier'

const site = 'http://127.0.0.1:9'
const january = new Date('2031-01-31T23:59:58Z')
const february = new Date('2031-02-01T00:00:02Z')
let app: App
let run: RunContext
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: january })
  app = (await openTestApp()).app
  const { id: organizationId } = await app.services.organizations.create(system, { name: 'Fennel', entity_name: '' })
  const named = { name: 'Pages', description: '' }
  const { id: collectionId } = await app.services.collections.create(system, organizationId, named)
  const input = { type: 'domain' as const, name: '', url: `${site}/` }
  const ref = { organizationId, collectionId }
  const { id: sourceId } = await app.services.sources.create(system, ref, input)
  const { last_run: lastRun } = await app.services.sources.get(system, { ...ref, sourceId })
  const found = await takeRun(app.db, sourceId, lastRun?.id ?? '')
  if (!found) throw new Error('There is no run.')
  run = found
})
afterEach(async () => {
  vi.useRealTimers()
  await app.close()
})

async function claim(...paths: string[]): Promise<Visit[]> {
  const found = paths.map((path) => ({ url: site + path, depth: 0, discoveredFrom: `${site}/` }))
  await app.services.crawling.frontier.enqueue(run, found)
  const rows = await app.services.crawling.frontier.claim(run, paths.length)
  return rows === 'out-of-crawls' ? [] : rows
}

/** Crawls that January and February have counted. */
async function crawls(): Promise<number[]> {
  const { organizationId } = run.source
  return Promise.all([january, february].map((time) => usedInMonth(app.db.read, organizationId, 'crawls', time)))
}

it('gives crawls back to the month in which they were claimed', async () => {
  const [postponed, rejected] = await claim('/postponed', '/rejected', '/released')
  expect(await crawls()).toEqual([3, 0])
  vi.setSystemTime(february)
  await claim('/of-february')
  expect(await crawls()).toEqual([3, 1])
  if (!postponed || !rejected) throw new Error('Nothing was claimed.')

  const { applyVisit, frontier } = app.services.crawling
  const paused = { ...refused('rate-limited'), retryAfterMs: 60_000 }
  await applyVisit(run, postponed, paused)
  expect(await crawls()).toEqual([2, 1])

  await applyVisit(run, rejected, refused('robots-disallowed'))
  expect(await crawls()).toEqual([1, 1])

  // Who continues the run releases the claims of both months.
  const next = (await takeRun(app.db, run.source.id, run.runId)) ?? expect.fail('There is no run.')
  await frontier.releaseClaims(next)
  expect(await crawls()).toEqual([0, 0])
  expect(await app.db.read.$count(visits, isClaimed())).toBe(0)
})
