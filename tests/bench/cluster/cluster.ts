/**
 * Measures an installation of several processes with Debian's PostgreSQL and OpenSearch, all on this machine:
 *   npx tsx tests/bench/cluster/cluster.ts [numbers of workers, default 1,2,4]
 * Pages and embeddings a second with 1, 2 and 4 workers, whose sites answer after 150 ms; writing transactions a page; the
 * time from the response of a page to its first hit; searches a second with 1 and 2 apps; bytes a fragment in each store.
 * All processes, the sites and the client share the cores, so more workers show what waiting costs, not what cores add.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { whyNoServers } from '../../../scripts/lib/testing/servers.mjs'
import { createInstallation, type Installation } from '../../support/cluster/installation'
import { type Crawl, type Operator, signInOperator } from '../../support/cluster/operator'
import { startOpenSearch, startPostgres } from '../../support/cluster/servers'
import { linkedPages } from '../../support/sites/linked-pages'
import { startSite } from '../../support/sites/site'
import { until } from '../../support/until'
import { percentile } from '../percentiles'

const [numbers = '1,2,4'] = process.argv.slice(2)
const workerNumbers = numbers.split(',').map(Number)
const siteCount = 8
const pagesOfSite = 60
const answersAfterMs = 150
const searchMs = 10_000
const clients = 8
const patienceMs = 600_000

const missing = whyNoServers()
if (missing) console.log(missing)
else await main()

async function main(): Promise<void> {
  const [postgres, openSearch] = [await startPostgres(), await startOpenSearch()]
  const servers = { postgres: postgres.url, openSearch: openSearch.url }
  for (const workers of workerNumbers) {
    const cluster = await createInstallation(servers, {
      ...{ DEFAULT_PLAN: 'unlimited', ORGANIZATIONS_PER_PERSON: '100', API_REQUESTS_PER_MINUTE: '100000' },
    })
    await cluster.start('app')
    const operator = await signInOperator(cluster)
    for (let n = 0; n < workers; n++) await cluster.start('worker')
    const crawls = await measureCrawl(cluster, operator, workers)
    if (workers === workerNumbers[0]) await measureDelay(cluster, operator)
    if (workers === workerNumbers.at(-1)) {
      for (const member of cluster.members.filter(({ role }) => role === 'worker')) await cluster.end(member)
      await measureSearches(operator, crawls, 1)
      await cluster.start('app')
      await measureSearches(operator, crawls, 2)
      await measureBytes(cluster, openSearch.url)
    }
    await cluster.close()
  }
  await openSearch.stop()
  await postgres.stop()
}

async function measureCrawl(cluster: Installation, operator: Operator, workers: number): Promise<Crawl[]> {
  const sites = await Promise.all(
    Array.from({ length: siteCount }, () => startSite(linkedPages(pagesOfSite, () => {}, answersAfterMs))),
  )
  const before = await transactions(cluster)
  const startedAt = performance.now()
  const crawls = await Promise.all(sites.map((site, n) => operator.crawl(`Site ${n}`, site)))
  const secondsUntil = async (condition: string) => {
    await until(async () => (await cluster.query(`select 1 where ${condition}`)).length > 0, { patienceMs })
    return (performance.now() - startedAt) / 1000
  }
  const pages = siteCount * pagesOfSite
  const crawled = await secondsUntil(`not exists (select from runs where finished_at is null)
    and (select count(*) from addresses where fragments > 0) = ${pages}`)
  const written = (await transactions(cluster)) - before
  const embedded = await secondsUntil('not exists (select from fragments where vector_model is null)')
  const [row] = await cluster.query<{ fragments: number }>('select count(*)::int as fragments from fragments')
  const found = await secondsUntil('not exists (select from search_outbox)')
  console.log(
    `${workers} workers: ${(pages / crawled).toFixed(1)} pages/s, ${((row?.fragments ?? 0) / embedded).toFixed(1)} embeddings/s, all found after ${found.toFixed(1)} s, ${(written / pages).toFixed(1)} writing transactions a page`,
  )
  for (const site of sites) await site.close()
  return crawls
}

/** The number of transactions that have changed something. */
async function transactions(cluster: Installation): Promise<number> {
  const [row] = await cluster.query<{ id: string }>('select pg_current_xact_id()::text as id')
  return Number(row?.id)
}

/** From the response of a page to the first search that finds it. */
async function measureDelay(cluster: Installation, operator: Operator): Promise<void> {
  const times: number[] = []
  for (let n = 0; n < 20; n++) {
    const siteStartedAt = Date.now()
    const site = await startSite({
      '/': { body: `<main><h1>Page</h1><p>The word of this page is quokka${n}.</p></main>` },
    })
    const crawled = await operator.crawl(`Delay ${n}`, site)
    await until(async () => (await operator.search(crawled, `quokka${n}`)).length > 0)
    const page = site.requests.findLast(({ path }) => path === '/')
    times.push(Date.now() - siteStartedAt - (page?.at ?? 0))
    await site.close()
  }
  await until(async () => (await cluster.query('select 1 from search_outbox')).length === 0)
  console.log(`page to hit: p50 ${percentile(times, 0.5)}, p95 ${percentile(times, 0.95)}`)
}

async function measureSearches(operator: Operator, crawls: Crawl[], apps: number): Promise<void> {
  const times: number[] = []
  const words = ['harbor', 'lantern', 'meadow', 'violin', 'kettle', 'glacier']
  let n = 0
  const endsAt = performance.now() + searchMs
  async function client(): Promise<void> {
    while (performance.now() < endsAt) {
      const number = n++
      const crawled = crawls[number % crawls.length]
      if (!crawled) return
      const startedAt = performance.now()
      await operator.search(crawled, `${words[number % words.length]} on page ${number % pagesOfSite}`)
      times.push(performance.now() - startedAt)
    }
  }
  await sleep(1_000)
  await Promise.all(Array.from({ length: clients }, client))
  console.log(
    `${apps} apps, ${clients} clients: ${(times.length / (searchMs / 1000)).toFixed(1)} searches/s, p50 ${percentile(times, 0.5)}, p95 ${percentile(times, 0.95)}`,
  )
}

async function measureBytes(cluster: Installation, openSearch: string): Promise<void> {
  const prefix = cluster.environment.SEARCH_INDEX_PREFIX ?? ''
  await fetch(`${openSearch}/${prefix}-*/_forcemerge?max_num_segments=1`, { method: 'POST' })
  const stats: { indices: Record<string, { primaries: { store: { size_in_bytes: number } } }> } = await (
    await fetch(`${openSearch}/${prefix}-*/_stats/store`)
  ).json()
  const [row] = await cluster.query<Record<string, number>>(
    `select (select count(*)::int from fragments) as fragments,
      pg_total_relation_size('fragments')::int as rows, pg_total_relation_size('fragment_vectors')::int as vectors`,
  )
  const fragments = row?.fragments ?? 1
  const perFragment = (bytes: number) => Math.round(bytes / fragments)
  const indexes = Object.entries(stats.indices).map(
    ([name, { primaries }]) => `${name.replace(prefix, 'index')} ${perFragment(primaries.store.size_in_bytes)}`,
  )
  console.log(
    `${fragments} fragments, bytes of each: PostgreSQL rows ${perFragment(row?.rows ?? 0)}, vectors ${perFragment(row?.vectors ?? 0)}; OpenSearch: ${indexes.join(', ')}`,
  )
}
