import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { whyNoServers } from '../../../scripts/lib/testing/servers.mjs'
import { createInstallation, type Installation } from '../../support/cluster/installation'
import { runKilledOnce } from '../../support/cluster/killed-command'
import { type Crawl, type Operator, signInOperator } from '../../support/cluster/operator'
import { type StartedServer, startOpenSearch, startPostgres } from '../../support/cluster/servers'
import { startVisitors } from '../../support/cluster/visitors'
import { type Provider, startProvider } from '../../support/providers/provider'
import { linkedPages } from '../../support/sites/linked-pages'
import { type Site, startSite } from '../../support/sites/site'
import { until } from '../../support/until'
import { startBuiltServer } from '../../support/web/server'

const missing = whyNoServers()
const delayMs = 60
/** 40 sites and three minutes of kills with SCALE_PROOF=full, which continuous integration has no time for. */
const isFull = process.env.SCALE_PROOF === 'full'
const siteCount = isFull ? 40 : 8
const kills = isFull ? 36 : 6
const killEveryMs = isFull ? 5_000 : 4_000

describe.skipIf(missing)(`apps and workers on several machines${missing ? ` (skipped: ${missing})` : ''}`, () => {
  let postgres: StartedServer
  let openSearch: StartedServer
  let cluster: Installation
  let provider: Provider
  let operator: Operator
  const sites: Site[] = []

  beforeAll(async () => {
    postgres = await startPostgres()
    openSearch = await startOpenSearch()
    provider = await startProvider({ keys: ['key-of-the-test'] })
    cluster = await createInstallation(
      { postgres: postgres.url, openSearch: openSearch.url },
      {
        OPENAI_API_KEY: 'key-of-the-test',
        OPENAI_BASE_URL: provider.baseUrl,
        DEFAULT_PLAN: 'unlimited',
        ORGANIZATIONS_PER_PERSON: '100',
        CRAWL_DELAY_MS: String(delayMs),
      },
    )
    // They wait for the one that makes the tables.
    await Promise.all([cluster.start('app'), cluster.start('app'), cluster.start('worker'), cluster.start('worker')])
  })
  afterAll(async () => {
    for (const site of sites) await site.close()
    await cluster?.close()
    await provider?.close()
    await openSearch?.stop()
    await postgres?.stop()
  })

  async function newSite(pages: number, answersAfterMs: number): Promise<Site> {
    const site = await startSite(linkedPages(pages, () => {}, answersAfterMs))
    sites.push(site)
    return site
  }

  const finished = async (crawls: Crawl[]) => {
    const ids = crawls.map(({ source }) => source)
    const rows = await cluster.query<{ id: string }>(
      `select s.id from sources s where id = any($1) and status = 'idle'
        and not exists (select 1 from runs r where r.source_id = s.id and r.finished_at is null)`,
      [ids],
    )
    return rows.length === ids.length
  }

  const isAtRest = async () => {
    const left = await cluster.query(
      `select id from jobs where status in ('queued', 'running') union all select collection_id from search_outbox
        union all select id from messages where leased_until is not null`,
    )
    return left.length === 0
  }

  const pagesOf = async ({ source }: Crawl) => {
    const rows = await cluster.query<{ url: string }>(
      'select url from addresses where source_id = $1 and fragments > 0 order by url',
      [source],
    )
    return rows.map(({ url }) => url)
  }

  it('sign people in, whichever app serves each of the requests', async () => {
    operator = await signInOperator(cluster)
    expect(await operator.call('GET', '/v1/auth/me')).toMatchObject({ user: { email: 'ada@example.test' } })
  })

  it('find what was crawled', async () => {
    const site = await newSite(20, 5)
    const crawled = await operator.crawl('Fennel', site)
    await until(() => finished([crawled]))
    expect(await pagesOf(crawled)).toHaveLength(20)
    await until(async () =>
      (await operator.search(crawled, 'harbor on page 19')).some((link) => link.includes('/pages/19')),
    )
    // A typing error is corrected from the terms of the collection.
    expect(await operator.search(crawled, 'compas on page 19')).not.toEqual([])
  })

  it('ask a host one request at a time, with its delay, for ten organizations', async () => {
    const site = await newSite(12, 10)
    const workers = [await cluster.start('worker'), await cluster.start('worker')]
    const crawls = await Promise.all(Array.from({ length: 10 }, (_, n) => operator.crawl(`Organization ${n}`, site)))
    await until(() => finished(crawls), { patienceMs: 300_000 })
    for (const crawled of crawls) expect(await pagesOf(crawled)).toHaveLength(12)
    const times = site.requests.map(({ at }) => at).sort((first, second) => first - second)
    const gaps = times.slice(1).map((at, n) => at - (times[n] ?? 0))
    // Measured by the site, to which the request travels: a millisecond is the resolution of its clock.
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(delayMs - 1)
    for (const worker of workers) await cluster.end(worker)
  })

  it('admit exactly 600 requests a minute of a token over three apps', async () => {
    const third = await cluster.start('app')
    const limited = (await cluster.command('token', 'create', 'ada@example.test', '--name', 'limited')).trim()
    const ask = async () =>
      (await fetch(`${cluster.origin}/v1/auth/me`, { headers: { authorization: `Bearer ${limited}` } })).status
    const statuses: number[] = []
    for (let round = 0; round < 35; round++) statuses.push(...(await Promise.all(Array.from({ length: 20 }, ask))))
    expect(statuses.filter((status) => status === 200)).toHaveLength(600)
    expect(statuses.filter((status) => status === 429)).toHaveLength(100)
    await cluster.end(third)
  })

  it('read every page once and answer while any process is killed', async () => {
    const sitesToRead = await Promise.all(Array.from({ length: siteCount }, () => newSite(40, 20)))
    const crawls = await Promise.all(sitesToRead.map((site, n) => operator.crawl(`Killed ${n}`, site)))
    const [first] = crawls
    if (!first) throw new Error('There is no site.')
    const { organization, collection } = first
    const { agent } = await operator.call<{ agent: { id: string } }>('POST', `/v1/${organization}/agents`, {
      ...{ name: 'Agent', description: '', useDefaults: true, collectionId: collection },
    })
    await until(async () => (await operator.search(first, 'harbor')).length > 0)
    const visitors = startVisitors({
      ...{ origin: cluster.origin, token: operator.token, organization, collection, agent: agent.id, pauseMs: 1_000 },
    })
    for (let kill = 0; kill < kills; kill++) {
      await sleep(killEveryMs)
      const victim = cluster.members[kill % cluster.members.length]
      if (!victim) continue
      await cluster.end(victim, 'SIGKILL')
      await cluster.start(victim.role)
    }
    await visitors.stop()
    await until(() => finished(crawls), { patienceMs: 600_000 })
    await until(isAtRest, { patienceMs: 300_000 })
    for (const crawled of crawls)
      expect((await pagesOf(crawled)).filter((url) => url.startsWith('http'))).toHaveLength(40)
    // A question whose app was killed before any text of the answer was stored has failed (status 0), and is given back.
    const [meters] = await cluster.query<Record<string, number>>(
      `select (select sum(crawls)::int from usage where organization_id = any($1)) as counted,
        (select count(*)::int from addresses where organization_id = any($1) and crawled_at is not null) as read,
        (select sum(messages)::int from usage where organization_id = any($1)) as counted_questions,
        (select count(*)::int from messages m join threads t on t.id = m.thread_id
          where t.organization_id = any($1) and m.role = 'user' and m.status <> 0) as questions`,
      [crawls.map((crawled) => crawled.organization)],
    )
    expect(meters?.counted).toBe(meters?.read)
    expect(meters?.counted_questions).toBe(meters?.questions)
    expect(visitors.unexpected).toEqual([])
    expect(visitors.answered).toBeGreaterThan(kills)
    const files = await cluster.query<{ name: string }>(
      `select f.name from files f join addresses a on a.source_id = f.source_id and a.fragments > 0
        where f.organization_id = $1`,
      [organization],
    )
    expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining(visitors.uploaded))
    console.log(
      `${kills} kills, ${crawls.length} sites: ${visitors.answered} answers, ${visitors.interrupted} interrupted, ${visitors.uploaded.length} files`,
    )
    await until(async () => (await cluster.query('select 1 from search_outbox')).length === 0)
    for (const [n, crawled] of crawls.entries()) {
      await until(async () => (await operator.search(crawled, 'harbor on page 39')).length > 0)
      const links = await operator.search(crawled, 'harbor on page 39')
      expect(links.every((link) => link.startsWith(sitesToRead[n]?.origin ?? ''))).toBe(true)
    }
  })

  it('go on when PostgreSQL was restarted', async () => {
    const site = await newSite(30, 20)
    const crawled = await operator.crawl('Restarted', site)
    await until(async () => (await pagesOf(crawled)).length > 3)
    await postgres.restart()
    await until(() => finished([crawled]).catch(() => false), { patienceMs: 120_000 })
    const unread = await cluster.query(
      'select url, status, reason, message from addresses where source_id = $1 and fragments = 0',
      [crawled.source],
    )
    expect(unread).toEqual([])
    expect(await pagesOf(crawled)).toHaveLength(30)
    const ended = cluster.members.filter(({ process: { exitCode } }) => exitCode !== null)
    expect(ended.map(({ printed }) => printed())).toEqual([])
  })

  it('lose nothing when OpenSearch is full, closed, frozen or empty, and say so', async () => {
    const site = await newSite(10, 5)
    const crawled = await operator.crawl('Lost', site)
    await until(() => finished([crawled]))
    await until(async () => (await operator.search(crawled, 'harbor on page 9')).length > 0)
    // What is still delivered would make an empty index at once.
    await until(isAtRest)
    const searchOnce = () =>
      fetch(`${cluster.origin}/v1/${crawled.organization}/search?collectionId=${crawled.collection}&query=harbor`, {
        headers: { authorization: `Bearer ${operator.token}` },
      })
    const set = (path: string, body: object) =>
      fetch(`${openSearch.url}/${path}`, {
        method: path.endsWith('_settings') ? 'PUT' : 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })

    // What OpenSearch does by itself when its disk is full.
    await set('_all/_settings', { 'index.blocks.read_only_allow_delete': true })
    const whileFull = await operator.crawl('While full', await newSite(10, 5))
    await until(() => finished([whileFull]))
    expect((await searchOnce()).status).toBe(200)
    expect(await isAtRest()).toBe(false)
    await set('_all/_settings', { 'index.blocks.read_only_allow_delete': null })
    await until(isAtRest, { patienceMs: 90_000 })
    await until(async () => (await operator.search(whileFull, 'harbor on page 9')).length > 0)

    await set('_all/_close', {})
    expect((await searchOnce()).status).toBe(503)
    await set('_all/_open', {})
    await until(async () => (await searchOnce()).status === 200)

    const thaw = openSearch.freeze()
    expect((await searchOnce()).status).toBe(503)
    thaw()
    await until(async () => (await searchOnce()).status === 200)

    await fetch(`${openSearch.url}/*`, { method: 'DELETE' })
    const response = await searchOnce()
    expect(response.status).toBe(503)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    // An earlier rebuild was interrupted, and its index is lost, too.
    await cluster.query(
      `insert into settings (name, value) values ('search-index-rebuild', '{"after":1000000,"written":1}')`,
    )
    await cluster.command('search-index', 'rebuild')
    await until(async () =>
      (await operator.search(crawled, 'harbor on page 9')).some((link) => link.includes('/pages/9')),
    )
  })

  it('lose no request while every process is replaced', async () => {
    let isOver = false
    const failures: string[] = []
    let requests = 0
    const asking = (async () => {
      while (!isOver) {
        requests++
        const response = await fetch(`${cluster.origin}/healthz`).catch((error: Error) => error)
        if (response instanceof Error) failures.push(response.message)
        else if (!response.ok) failures.push(String(response.status))
        await sleep(5)
      }
    })()
    for (const member of [...cluster.members]) {
      await cluster.start(member.role)
      await cluster.end(member)
    }
    isOver = true
    await asking
    expect(requests).toBeGreaterThan(100)
    expect(failures).toEqual([])
  })

  it('back up files and secrets, and restore the files that were lost', async () => {
    const archive = join(mkdtempSync(join(tmpdir(), 'sitelore-backup-')), 'files.tar.gz')
    expect(await cluster.command('backup', '--to', archive)).toContain('The database is not in it.')
    const folder = cluster.environment.FILES ?? ''
    const stored = () => readdirSync(folder).filter((name) => name !== 'incoming')
    const [lost = '', ...kept] = stored()
    const content = readFileSync(join(folder, lost))
    rmSync(join(folder, lost))
    expect(await cluster.command('restore', archive)).toContain('Restored 1 missing file of')
    expect(stored().sort()).toEqual([lost, ...kept].sort())
    expect(readFileSync(join(folder, lost))).toEqual(content)
  })

  it('move to one machine and on to new servers, also when the move is killed', async () => {
    const crawled = await operator.crawl('Moved', await newSite(30, 5))
    await until(() => finished([crawled]))
    await until(isAtRest)
    const firstOf = async (origin?: string) =>
      (await operator.search(crawled, 'harbor on page 29', origin)).slice(0, 3).sort()
    // OpenSearch finds what was delivered a second later.
    await until(async () => {
      const links = await firstOf()
      return links.length > 0 && links.every((link) => link.includes('/pages/29'))
    })
    const before = await firstOf()
    const { fragments } =
      (await cluster.query<{ fragments: number }>('select count(*) as fragments from fragments'))[0] ?? {}
    for (const member of [...cluster.members]) await cluster.end(member)

    const folder = mkdtempSync(join(tmpdir(), 'sitelore-moved-'))
    const old: NodeJS.ProcessEnv = { ...cluster.environment, DATA_DIR: join(folder, 'command') }
    const there = await runKilledOnce(old, 'move', '--to', join(folder, 'data'))
    expect(there).toMatch(/^Moved \d+ rows of \d+ tables and \d+ files in \d+ s\. All were read back and compared\.$/m)
    const server = await startBuiltServer({ DATA_DIR: join(folder, 'data') })
    // The keyword index is filled after the start.
    await until(async () => isDeepStrictEqual(await firstOf(server.origin), before))
    expect(await server.stop()).toBe(0)

    const { SITELORE_SECRET_COOKIE = '', SITELORE_SECRET_SIGNING = '', SITELORE_SECRET_SEALING = '' } = old
    const secrets = { SITELORE_SECRET_COOKIE, SITELORE_SECRET_SIGNING, SITELORE_SECRET_SEALING }
    const second = await createInstallation({ postgres: postgres.url, openSearch: openSearch.url }, secrets)
    const { DATABASE_URL = '', SEARCH_URL = '', FILES = '', SEARCH_INDEX_PREFIX } = second.environment
    const moving = { ...process.env, DATA_DIR: join(folder, 'data'), SEARCH_INDEX_PREFIX }
    await runKilledOnce(moving, 'move', '--to', DATABASE_URL, SEARCH_URL, FILES)
    await second.start('worker')
    await until(async () => (await second.query('select key from search_outbox')).length === 0)
    await second.start('app')
    expect(await firstOf(second.origin)).toEqual(before)
    expect(await second.query('select count(*) as fragments from fragments')).toEqual([{ fragments }])
    await second.close()
  })
})
