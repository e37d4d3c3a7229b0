import { adminListNames } from '../contract/admin'
import { addresses } from '../db/schema/addresses'
import { agents } from '../db/schema/agents'
import { collections, sources } from '../db/schema/collections'
import { members, organizations } from '../db/schema/organizations'
import { messages, threads } from '../db/schema/threads'
import { users } from '../db/schema/users'
import { system } from '../server/actor'
import type { App } from '../server/app'
import type { Tour } from './screens-organizations'

const many = 60
const monthMs = 30 * 24 * 3_600_000

/** The back office: its overview, each list with no, few and many rows, and each detail. */
export async function adminScreens({ app, page, origin, ready, shoot }: Tour): Promise<void> {
  for (const name of adminListNames.filter((name) => name !== 'users'))
    await shoot(page, `admin-${name}-none`, `/admin/${name}?${filterOf[name]}=nothing`)
  for (const name of adminListNames) await shoot(page, `admin-${name}-few`, `/admin/${name}`)
  const [organization] = await app.db.read.select().from(organizations)
  await shoot(page, 'admin-organization', `/admin/organizations/${organization?.id}`)
  await shoot(page, 'admin-organization-audit', `/admin/organizations/${organization?.id}/audit`)
  const answered = await app.db.read.select().from(messages)
  const answer = answered.find(({ role, fragments }) => role === 'agent' && fragments.length > 0)
  if (answer) {
    await shoot(page, 'admin-thread', `/admin/threads/${answer.threadId}`)
    await shoot(page, 'admin-inspection', `/admin/threads/${answer.threadId}?inspect=${answer.id}`)
  }
  await seed(app)
  await page.goto(`${origin}/admin`)
  await page.locator('.recharts-area').first().waitFor()
  await shoot(page, 'admin-overview', undefined, async () => {
    await page.locator('.recharts-area').first().hover()
    await page.getByText(/ users - /).waitFor()
  })
  for (const name of adminListNames) await shoot(page, `admin-${name}`, `/admin/${name}`)
  await shoot(page, 'admin-health', '/admin/health')
  await shoot(page, 'admin-sorted', '/admin/users?sort=email&page=2')
  const { read } = app.db
  const [user] = await read.select().from(users)
  const [collection] = await read.select().from(collections)
  const [source] = await read.select().from(sources)
  const [url] = await read.select().from(addresses)
  const [agent] = await read.select().from(agents)
  await shoot(page, 'admin-user', `/admin/users/${user?.id}`)
  await shoot(page, 'admin-collection', `/admin/collections/${collection?.id}`)
  await shoot(page, 'admin-source', `/admin/sources/${source?.id}`)
  await shoot(page, 'admin-url', `/admin/urls/${url?.id}`)
  await shoot(page, 'admin-agent', `/admin/agents/${agent?.id}`)
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

/** People, organizations and what belongs to them, with long and short names, over five years. */
async function seed({ db, services }: App): Promise<void> {
  for (let n = 0; n < many; n++) {
    const createdAt = new Date(Date.now() - ((many - n) / many) ** 2 * 60 * monthMs)
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
      const [source] = await tx
        .insert(sources)
        .values({ ...place, type: 'domain', name: `shop-${n}.example`, status: n % 3 ? 'idle' : 'fail', url })
        .returning()
      await tx.insert(addresses).values({ ...place, sourceId: source?.id ?? '', url, status: n % 4 ? 'idle' : 'limit' })
      await tx.insert(threads).values({
        organizationId,
        agentId: n % 6 === 0 ? null : agent.id,
        title: 'Question',
        metaOrigin: n % 2 ? `https://shop-${n}.example` : null,
        metaIp: `203.0.113.${n}`,
        metaUserAgent:
          'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36',
      })
    })
  }
}
