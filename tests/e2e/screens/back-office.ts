import { eq } from 'drizzle-orm'
import { adminListNames } from '../../../contract/admin'
import { addresses } from '../../../db/schema/addresses'
import { agents } from '../../../db/schema/agents'
import { collections, sources } from '../../../db/schema/collections'
import { jobs } from '../../../db/schema/jobs'
import { members, organizations } from '../../../db/schema/organizations'
import { messages, threads } from '../../../db/schema/threads'
import { usage } from '../../../db/schema/usage'
import { users } from '../../../db/schema/users'
import { system } from '../../../server/actor'
import type { App } from '../../../server/app'
import type { Tour } from './tour'

const count = 60
const monthMs = 30 * 24 * 3_600_000

/** The back office: its overview, each list with no, few and many rows, and each detail with little and with much. */
export async function adminScreens({ app, page, origin, ready, shoot }: Tour): Promise<void> {
  const { read } = app.db
  for (const name of adminListNames)
    await shoot(
      page,
      `admin-${name}-none`,
      `/admin/${name}?${name === 'users' ? 'page=900' : `${filterOf[name]}=nothing`}`,
    )
  for (const name of adminListNames) await shoot(page, `admin-${name}-few`, `/admin/${name}`)
  const overview = async (name: string) => {
    await page.goto(`${origin}/admin`)
    await page.locator('.recharts-area').first().waitFor()
    await shoot(page, name, undefined, async () => {
      await page.locator('.recharts-surface').first().hover()
      await page.getByText(/ users - /).waitFor()
    })
  }
  await overview('admin-overview-few')
  await shoot(page, 'admin-health-few', '/admin/health')
  const [organization] = await read.select().from(organizations)
  await shoot(page, 'admin-health-models', '/admin/health', async () => {
    await page.getByRole('region', { name: 'Models' }).evaluate((card) => card.scrollIntoView())
  })
  await shoot(page, 'admin-organization', `/admin/organizations/${organization?.id}`)
  await shoot(page, 'admin-organization-audit', `/admin/organizations/${organization?.id}/audit`)
  const answered = await read.select().from(messages)
  const answer = answered.find(({ role, fragments }) => role === 'agent' && fragments.length > 0)
  if (answer) {
    await shoot(page, 'admin-thread', `/admin/threads/${answer.threadId}`)
    await shoot(page, 'admin-inspection', `/admin/threads/${answer.threadId}?inspect=${answer.id}`)
  }
  const [user] = await read.select().from(users)
  const [collection] = await read.select().from(collections)
  const [source] = await read.select().from(sources).where(eq(sources.type, 'domain'))
  const [url] = await read.select().from(addresses)
  const [agent] = await read.select().from(agents)
  await shoot(page, 'admin-user', `/admin/users/${user?.id}`)
  await shoot(page, 'admin-collection', `/admin/collections/${collection?.id}`)
  await shoot(page, 'admin-source', `/admin/sources/${source?.id}`)
  await shoot(page, 'admin-url', `/admin/urls/${url?.id}`)
  await shoot(page, 'admin-agent', `/admin/agents/${agent?.id}`)
  const created = await seed(app)
  await overview('admin-overview')
  for (const name of adminListNames) await shoot(page, `admin-${name}`, `/admin/${name}`)
  await shoot(page, 'admin-health', '/admin/health')
  await shoot(page, 'admin-sorted', '/admin/users?sort=email&page=2')
  await shoot(page, 'admin-filtered', `/admin/urls?organization_id=${created.large}&created_by=${user?.id}`)
  await shoot(page, 'admin-organization-bare', `/admin/organizations/${created.bare}`)
  await shoot(page, 'admin-organization-bare-audit', `/admin/organizations/${created.bare}/audit`)
  await shoot(page, 'admin-organization-large', `/admin/organizations/${created.large}`)
  await shoot(page, 'admin-user-bare', `/admin/users/${created.alone}`)
  await shoot(page, 'admin-source-failed', `/admin/sources/${created.source}`)
  await shoot(page, 'admin-url-long', `/admin/urls/${created.url}`)
  await shoot(page, 'admin-agent-full', `/admin/agents/${created.agent}`)
  await shoot(page, 'admin-thread-empty', `/admin/threads/${created.thread}`)
  await page.goto(`${origin}/dashboard`)
  await ready()
}

const filterOf = {
  organizations: 'created_by',
  collections: 'organization_id',
  sources: 'collection_id',
  urls: 'source_id',
  agents: 'organization_id',
  threads: 'agent_id',
  users: '',
}

interface Made {
  /** An organization with nothing in it, and one with many members and months. */
  bare: string
  large: string
  /** A person without an organization. */
  alone: string
  source: string
  url: string
  agent: string
  thread: string
}

/** People, organizations and what belongs to them, with long and short names, over ten months. */
async function seed({ db, services }: App): Promise<Made> {
  const created = { bare: '', large: '', alone: '', source: '', url: '', agent: '', thread: '' }
  for (let n = 0; n < count; n++) {
    const createdAt = new Date(Date.now() - ((count - n) / count) ** 2 * 10 * monthMs)
    const email = `person-${n}@${'a-rather-long-name-of-a-company-'.repeat(n % 7 === 0 ? 2 : 0)}example.com`
    const organization = { name: `Organization ${n}`, entity_name: `Organization ${n} Ltd` }
    const { id: organizationId } = await services.organizations.create(system, organization)
    const named = { name: n % 5 === 0 ? `Pages ${'and more pages '.repeat(3)}${n}` : `Pages ${n}`, description: '' }
    const collection = await services.collections.create(system, organizationId, named)
    const agent = await services.agents.create(system, organizationId, { ...named, useDefaults: true })
    await db.write(async (tx) => {
      const account = { email, emailNormalized: email, issuer: 'test', subject: email, createdAt, name: `Person ${n}` }
      const [user] = await tx.insert(users).values(account).returning()
      await tx.insert(members).values({ organizationId, userId: user?.id ?? '', role: 'admin' })
      const place = { organizationId, collectionId: collection.id }
      const url = `https://shop-${n}.example/${'guides/repair-and-spare-parts/'.repeat(1 + (n % 4))}page-${n}.html`
      const message = n % 3 ? null : 'The server of the site responds with status 503. Try again later.'
      const [source] = await tx
        .insert(sources)
        .values({ ...place, type: 'domain', name: `shop-${n}.example`, status: n % 3 ? 'idle' : 'fail', message, url })
        .returning()
      const address = { ...place, sourceId: source?.id ?? '', url, status: n % 4 ? 'idle' : 'limit' } as const
      const [stored] = await tx.insert(addresses).values(address).returning()
      const meta = {
        metaOrigin: n % 2 ? `https://shop-${n}.example` : null,
        metaIp: `203.0.113.${n}`,
        metaUserAgent:
          'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36',
      }
      const [thread] = await tx
        .insert(threads)
        .values({ organizationId, agentId: n % 6 === 0 ? null : agent.id, title: 'Question', ...meta })
        .returning()
      if (n % 20 === 0)
        await tx
          .update(agents)
          .set({ failedAnswers: 3 + n })
          .where(eq(agents.id, agent.id))
      if (n % 3 === 0) {
        created.large = organizationId
        created.source = source?.id ?? ''
        created.url = stored?.id ?? ''
        created.thread = thread?.id ?? ''
        created.agent = agent.id
      }
    })
  }
  await enlarge({ db, services }, created)
  created.bare = (await services.organizations.create(system, { name: 'Just begun', entity_name: '' })).id
  const alone = { email: 'alone@example.com', emailNormalized: 'alone@example.com', issuer: 'test', subject: 'alone' }
  const [user] = await db.write((tx) => tx.insert(users).values(alone).returning())
  return { ...created, alone: user?.id ?? '' }
}

/** Gives an organization many members, months of usage and failed jobs, and its agent all settings. */
async function enlarge({ db, services }: Pick<App, 'db' | 'services'>, created: Made): Promise<void> {
  const { large: organizationId, agent: agentId } = created
  const prompt = `Answer in one sentence.\n${'Name the page that you quote, and nothing else. '.repeat(6)}`
  const rules = { allowedIps: '203.0.113.7, 2001:db8::/32', allowedOrigins: 'https://shop.example' }
  await services.keychains.save(system, { organizationId, agentId }, { regenerate: false, ...rules })
  await services.organizations.onboard(system, organizationId, {
    goals: ['semantic_search', 'customer_support', 'other:Fewer calls by telephone'],
    sector: 'ecommerce',
    position: 'other:Keeper of the lighthouse and of its lamps',
    size: 'Solo (1)',
    source: 'search',
  })
  const months = Array.from({ length: 30 }, (_, back) => new Date(Date.UTC(2026, 8 - back)))
  await db.write(async (tx) => {
    for (const [index, month] of months.entries()) {
      const counts = {
        urls: 104_000 - index,
        storage: 12_345_678_901,
        crawls: 30_123,
        messages: 4_211,
        apiRequests: 98_765,
      }
      await tx
        .insert(usage)
        .values({ organizationId, year: month.getUTCFullYear(), month: month.getUTCMonth() + 1, ...counts })
    }
    for (const { id: userId } of await tx.select().from(users))
      await tx.insert(members).values({ organizationId, userId, role: 'viewer' }).onConflictDoNothing()
    await tx.update(agents).set({ provider: 'openai', model: 'gpt-4.1', prompt }).where(eq(agents.id, agentId))
    const error = 'The mail server at smtp.example.com:587 did not answer within 30 seconds, and was asked 8 times.'
    await tx.insert(jobs).values({ kind: 'mail-invitation', payload: {}, status: 'failed', error })
  })
}
