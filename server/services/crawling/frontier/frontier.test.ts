import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { addresses } from '../../../../db/schema/addresses'
import { openTestApp } from '../../../../tests/support/app'
import { system } from '../../../actor'
import type { App } from '../../../app'
import { refused } from '../../../engine/crawl/fetch/page-outcome'
import { type AddressRow, loadRun, type RunContext } from '../../runs/run-context'
import { usedInMonth } from '../../usage/quota'
import { decideChange } from '../pages/decide-change'

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
  const found = await loadRun(app.db.read, sourceId, lastRun?.id ?? '')
  if (!found) throw new Error('There is no run.')
  run = found
})
afterEach(async () => {
  vi.useRealTimers()
  await app.close()
})

async function claim(...paths: string[]): Promise<AddressRow[]> {
  const found = paths.map((path) => ({ url: site + path, depth: 0, discoveredFrom: `${site}/` }))
  await app.services.crawling.frontier.enqueue(run, found)
  const rows = await app.services.crawling.frontier.claim(run, paths.length)
  return rows === 'out-of-crawls' ? [] : rows
}

/** Crawls that January and February have counted. */
async function crawls(): Promise<number[]> {
  const { organizationId } = run.source
  return Promise.all([january, february].map((at) => usedInMonth(app.db.read, organizationId, 'crawls', at)))
}

it('gives crawls back to the month in which they were claimed', async () => {
  const [postponed, rejected] = await claim('/postponed', '/rejected', '/released')
  expect(await crawls()).toEqual([3, 0])
  vi.setSystemTime(february)
  await claim('/of-february')
  expect(await crawls()).toEqual([3, 1])
  if (!postponed || !rejected) throw new Error('Nothing was claimed.')

  await app.services.crawling.applyChange(run, postponed, { kind: 'postpone', afterMs: 60_000 })
  expect(await crawls()).toEqual([2, 1])

  const decided = decideChange(
    { source: run.source, address: rejected, retryDelaysMs: [] },
    refused('robots-disallowed'),
  )
  await app.services.crawling.applyChange(run, rejected, decided)
  expect(await crawls()).toEqual([1, 1])

  // A restart releases the claims of both months.
  await app.services.crawling.frontier.releaseClaims(run)
  expect(await crawls()).toEqual([0, 0])
  expect(await app.db.read.$count(addresses, eq(addresses.status, 'crawling'))).toBe(0)
})
