/**
 * Measures how long the built server takes for pages of the dashboard and of the back office, one request after another,
 * with 100 collections, 100,000 addresses and 100,000 answered threads:
 * npm run bench -- pages [--rounds 60]
 * Prints p50 and p95 of the elapsed time, the ratio of p95 to its limit, then p50 and p95 of the processor time of server
 * and client together, which other programs on the machine affect less. The exit code is 1 if a page takes longer.
 */
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { eq, sql } from 'drizzle-orm'
import { messageStatuses } from '../../../contract/values/enumerations'
import { addresses } from '../../../db/schema/addresses'
import { threads } from '../../../db/schema/threads'
import { ensureBuilt } from '../../../scripts/lib/build.mjs'
import { system } from '../../../server/actor'
import type { App } from '../../../server/app'
import { builtAssets, createServer } from '../../../server/http/create-server'
import { openTestApp } from '../../support/app'
import { startSession } from '../../support/people/credentials'
import { createPerson } from '../../support/people/people'
import { percentile, timesOf } from '../percentiles'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '60' } } })
const rounds = Number(values.rounds)
const port = 3978
const total = { organizations: 50, collections: 100, addresses: 100_000, threads: 100_000, users: 2_000 }
/** Milliseconds of the 95th percentile. */
const limits = { dashboard: 60, admin: 50 }
const dayMs = 24 * 3_600_000

await ensureBuilt(['pages'])
const { app } = await openTestApp({ LOG_LEVEL: 'warn', PORT: String(port) })
try {
  const ids = await seed(app)
  const server = await listen(app)
  let isSlow = false
  for (const [path, limit] of pagesOf(ids)) {
    const ask = async (address: string) => {
      const response = await fetch(app.config.publicUrl + address, {
        headers: { cookie: ids.cookie },
        redirect: 'manual',
      })
      await response.text()
      if (response.status !== 200) throw new Error(`${address} responds ${response.status}.`)
    }
    await timesOf(5, () => ask(path(0)))
    const cpuTimes: number[] = []
    const times = await timesOf(rounds, async (round) => {
      const before = process.cpuUsage()
      await ask(path(round))
      const { user, system } = process.cpuUsage(before)
      cpuTimes.push((user + system) / 1000)
    })
    const p95 = Number.parseFloat(percentile(times, 0.95))
    const columns = [
      percentile(times, 0.5),
      percentile(times, 0.95),
      `${(p95 / limit).toFixed(2)} of ${limit} ms`,
      percentile(cpuTimes, 0.5),
      percentile(cpuTimes, 0.95),
    ]
    process.stdout.write(`${columns.map((column) => column.padStart(16)).join('')}  ${path(0)}\n`)
    isSlow ||= p95 > limit
  }
  server.closeAllConnections()
  await new Promise((closed) => server.close(closed))
  process.exitCode = isSlow ? 1 : 0
} finally {
  await app.close()
}

interface Ids {
  cookie: string
  organization: string
  collection: string
  source: string
  address: string
  agent: string
  thread: string
  person: string
}

function pagesOf({
  organization,
  collection,
  source,
  address,
  agent,
  thread,
  person,
}: Ids): [path: (round: number) => string, limit: number][] {
  const dashboard = [
    '',
    '/collections',
    `/collection/${collection}`,
    `/collection/${collection}/source/${source}`,
    `/collection/${collection}/address/${address}`,
    '/agents',
    ...['', '/ai', '/api', '/widget', '/demo-search', `?thread=${thread}`].map((tab) => `/agent/${agent}${tab}`),
    '/threads',
    `/threads/${thread}`,
    '/members',
    '/audit',
    '/account',
  ].map((path) => `/dashboard${path}`)
  const filtered = [
    `sources?organization_id=${organization}`,
    `urls?organization_id=${organization}`,
    `urls?collection_id=${collection}`,
    `urls?source_id=${source}`,
    `urls?created_by=${person}`,
    `threads?organization_id=${organization}`,
    `threads?created_by=${person}`,
  ]
  const lists = ['users', 'organizations', 'agents', 'collections', 'sources', 'urls', 'threads']
  const admin = [...lists, ...filtered, 'users?sort=email', 'urls?sort=created_at', 'threads?sort=created_at']
  return [
    ...dashboard.map((path) => [() => path, limits.dashboard] as [() => string, number]),
    [() => '/admin', limits.admin],
    ...admin.map((path) => [() => `/admin/${path}`, limits.admin] as [() => string, number]),
    // Any page of the long lists, the last ones included.
    ...['urls', 'threads'].map((name) => {
      const page = (round: number) => 1 + ((round * 997) % (total.addresses / 25))
      return [(round: number) => `/admin/${name}?page=${page(round)}`, limits.admin] as [
        (round: number) => string,
        number,
      ]
    }),
  ]
}

async function listen(app: App) {
  const folder = resolve('build')
  const build = await import(join(folder, 'server/index.js'))
  const edge = { build, assets: builtAssets(join(folder, 'client')), widgetFolder: join(folder, 'widget') }
  const server = await createServer(app, { ...edge, development: false })
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
  return server
}

/** Half of the addresses are in the first collection, and most threads are of the first organization. */
async function seed(app: App): Promise<Ids> {
  const staff = await createPerson(app, {}, { staff: true })
  const answers = {
    goals: ['just_trying'],
    sector: 'retail',
    position: 'sales',
    size: 'Solo (1)' as const,
    source: 'search',
  }
  let organization = ''
  for (let number = total.organizations; number > 0; number--) {
    const input = { name: `Organization ${number}`, entity_name: '' }
    organization = (await app.services.organizations.create(staff, input)).id
  }
  await app.services.organizations.onboard(system, organization, answers)
  const agent = await app.services.agents.create(system, organization, {
    name: 'Guide',
    description: '',
    useDefaults: true,
  })
  const now = Date.now()
  const firstAt = now - 300 * dayMs
  const numbers = (count: number) =>
    sql.raw(`with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ${count - 1})`)
  const statements = [
    sql`insert into users (id, email, email_normalized, issuer, subject, type, created_at) ${numbers(total.users)}
      select 'u' || n, n || '@example.com', n || '@example.com', 'bench', 'u' || n, 0, ${firstAt} + n * 1000000 from numbers`,
    sql`insert into collections (id, organization_id, name, description, created_by, created_at) ${numbers(total.collections)}
      select 'c' || n, ${organization}, 'Collection ' || n, '', ${staff.userId}, ${firstAt} + n * 1000000 from numbers`,
    sql`insert into sources (id, organization_id, collection_id, type, name, status, url, include, exclude,
        include_selectors, exclude_selectors, refresh_interval, created_by, created_at) ${numbers(total.collections)}
      select 's' || n, ${organization}, 'c' || n, 'domain', 'Source ' || n, 'idle', 'https://' || n || '.example/',
        '[]', '[]', '[]', '[]', 'weekly', ${staff.userId}, ${firstAt} + n * 1000000 from numbers`,
    sql`insert into addresses (id, organization_id, collection_id, source_id, url, status, meta_title, fragments,
        text_hash, crawled_at, updated_at, created_at) ${numbers(total.addresses)}
      select lower(hex(randomblob(16))), ${organization}, 'c' || c, 's' || c, 'https://' || c || '.example/pages/' || n,
        'idle', 'Page ' || n, 1, lower(hex(randomblob(32))), ${now}, ${now}, ${firstAt} + n * 250000
      from (select n, case when n % 2 then 0 else n / 2 % 100 end as c from numbers)`,
    sql`insert into fragments (id, organization_id, collection_id, source_id, address_id, ordinal, title, headings, text,
        hash, tokens, vector_model, created_at)
      select lower(hex(randomblob(16))), organization_id, collection_id, source_id, id, 0, meta_title, '',
        hex(randomblob(200)), text_hash, 120, 'bench', created_at from addresses`,
    sql`insert into threads (id, organization_id, agent_id, title, created_by, meta_ip, meta_user_agent, created_at)
        ${numbers(total.threads)}
      select lower(hex(randomblob(20))), ${organization}, ${agent.id}, 'Question ' || n,
        case when n % 1000 then null else ${staff.userId} end, '203.0.113.7', 'Mozilla/5.0 (X11; Linux x86_64)',
        ${firstAt} + n * 250000 from numbers`,
    sql`insert into messages (id, thread_id, role, content, status, fragments, candidates, cited, created_at)
      select lower(hex(randomblob(16))), id, 'user', title, ${messageStatuses.sent}, '[]', '[]', '[]', created_at
        from threads`,
    sql`insert into messages (id, thread_id, role, content, status, fragments, candidates, cited, verdict, created_at)
      select lower(hex(randomblob(16))), id, 'agent', hex(randomblob(100)), ${messageStatuses.delivered}, '[]', '[]',
        '[]', case when rowid % 10 then 'answered' else 'not-found' end, created_at + 2000 from threads`,
  ]
  for (const statement of statements) await app.db.write((tx) => tx.execute(statement))
  const cookie = await startSession(app, staff, organization)
  const [address] = await app.db.read.select().from(addresses).where(eq(addresses.collectionId, 'c0')).limit(1)
  const [thread] = await app.db.read.select().from(threads).where(eq(threads.createdBy, staff.userId)).limit(1)
  if (!address || !thread) throw new Error('Nothing was stored.')
  const ids = { organization, collection: 'c0', source: 's0', address: address.id, agent: agent.id, thread: thread.id }
  return { cookie, ...ids, person: staff.userId }
}
