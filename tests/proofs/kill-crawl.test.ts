import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { system } from '../../server/actor'
import type { App } from '../../server/app'
import { createTestApp, openTestApp, type TestApp } from '../support/app'
import { keysInTextIndex } from '../support/database/indexed-keys'
import { bundleCrawlProcess } from '../support/sites/crawl-process-bundle'
import { linkedPages } from '../support/sites/linked-pages'
import { type Site, startSite } from '../support/sites/site'
import { testRandom } from '../support/test-random'
import { until } from '../support/until'

const pages = 120
const kills = 10
/** Pages that one process reads at once: what is under way at its end is read again. */
const lanes = 4

let program: string
beforeAll(async () => {
  program = await bundleCrawlProcess()
})

let site: Site | undefined
let child: ChildProcess | undefined
let test: TestApp | undefined
afterEach(async () => {
  child?.kill('SIGKILL')
  await test?.close()
  test = undefined
  await site?.close()
  site = undefined
})

async function open(answers: Parameters<typeof startSite>[0]): Promise<Site> {
  site = await startSite(answers)
  return site
}

/** A data folder with a source that waits for somebody to crawl it. */
async function prepare(
  origin: string,
): Promise<{ dataDir: string; source: (app: App) => ReturnType<App['services']['sources']['get']> }> {
  const { app, dataDir } = await openTestApp()
  const { id: orgId } = await app.services.organizations.create(system, { name: 'Fennel', entity_name: '' })
  const { id: collectionId } = await app.services.collections.create(system, orgId, { name: 'Pages', description: '' })
  const input = { type: 'domain' as const, name: '', url: origin }
  const { id } = await app.services.sources.create(system, { organizationId: orgId, collectionId }, input)
  await app.close()
  return {
    dataDir,
    source: ({ services }) => services.sources.get(system, { organizationId: orgId, collectionId, sourceId: id }),
  }
}

async function crawlToTheEnd(dataDir: string): Promise<App> {
  test = await createTestApp({ DATA_DIR: dataDir })
  await test.runner.idle()
  return test.app
}

/** Starts a process on the data folder and kills it `delayMs` after `reached` says so. */
async function killAfter(
  dataDir: string,
  delayMs: number,
  reached: () => Promise<boolean> | boolean,
  ...more: string[]
) {
  const started = spawn(process.execPath, [program, dataDir, ...more], { stdio: ['ignore', 'pipe', 'inherit'] })
  child = started
  const ended = once(started, 'exit')
  await Promise.race([once(started.stdout, 'data'), ended])
  await until(async () => started.exitCode !== null || (await reached()), { everyMs: 5, patienceMs: 120_000 })
  await sleep(delayMs)
  expect(started.exitCode, 'the process is there to be killed').toBeNull()
  started.kill('SIGKILL')
  await ended
}

async function read<Row>({ db }: App, statement: string): Promise<Row[]> {
  return db.read.execute<Row>(sql.raw(statement))
}

async function fragmentsOf(app: App): Promise<string[]> {
  const rows = await read<{ url: string; ordinal: number; hash: string }>(
    app,
    'select url, ordinal, hash from fragments join addresses on addresses.id = address_id order by url, ordinal',
  )
  return rows.map(({ url, ordinal, hash }) => `${new URL(url).pathname} ${ordinal} ${hash}`)
}

describe('a crawl that is cut off', () => {
  it('ten times by kill -9 ends with every page once, and reads none again that was stored', async () => {
    const requests: { path: string; at: number }[] = []
    const reached = () => requests.length
    const { origin } = await open(linkedPages(pages, (path) => requests.push({ path, at: Date.now() }), 15))
    const whole = await crawlToTheEnd((await prepare(origin)).dataDir)
    const expected = await fragmentsOf(whole)
    expect(requests).toHaveLength(pages)
    expect(expected.length).toBeGreaterThan(2 * pages)
    await test?.close()
    requests.length = 0

    const { dataDir, source } = await prepare(origin)
    const random = testRandom()
    for (let kill = 0; kill < kills; kill++) {
      // Every other process gets to read something, the others end while they start; the last one finds pages left.
      const enough = reached() + 1 + Math.floor(random() * 12)
      if (kill % 2 === 0) await killAfter(dataDir, random() * 100, () => reached() >= enough)
      else await killAfter(dataDir, random() * 300, () => true)
    }
    const before = reached()
    expect(before).toBeLessThan(pages)
    // It ends where no job is due: what the killed process had taken is taken at once, not after its lease.
    const app = await crawlToTheEnd(dataDir)

    expect(await fragmentsOf(app)).toEqual(expected)
    const keys = await read<{ key: number }>(app, 'select key from fragments order by key')
    expect(keysInTextIndex(app.config.databaseFile)).toEqual(keys.map(({ key }) => key))
    expect(await read(app, 'select * from jobs')).toEqual([])
    expect(await source(app)).toMatchObject({
      status: 'idle',
      addresses: pages,
      // Each page was stored once, so none was read again after that.
      last_run: { checked: pages, fetched: pages, new: pages, failed: 0, fragments: expected.length },
    })
    expect((await source(app)).last_run?.finished_at).not.toBeNull()

    const addresses = await read<{ url: string; status: string; crawled_at: number }>(app, 'select * from addresses')
    expect(addresses.filter(({ status }) => status !== 'idle')).toEqual([])
    const storedAt = new Map(addresses.map(({ url, crawled_at }) => [new URL(url).pathname, crawled_at]))
    expect(requests.filter(({ path, at }) => at > (storedAt.get(path) ?? 0))).toEqual([])
    expect(new Set(requests.map(({ path }) => path)).size).toBe(pages)
    expect(requests.length).toBeLessThanOrEqual(pages + lanes * kills)
  })

  it('writes nothing if it is stopped longer than its lease and another process has taken it', async () => {
    const delayMs = 1_500
    const requests: string[] = []
    let verb = 'carries'
    const versionOf = (body: string) => body.replaceAll('carries', verb)
    const { origin } = await open(linkedPages(20, (path) => requests.push(path), delayMs, versionOf))
    const { dataDir, source } = await prepare(origin)
    const stalled = spawn(process.execPath, [program, dataDir, 'with-log'], { stdio: ['ignore', 'pipe', 'inherit'] })
    child = stalled
    const said: string[] = []
    stalled.stdout.setEncoding('utf8').on('data', (text: string) => said.push(text))
    await until(() => requests.length >= 6, { everyMs: 20, patienceMs: 60_000 })
    // While it waits for the site it does not write, so it is not stopped with the lock of the database.
    await sleep(delayMs / 2)
    stalled.kill('SIGSTOP')
    const asked = new Set(requests)
    // What it has asked for is answered, so that it has something to write when it continues.
    await sleep(delayMs)
    verb = 'steers'
    requests.length = 0

    test = await createTestApp({ DATA_DIR: dataDir })
    const { app } = test
    await until(async () => (await source(app)).last_run?.finished_at != null, { everyMs: 200, patienceMs: 90_000 })
    const fragments = await fragmentsOf(app)
    const report = (await source(app)).last_run
    const both = requests.filter((path) => asked.has(path))
    expect(both.length).toBeGreaterThan(0)

    stalled.kill('SIGCONT')
    await until(() => said.join('').includes('Another process has taken this run over.'), {
      ...{ everyMs: 50, patienceMs: 30_000 },
    })
    expect(await fragmentsOf(app)).toEqual(fragments)
    expect((await source(app)).last_run).toEqual(report)
    expect(report).toMatchObject({ checked: 20, new: 20, failed: 0, fragments: fragments.length })
    const texts = await read<{ url: string; text: string }>(
      app,
      'select url, group_concat(text) as text from fragments join addresses on addresses.id = address_id group by url',
    )
    const old = texts.filter(({ text }) => text.includes('carries')).map(({ url }) => new URL(url).pathname)
    expect(old.filter((path) => both.includes(path))).toEqual([])
    expect(await read(app, 'select * from jobs')).toEqual([])
  }, 180_000)

  it('has a vector for each fragment in the end if it was cut off while it embeds', async () => {
    const { origin } = await open(linkedPages(4, () => {}, 0))
    const { dataDir } = await prepare(origin)
    await crawlToTheEnd(dataDir)
    await test?.close()
    test = undefined
    const { app } = await openTestApp({ DATA_DIR: dataDir })
    try {
      const keys = (statement: string) => read<{ key: number }>(app, statement)
      const vectors = () => keys('select key from fragment_vectors order by key')
      const all = await keys('select key from fragments order by key')
      const random = testRandom()
      await killAfter(dataDir, 500 + random() * 2_000, () => true, 'with-model')
      expect(await vectors()).toEqual(
        await keys('select key from fragments where vector_model is not null order by key'),
      )
      await killAfter(dataDir, 0, async () => (await vectors()).length >= all.length, 'with-model')
      expect(await vectors()).toEqual(all)
    } finally {
      await app.close()
    }
  })
})
