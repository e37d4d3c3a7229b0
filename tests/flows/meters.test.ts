import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { PlanLimit } from '../../contract/organizations/plan'
import { engine } from '../../db/engine'
import { addresses, visits } from '../../db/schema/addresses'
import { agents } from '../../db/schema/agents'
import { jobs } from '../../db/schema/jobs'
import { messages, threads } from '../../db/schema/threads'
import { visitorUsage } from '../../db/schema/usage'
import { type Actor, type KeyType, system } from '../../server/actor'
import { createChatStore } from '../../server/services/chat/chat-store'
import { type RunContext, takeRun } from '../../server/services/runs/run-context'
import { isClaimed, isWaiting } from '../../server/services/runs/visits'
import { createPerson } from '../support/people/people'
import { crawledSite } from '../support/sites/crawled-site'

const { collection: crawled, site, open } = crawledSite()
const services = () => crawled.test.app.services
const used = () => services().organizations.usage(system, crawled.orgId)
const meta = { origin: null, ip: null, userAgent: null }
const question = { prompt: 'Which lamp is bright?' }

/** Gives the organization a plan with one limit, of 100. */
async function limit(what: PlanLimit): Promise<void> {
  await services().plans.set(system, 'tested', { [what]: 100 })
  await services().plans.assign(system, crawled.orgId, 'tested')
}

/** Does it 1,000 times at once. Returns how often it succeeded, and the messages of the errors. */
async function thousandTimes(work: (n: number) => Promise<unknown>): Promise<{ done: number; errors: string[] }> {
  const results = await Promise.allSettled(Array.from({ length: 1_000 }, (_, n) => work(n)))
  const errors = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason.message)] : []))
  return { done: results.length - errors.length, errors: [...new Set(errors)] }
}

async function agentRow() {
  const input = { name: 'Guide', description: '', useDefaults: false }
  const { id } = await services().agents.create(system, crawled.orgId, input)
  const [row] = await crawled.test.app.db.read.select().from(agents).where(eq(agents.id, id))
  return row ?? expect.fail('no agent')
}

/** Each question begins a thread. */
async function saveThousandQuestions(keyType?: KeyType) {
  const { db } = crawled.test.app
  const { saveQuestion } = createChatStore({ db, organizations: services().organizations, visitorIp: 'short' })
  const agent = await agentRow()
  const caller: Actor = keyType
    ? { kind: 'key', keyType, organizationId: crawled.orgId, agentId: agent.id }
    : { kind: 'system' }
  return thousandTimes(() => saveQuestion(caller, agent, question, meta))
}

/** The waiting runs of ten sources, which nobody works on. */
async function waitingRuns(): Promise<RunContext[]> {
  const { db } = crawled.test.app
  await crawled.test.runner.stop()
  const runs: RunContext[] = []
  const place = { organizationId: crawled.orgId, collectionId: crawled.collectionId }
  for (let number = 0; number < 10; number++) {
    const url = `https://lamps-${number}.example/`
    await services().sources.create(system, place, { type: 'domain', name: '', url })
  }
  for (const { payload } of await db.read.select().from(jobs)) {
    const run = (await takeRun(db, payload.sourceId ?? '', payload.runId ?? '')) ?? expect.fail('no run')
    runs.push(run)
  }
  return runs
}

/** The addresses of a run's site with these numbers. */
const addressesOf = ({ source }: RunContext, numbers: number[]) =>
  numbers.map((n) => ({ url: `${source.url}${n}`, depth: 0, discoveredFrom: String(source.url) }))

// With servers, `tests/proofs/scale/counters.test.ts` does this with eight processes.
describe.runIf(engine === 'sqlite')('1,000 at once against a limit of 100 are exactly 100', () => {
  it('questions', async () => {
    await limit('messages')
    const { db } = crawled.test.app
    const { done, errors } = await saveThousandQuestions()
    expect([done, errors]).toEqual([100, ['All messages that are left are being answered. Try again in a moment.']])
    await db.write((tx) => tx.update(messages).set({ leasedUntil: null }))
    expect((await saveThousandQuestions()).errors).toEqual([
      expect.stringMatching(/^You can no longer send any more messages\. .*sitelore plans assign/),
    ])
    expect([await db.read.$count(messages), (await used()).messages]).toEqual([100, 100])
  })

  it.each(['searches', 'apiRequests'] as const)('%s', async (meter) => {
    const field = meter === 'searches' ? 'searches' : 'api_requests'
    await limit(field)
    const person = await createPerson(crawled.test.app, { [crawled.orgId]: 'viewer' })
    const { done, errors } = await thousandTimes(() =>
      services().monthlyLimits.count(person, crawled.orgId, meter, async () => {}),
    )
    expect([done, (await used())[field]]).toEqual([100, 100])
    expect(errors).toEqual([
      `Your plan allows 100 ${meter === 'searches' ? 'searches' : 'API requests'} a month; wait for the next month or ask the operator for a larger plan.`,
    ])
  })

  it.each(['messages', 'searches', 'apiRequests'] as const)('%s of visitors are a tenth of that', async (meter) => {
    const field = meter === 'apiRequests' ? 'api_requests' : meter
    await limit(field)
    const { monthlyLimits } = services()
    const visitor = { kind: 'key', keyType: 'public', organizationId: crawled.orgId, agentId: 'a' } as const
    const { done, errors } =
      meter === 'messages'
        ? await saveThousandQuestions('public')
        : await thousandTimes(() => monthlyLimits.count(visitor, crawled.orgId, meter, async () => {}))
    expect([done, (await used())[field]]).toEqual([10, 10])
    expect(errors).toEqual(['This website has reached its limit for today. Try again tomorrow.'])
    // The organization's own people and programs go on, and the next day its visitors do.
    const person = await createPerson(crawled.test.app, { [crawled.orgId]: 'viewer' })
    if (meter === 'messages') return expect((await saveThousandQuestions()).done).toBe(90)
    await monthlyLimits.count(person, crawled.orgId, meter, async () => {})
    await monthlyLimits.count({ ...visitor, keyType: 'private' }, crawled.orgId, meter, async () => {})
    await crawled.test.app.db.writeOne((tx) => tx.update(visitorUsage).set({ day: '2026-01-31' }))
    await monthlyLimits.count(visitor, crawled.orgId, meter, async () => {})
    expect((await used())[field]).toBe(13)
  })

  it('threads', async () => {
    await limit('threads')
    const { db } = crawled.test.app
    const { done, errors } = await saveThousandQuestions()
    expect([done, errors]).toEqual([
      100,
      [expect.stringMatching(/^Your plan allows 100 threads; delete one or .*sitelore plans assign/)],
    ])
    expect(await db.read.$count(threads)).toBe(100)
    // A question that is refused counts as no message.
    expect(await used()).toMatchObject({ threads: 100, messages: 100 })
  })

  it('addresses', async () => {
    await limit('urls')
    const runs = await waitingRuns()
    const { frontier } = services().crawling
    const { done, errors } = await thousandTimes((n) => {
      const run = runs[n % runs.length] ?? expect.fail('no run')
      return frontier.enqueue(run, addressesOf(run, [n]))
    })
    expect([done, errors]).toEqual([1_000, []])
    const { read } = crawled.test.app.db
    const counts = [read.$count(visits, isWaiting()), read.$count(addresses, eq(addresses.reason, 'over-limit'))]
    expect(await Promise.all(counts)).toEqual([100, 900])
    expect((await used()).urls).toBe(100)
  })

  it('crawls', async () => {
    await limit('crawls')
    const runs = await waitingRuns()
    const { frontier } = services().crawling
    const hundred = Array.from({ length: 100 }, (_, n) => n)
    for (const run of runs) await frontier.enqueue(run, addressesOf(run, hundred))
    let claimed = 0
    await thousandTimes(async (n) => {
      const run = runs[n % runs.length] ?? expect.fail('no run')
      const rows = await frontier.claim(run, 1)
      if (rows !== 'out-of-crawls') claimed += rows.length
    })
    const crawling = await crawled.test.app.db.read.$count(visits, isClaimed())
    expect([claimed, crawling, (await used()).crawls]).toEqual([100, 100, 100])
  })
})

describe('one crawl', () => {
  const page = (title: string) =>
    `<html lang="en"><title>${title}</title><main><p>All about ${title}.</p></main></html>`

  it('is one address that is fetched, also if it has not changed, and nothing that is only looked up', async () => {
    const map = '<urlset><url><loc>{origin}/a</loc></url><url><loc>{origin}/b</loc></url></urlset>'
    await open({ '/map.xml': map, '/a': page('Alpha'), '/b': page('Beta') })
    const id = await crawled.add({ type: 'sitemap', url: `${site.origin}/map.xml` })
    expect((await used()).crawls).toBe(2)
    await crawled.refresh(id)
    expect(await crawled.source(id)).toMatchObject({ last_run: { unchanged: 2, changed: 0 } })
    expect(site.requests.filter(({ headers }) => headers['if-none-match'])).not.toEqual([])
    expect((await used()).crawls).toBe(4)
  })
})

it('what is deleted lowers no month', async () => {
  await open({ '/': '<title>Lamps</title><main><p>All of our lamps.</p></main>' })
  const sourceId = await crawled.add({ type: 'url', url: `${site.origin}/` })
  const { db } = crawled.test.app
  const { saveQuestion } = createChatStore({ db, organizations: services().organizations, visitorIp: 'short' })
  const { threadId } = await saveQuestion(system, await agentRow(), question, meta)
  await services().search.collection(system, crawled.orgId, { collectionId: crawled.collectionId, query: 'lamp' })
  const month = { crawls: 1, messages: 1, searches: 1 }
  expect(await used()).toMatchObject({ ...month, threads: 1, sources: 1, urls: 1, collections: 1 })

  const place = { organizationId: crawled.orgId, collectionId: crawled.collectionId }
  await services().threads.remove(system, { organizationId: crawled.orgId, threadId })
  await services().sources.remove(system, { ...place, sourceId })
  await crawled.test.runner.idle()
  expect(await used()).toMatchObject({ ...month, threads: 0, sources: 0, urls: 0 })
  // The sources of a deleted collection no longer count, before they are purged.
  await crawled.add({ type: 'url', url: `${site.origin}/` })
  await crawled.test.runner.stop()
  await services().collections.remove(system, crawled.orgId, crawled.collectionId)
  expect(await used()).toMatchObject({ ...month, crawls: 2, collections: 0, sources: 0, urls: 0 })
})
