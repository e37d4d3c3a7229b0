import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiEndpoint, type ApiIds, idsIn, nameOf, pathOf } from '../../support/api/api-endpoint'
import { apiEndpoints } from '../../support/api/api-endpoints'
import { type ApiResponse, type ApiWorld, type Caller, startApiWorld } from '../../support/api/api-world'

// The response to a foreign id equals that to a missing id, byte for byte.

const missing: ApiIds = {
  organization: '00000000-0000-4000-8000-000000000001',
  collection: '00000000-0000-4000-8000-000000000002',
  source: '00000000-0000-4000-8000-000000000003',
  upload: '00000000-0000-4000-8000-000000000008',
  address: '00000000-0000-4000-8000-000000000004',
  agent: '00000000-0000-4000-8000-000000000005',
  thread: 'AAAAAAAAAAAAAAAAAAAAAAAAAAA',
  message: '00000000-0000-4000-8000-000000000007',
  person: '00000000-0000-4000-8000-000000000009',
  invitation: '00000000-0000-4000-8000-00000000000a',
}
/** What has no parent but the organization: another one of the own organization is there. */
const tops: (keyof ApiIds)[] = ['organization', 'collection', 'agent', 'thread', 'person', 'invitation']

let world: ApiWorld
let before: string

beforeAll(async () => {
  world = await startApiWorld()
  before = await world.stored()
})
afterAll(async () => {
  // Not one of these requests may have stored or started anything.
  expect(await world.stored()).toBe(before)
  await world.close()
})

/** The response without the parts that differ each time. */
function bytes({ status, headers, text }: ApiResponse): string {
  const fresh = ['date', 'x-request-id', 'content-security-policy', 'ratelimit']
  const lines = [...headers].filter(([name]) => !fresh.includes(name)).map(([name, value]) => `${name}: ${value}`)
  return [status, ...lines.sort(), text.replace(/urn:uuid:[0-9a-f-]{36}/, 'urn:uuid:')].join('\n')
}

const scoped = apiEndpoints.filter(
  (endpoint) => idsIn(endpoint).length > 0 && !['everybody', 'key', 'visitor', 'staff'].includes(endpoint.may),
)
const onePerRoute = [...new Map(scoped.map((endpoint) => [endpoint.operation.path, endpoint])).values()]

describe('an id in a path or a query', () => {
  const cases = scoped.flatMap((endpoint) => idsIn(endpoint).map((id) => ({ endpoint, id, name: nameOf(endpoint) })))

  it.each(cases)('$name: a foreign $id is not found', async ({ endpoint, id }) => {
    const ask = (ids: Partial<ApiIds>) => send('admin', endpoint, { ...world.own, ...ids })
    const absent = await ask({ [id]: missing[id] })
    expect(absent.status, absent.text).toBe(404)
    expect(bytes(await ask({ [id]: world.foreign[id] }))).toBe(bytes(absent))
    if (!tops.includes(id)) expect(bytes(await ask({ [id]: world.sibling[id] }))).toBe(bytes(absent))
  })

  it.each(scoped.map((endpoint) => ({ endpoint, name: nameOf(endpoint) })))(
    '$name: reveals nothing to other organizations',
    async ({ endpoint }) => {
      const nothing = await send('admin', endpoint, missing)
      expect(nothing.status).toBe(404)
      const { organization } = world.own
      const answers = await Promise.all([
        send('admin', endpoint, world.foreign),
        send('admin', endpoint, { ...world.own, organization: world.foreign.organization }),
        send('stranger', endpoint, world.own),
        send('platform', endpoint, world.own),
        send('stranger', endpoint, { ...missing, organization }),
      ])
      for (const response of answers) expect(bytes(response)).toBe(bytes(nothing))
      if (idsIn(endpoint).length > 1) {
        const inside = await send('admin', endpoint, { ...world.foreign, organization })
        expect(bytes(inside)).toBe(bytes(nothing))
      }
    },
  )

  it('is rejected before the lookup if the role lacks permission', async () => {
    for (const endpoint of scoped.filter(({ may }) => may === 'admin' || may === 'member')) {
      if (idsIn(endpoint).length < 2) continue
      const refused = await send('viewer', endpoint, { ...missing, organization: world.own.organization })
      const foreign = await send('viewer', endpoint, { ...world.foreign, organization: world.own.organization })
      expect(refused.status, nameOf(endpoint)).toBe(403)
      expect(bytes(foreign), nameOf(endpoint)).toBe(bytes(refused))
    }
  })

  it('is rejected before the body is read if the role lacks permission', async () => {
    for (const endpoint of scoped.filter(({ body }) => body)) {
      const sendWrong = (caller: Caller) =>
        world.sendJson(caller, endpoint.method, pathOf(endpoint, world.own), { name: 7, url: 7, role: 7, prompt: 7 })
      expect((await sendWrong('stranger')).status, nameOf(endpoint)).toBe(404)
      if (endpoint.may === 'admin' || endpoint.may === 'member')
        expect((await sendWrong('viewer')).status, nameOf(endpoint)).toBe(403)
    }
  })

  it('may contain anything', async () => {
    const odd = ['%00', '%2F', "'", '%22', '%25', '%C3%BC', '%F0%9F%98%80', '%FF', 'null', '0', '-1', 'x'.repeat(4000)]
    for (const endpoint of onePerRoute) {
      const id = idsIn({ path: endpoint.path.split('?')[0] ?? '' }).at(-1)
      const answers = odd.map((text) => {
        const path = pathOf({ path: endpoint.path.replace(`{${id}}`, text) }, world.own)
        return world.sendJson('admin', endpoint.method, path, endpoint.body?.(world.own))
      })
      const statuses = (await Promise.all(answers)).map(({ status }, index) => [odd[index], status])
      // NUL and %FF are not text: the address is refused before a route reads it.
      const refused = ['%00', '%FF']
      expect(statuses, nameOf(endpoint)).toEqual(odd.map((text) => [text, refused.includes(text) ? 400 : 404]))
    }
  })
})

describe('an id in a body', () => {
  const member = (path: string, caller: Caller, method: 'PUT' | 'POST') => (body: object) =>
    world.sendJson(caller, method, `/v1/${world.own.organization}/agents/${world.own.agent}/${path}`, body)

  it('is not found for a collection to link', async () => {
    const link = member('link', 'admin', 'PUT')
    const absent = await link({ collectionId: missing.collection })
    expect(absent.status).toBe(404)
    expect(bytes(await link({ collectionId: world.foreign.collection }))).toBe(bytes(absent))
  })

  it.each(['application/json', 'text/event-stream'])('is not found for a thread to continue (%s)', async (accept) => {
    const path = `/v1/${world.own.organization}/agents/${world.own.agent}/chat`
    const chat = (threadId: string) =>
      world.send('viewer', 'POST', path, {
        headers: { 'content-type': 'application/json', accept },
        body: JSON.stringify({ prompt: 'Which lamp is bright?', threadId }),
      })
    const absent = await chat(missing.thread)
    expect(absent.status).toBe(404)
    expect(bytes(await chat(world.foreign.thread))).toBe(bytes(absent))
    // A thread belongs to its agent.
    expect(bytes(await chat(world.sibling.thread))).toBe(bytes(absent))
  })
})

describe('an id in a filter', () => {
  it.each(['agentId', 'createdBy'])('finds no threads of others by %s', async (filter) => {
    const list = (id: string) => world.send('admin', 'GET', `/v1/${world.own.organization}/threads?${filter}=${id}`)
    const absent = await list(missing.agent)
    expect(absent.body).toEqual({ threads: { docs: [], total: 0, pages: 0 } })
    expect(bytes(await list(world.foreign.agent))).toBe(bytes(absent))
  })

  it('finds no addresses of others by their source', async () => {
    const path = `/v1/${world.own.organization}/urls/${world.own.collection}?sourceId=`
    const list = (id: string) => world.send('admin', 'GET', path + id)
    const absent = await list(missing.source)
    expect(absent.body).toEqual({ urls: { docs: [], total: 0, pages: 0 } })
    expect(bytes(await list(world.foreign.source))).toBe(bytes(absent))
    expect(bytes(await list(world.sibling.source))).toBe(bytes(absent))
  })

  it('finds only what the own organization has', async () => {
    for (const path of ['collections', 'agents', 'threads']) {
      const { body } = await world.send('admin', 'GET', `/v1/${world.own.organization}/${path}?limit=100`)
      const { docs, total } =
        (body as Record<string, { docs: { organization_id: string }[]; total: number }>)[path] ?? {}
      expect(docs?.map((doc) => doc.organization_id)).toEqual([world.own.organization, world.own.organization])
      expect(total).toBe(2)
    }
    const { body } = await world.send('viewer', 'GET', `/v1/${world.own.organization}/urls/${world.own.collection}`)
    expect(body).toMatchObject({ urls: { docs: [{ id: world.own.address }], total: 1, pages: 1 } })
  })
})

function send(caller: Caller, endpoint: ApiEndpoint, ids: ApiIds): Promise<ApiResponse> {
  return world.sendJson(caller, endpoint.method, pathOf(endpoint, ids), endpoint.body?.(world.own))
}
