import { afterAll, beforeAll, expect, it } from 'vitest'
import { siteIcons } from '../../../db/schema/collections'
import { threads } from '../../../db/schema/threads'
import { system } from '../../../server/actor'
import { pngPicture } from '../../support/files/pictures'
import { startWebSite, type WebSite } from '../../support/web/web-site'

let web: WebSite
let ids: { collection: string; agent: string; shared: string; unshared: string }

beforeAll(async () => {
  web = await startWebSite({
    'icon/collection/:collectionId/:host?': await import(
      '../../../app/routes/_public+/icon.collection.$collectionId.($host)'
    ),
    'icon/agent/:agentId/:host': await import('../../../app/routes/_public+/icon.agent.$agentId.$host'),
    'icon/thread/:threadId/:host': await import('../../../app/routes/_public+/icon.thread.$threadId.$host'),
  })
  const { db, services } = web.app
  const organizationId = (await services.organizations.create(system, { name: 'Lamps', entity_name: '' })).id
  const collection = (await services.collections.create(system, organizationId, { name: 'Pages', description: '' })).id
  const agent = { name: 'Helper', description: '', useDefaults: false, collectionId: collection }
  const agentId = (await services.agents.create(system, organizationId, agent)).id
  const icon = { collectionId: collection, host: 'lamps.example', checkedAt: new Date() }
  const thread = { organizationId, agentId, title: 'Lamps' }
  ids = await db.write(async (tx) => {
    await tx.insert(siteIcons).values({ ...icon, mediaType: 'image/png', content: pngPicture })
    const [shared] = await tx
      .insert(threads)
      .values({ ...thread, publishedAt: new Date() })
      .returning()
    const [unshared] = await tx.insert(threads).values(thread).returning()
    return { collection, agent: agentId, shared: shared?.id ?? '', unshared: unshared?.id ?? '' }
  })
})
afterAll(() => web?.close())

const typeOf = async (path: string) => {
  const response = await fetch(web.origin + path)
  return [response.status, response.headers.get('content-type')]
}

it('is served for a collection, an agent and a shared thread', async () => {
  const png = [200, 'image/png']
  expect(await typeOf(`/icon/collection/${ids.collection}/lamps.example`)).toEqual(png)
  expect(await typeOf(`/icon/collection/${ids.collection}?name=Pages`)).toEqual(png)
  expect(await typeOf(`/icon/agent/${ids.agent}/lamps.example`)).toEqual(png)
  expect(await typeOf(`/icon/thread/${ids.shared}/lamps.example`)).toEqual(png)
})

it.each([
  () => `/icon/collection/${ids.collection}/www.other.example`,
  () => `/icon/collection/unknown?name=Other`,
  () => `/icon/agent/unknown/other.example`,
  () => `/icon/agent/${ids.agent}/other.example`,
])('is the first letter where there is none: %s', async (path) => {
  const response = await fetch(web.origin + path())
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
  expect(await response.text()).toContain('>O</text>')
})

it('is not told of a thread that is not shared', async () => {
  expect(await typeOf(`/icon/thread/${ids.unshared}/lamps.example`)).toEqual([200, 'image/svg+xml'])
})

it('may be shown on any page, runs nothing, and is sent once', async () => {
  const path = `${web.origin}/icon/agent/${ids.agent}/lamps.example`
  const { headers } = await fetch(path)
  expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  expect(headers.get('content-security-policy')).toContain('sandbox')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  const again = await fetch(path, { headers: { 'If-None-Match': headers.get('etag') ?? '' } })
  expect(again.status).toBe(304)
})

it('puts no markup of a name into the picture', async () => {
  const response = await fetch(`${web.origin}/icon/collection/unknown?name=${encodeURIComponent('<script>')}`)
  expect(await response.text()).toContain('>?</text>')
})
