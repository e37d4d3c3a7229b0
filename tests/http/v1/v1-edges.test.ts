import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { problemSchema } from '../../../contract/views/problem'
import { nameOf, pathOf } from '../../support/api/api-endpoint'
import { apiEndpoints } from '../../support/api/api-endpoints'
import { type ApiWorld, type Caller, jsonInit, startApiWorld } from '../../support/api/api-world'

let world: ApiWorld

beforeAll(async () => {
  world = await startApiWorld()
})
afterAll(() => world.close())

const byPath = [...new Map(apiEndpoints.map((endpoint) => [endpoint.operation.path, endpoint])).values()]
const withMethods = byPath.map((endpoint) => ({
  path: endpoint.path.split('?')[0] ?? '',
  may: endpoint.may,
  methods: apiEndpoints
    .filter(({ operation }) => operation.path === endpoint.operation.path)
    .map(({ method }) => method as string),
}))

describe('methods', () => {
  it.each(withMethods)('$path: other methods are 405 and store nothing', async ({ path, methods }) => {
    const before = await world.stored()
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((text) => !methods.includes(text))) {
      for (const caller of ['guest', 'admin'] as const) {
        const response = await world.send(
          caller,
          method,
          pathOf({ path }, world.own),
          method === 'GET' ? {} : jsonInit('{}'),
        )
        expect(response.status, method).toBe(405)
        expect(problemSchema.parse(response.body)).toMatchObject({ code: 'method_not_allowed', status: 405 })
        const allowed = response.headers.get('allow')?.split(', ')
        expect(allowed).toEqual(expect.arrayContaining([...methods, 'OPTIONS']))
        expect(allowed).not.toContain(method)
      }
    }
    expect(await world.stored()).toBe(before)
  })

  it.each(
    apiEndpoints.filter(({ method }) => method === 'GET').map((endpoint) => ({ endpoint, name: nameOf(endpoint) })),
  )('$name: HEAD responds like GET, without a body', async ({ endpoint }) => {
    const path = pathOf(endpoint, world.own)
    for (const caller of ['guest', 'viewer', 'stranger'] as const) {
      const [head, get] = [await world.send(caller, 'HEAD', path), await world.send(caller, 'GET', path)]
      expect([head.status, head.text]).toEqual([get.status, ''])
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
    }
  })

  it.each(['TRACE', 'PROPFIND', 'LINK', 'PURGE', 'QUERY'])('%s is 405, as a problem', async (method) => {
    for (const path of [`/v1/${world.own.organization}/collections`, '/v1/nothing']) {
      const response = await raw(method, path)
      expect(response.status, response.text).toBe(405)
      expect(problemSchema.parse(JSON.parse(response.text)).code).toBe('method_not_allowed')
      expect(response.headers.allow).toBeTruthy()
    }
  })
})

describe('unknown paths', () => {
  const nowhere = ['', '/', '/nothing', '/auth', '/auth/me/too', '/{organization}', '/{organization}/nothing']
  const deeper = [
    '/{organization}/collections/{collection}/nothing',
    '/{organization}/agents/{agent}/keys',
    '/public/nothing',
  ]

  it.each([...nowhere, ...deeper])('/v1%s is a 404 problem for everybody', async (path) => {
    for (const caller of ['guest', 'stranger', 'admin'] as Caller[]) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        const response = await world.send(caller, method, pathOf({ path: `/v1${path}` }, world.own))
        expect(response.status, method).toBe(404)
        expect(problemSchema.parse(response.body)).toMatchObject({
          code: 'not_found',
          message: 'The API has no such route.',
        })
      }
    }
  })

  it('a trailing slash is accepted', async () => {
    expect((await world.send('viewer', 'GET', '/v1/auth/me/')).status).toBe(200)
    expect((await world.send('guest', 'GET', '/v1/auth/me/')).status).toBe(401)
  })
})

describe('malformed requests', () => {
  it.each([
    ['a path that is not UTF-8', '/v1/%E0%A4%A/collections', {}],
    ['an incomplete escape', '/v1/auth/me%', {}],
    ['a host with a space', '/v1/auth/me', { host: 'a b' }],
    ['a host with a wrong port', '/v1/auth/me', { host: 'localhost:99999999' }],
    ['a wrong forwarded port', '/v1/auth/me', { 'x-forwarded-host': 'localhost:99999' }],
    ['an empty host', '/v1/auth/me', { host: '' }],
  ])('%s is a client error', async (_what, path, headers) => {
    const response = await raw('GET', path, headers)
    expect(response.status, response.text).toBeGreaterThanOrEqual(400)
    expect(response.status, response.text).toBeLessThan(500)
    expect(problemSchema.parse(JSON.parse(response.text)).status).toBe(response.status)
  })

  it('an absolute request URL is accepted', async () => {
    const response = await raw('GET', `${world.listening}/v1/auth/me`)
    expect(response.status, response.text).toBe(401)
  })
})

describe('other sites', () => {
  it.each(withMethods.filter(({ may }) => may !== 'everybody'))(
    '$path: may call with a bearer token, never with a cookie',
    async ({ path, methods }) => {
      const address = pathOf({ path }, world.own)
      const headers = {
        origin: 'https://elsewhere.example',
        'access-control-request-method': methods[0] ?? '',
        'access-control-request-headers': 'authorization,content-type',
      }
      const preflight = await world.send('guest', 'OPTIONS', address, { headers })
      expect(preflight.status).toBe(204)
      // Pages make these calls with a public key, which allows single origins.
      const isOfPages = /^\/v1\/(public|chat)\/|\/chat$/.test(path)
      expect(preflight.headers.get('access-control-allow-origin')).toBe(isOfPages ? headers.origin : '*')
      expect(preflight.headers.get('access-control-allow-headers')).toBe('Authorization, Content-Type, X-Visitor-Token')
      expect(preflight.headers.get('access-control-allow-methods')?.split(', ')).toEqual(
        expect.arrayContaining(methods),
      )
      expect(preflight.headers.get('access-control-allow-credentials')).toBeNull()

      const refused = await world.send('guest', methods[0] ?? '', address, { headers: { origin: headers.origin } })
      expect(refused.status).toBe(401)
      expect(refused.headers.get('access-control-allow-origin')).toBe('*')
      expect(refused.headers.get('access-control-expose-headers')).toContain('X-Request-Id')
    },
  )
})

interface List {
  path: string
  field: string
  size: number
}

const lists: List[] = [
  { path: 'collections', field: 'collections', size: 10 },
  { path: 'agents', field: 'agents', size: 10 },
  { path: 'threads', field: 'threads', size: 100 },
  { path: 'sources/{collection}', field: 'sources', size: 5 },
  { path: 'urls/{collection}', field: 'urls', size: 25 },
]

describe('pages of a list', () => {
  const rows = 7
  const wrong = ['0', '-1', '1.5', 'many', '', '1e999', 'NaN', '9999999999999999999', 'null', '[]', "1'"]

  beforeAll(async () => {
    for (let created = 0; created < rows; created++) {
      for (const what of ['collection', 'agent', 'thread', 'source'] as const) await world.renewed(world.own, what)
    }
  })

  it.each(lists)('$path: an invalid page or size falls back to the default', async (list) => {
    const first = await read(list, '')
    expect(first.docs.length).toBe(Math.min(first.total, list.size))
    expect(first.pages).toBe(Math.ceil(first.total / list.size))
    for (const value of wrong) {
      expect(await read(list, `?page=${value}`), `page=${value}`).toEqual(first)
      expect(await read(list, `?limit=${value}`), `limit=${value}`).toEqual(first)
    }
    for (const limit of [1, 7, 101, 1000]) expect(await read(list, `?limit=${limit}`), `limit=${limit}`).toEqual(first)
  })

  it.each(lists)('$path: consecutive pages have no gap', async (list) => {
    const { docs: all, total } = await read(list, '?limit=100')
    expect(all.length).toBe(total)
    const pages = Math.ceil(total / 5)
    const found: string[] = []
    for (let page = 1; page <= pages; page++) {
      const part = await read(list, `?page=${page}&limit=5`)
      expect(part).toMatchObject({ total, pages })
      found.push(...part.docs.map(({ id }) => id))
    }
    expect(found).toEqual(all.map(({ id }) => id))
    expect((await read(list, `?page=${pages + 1}&limit=5`)).docs).toEqual([])
    expect((await read(list, '?page=1000000&limit=100')).docs).toEqual([])
  })

  async function read({ path, field }: List, query: string) {
    const address = pathOf({ path: `/v1/{organization}/${path}` }, world.own) + query
    const { status, body, text } = await world.send('viewer', 'GET', address)
    expect(status, text).toBe(200)
    const page = (body as Record<string, { docs: { id: string }[]; total: number; pages: number }>)[field]
    if (!page) throw new Error(`No ${field} in the answer.`)
    // A run that is under way tells of its time, which goes on.
    return { ...page, docs: page.docs.map(({ id }) => ({ id })) }
  }
})

/** What fetch would not send. */
function raw(method: string, path: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }>((resolve, reject) => {
    const { hostname, port } = new URL(world.listening)
    const sent = request({ hostname, port, method, path, headers, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part) => {
        text += part
      })
      response.once('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    sent.once('error', reject)
    sent.end()
  })
}
