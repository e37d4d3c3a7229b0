import { setTimeout as sleep } from 'node:timers/promises'
import type { AddressView } from '../../contract/views/address'
import type { SourceView } from '../../contract/views/source'
import { system } from '../../server/actor'
import { createSafeFetch } from '../../server/adapters/fetch/safe-fetch'
import { crawlLimits } from '../../server/engine/limits'
import { createTestApp, type TestApp } from '../support/app'
import { createCollection } from '../support/sites/crawl'
import type { Behaviour } from './behaviour'
import type { Host } from './hosts'

export interface Result {
  name: string
  expected: string
  got: string
  seconds: number
  /** Differences from the expectation. */
  differs: string[]
}

/**
 * Starts the product with its real fetcher, which reaches 127.0.0.1 and no other private address. Only the time limits
 * of requests are shorter (a sitemap's is 10 s); sizes are the real limits.
 */
export async function startProduct(requestMs: number, environment: Record<string, string> = {}): Promise<TestApp> {
  const { page, robots, sitemap } = crawlLimits.fetch
  const fetcher = createSafeFetch({
    allowPrivateNetworks: ['127.0.0.1'],
    userAgent: 'Sitelore/test (+http://localhost/help)',
    limits: {
      page: { ...page, totalMs: requestMs },
      robots: { ...robots, totalMs: requestMs },
      sitemap: { ...sitemap, totalMs: 10_000 },
    },
  })
  const test = await createTestApp({ CRAWL_DELAY_MS: '10', ...environment }, { fetcher })
  return {
    ...test,
    async close() {
      await test.close()
      await fetcher.close()
    },
  }
}

type Requests = () => Record<string, number> | Promise<Record<string, number>>

/** Adds a source for each behaviour at once, and waits until all are idle. */
export async function runBehaviours(
  test: TestApp,
  behaviours: Behaviour[],
  hosts: Host[],
  requests: Requests,
  limitMs: number,
): Promise<Result[]> {
  const collection = await createCollection({}, 'Hostile', test)
  const { orgId, collectionId } = collection
  const started = performance.now()

  async function measureBehaviour(behaviour: Behaviour): Promise<Result> {
    const host = hosts.find(({ name }) => name === behaviour.name)
    if (!host) throw new Error(`No host for '${behaviour.name}'.`)
    const url = host.origin + (behaviour.path ?? '/')
    const id = await collection.add({ type: behaviour.type, url, ...behaviour.options }, false)
    let source = await atRest(id)
    if (behaviour.secondRun) {
      const waitMs = 0
      await test.app.services.runControl.refresh(
        system,
        { organizationId: orgId, collectionId, sourceId: id },
        { crawl: true, auto: false },
        { waitMs },
      )
      source = await atRest(id)
    }
    const seconds = (performance.now() - started) / 1000
    const addresses = await addressesOf(id)
    const asked = (await requests())[behaviour.name] ?? 0
    const differs = compare(behaviour, source, addresses, asked)
    return { name: behaviour.name, expected: behaviour.source, got: stateOf(source), seconds, differs }
  }

  async function atRest(id: string): Promise<SourceView> {
    for (;;) {
      const source = await collection.source(id)
      const isAtRest = source.last_run?.finished_at && source.status !== 'processing' && source.status !== 'crawling'
      if (isAtRest || performance.now() - started > limitMs) return source
      await sleep(200)
    }
  }

  async function addressesOf(sourceId: string): Promise<Map<string, AddressView>> {
    const { docs } = await test.app.services.addresses.list(system, orgId, collectionId, {
      page: 1,
      limit: 100,
      sourceId,
    })
    return new Map(docs.map((address) => [pathOf(address.url), address]))
  }

  return Promise.all(behaviours.map(measureBehaviour))
}

function compare(
  behaviour: Behaviour,
  source: SourceView,
  addresses: Map<string, AddressView>,
  asked: number,
): string[] {
  const differs: string[] = []
  const check = (what: string, expected: string, got: string) => {
    if (expected !== got) differs.push(`${what} is ${got} instead of ${expected}`)
  }
  check('the source', behaviour.source, stateOf(source))
  if (source.reason && !source.message) differs.push('the source has a reason without a message')
  for (const [path, state] of Object.entries(behaviour.addresses ?? {})) {
    const address = addresses.get(path)
    check(path, state, address ? stateOf(address) : 'unknown')
  }
  const start = addresses.get(behaviour.path ?? '/')
  if (behaviour.title) check('the title', behaviour.title, start?.meta_title ?? 'none')
  if (behaviour.maxRequests !== undefined && asked > behaviour.maxRequests)
    differs.push(`${asked} requests, over ${behaviour.maxRequests}`)
  for (const part of behaviour.secondRun?.split(', ') ?? []) {
    const [name, count] = part.split(' ')
    check(`the second run's ${name}`, String(count), String(source.last_run?.[name as 'unchanged']))
  }
  return differs
}

function stateOf({ status, reason }: { status: string; reason: string | null }): string {
  return reason ? `${status} ${reason}` : status
}

function pathOf(address: string): string {
  const { pathname, search } = new URL(address)
  return pathname + search
}
