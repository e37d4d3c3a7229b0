import { afterAll, beforeAll, expect, it } from 'vitest'
import { problemSchema } from '../../../contract/views/problem'
import { pageRoutes } from '../../support/web/page-routes'
import { startWebSite, type WebSite } from '../../support/web/web-site'

let site: WebSite

beforeAll(async () => {
  site = await startWebSite(await pageRoutes())
})
afterAll(() => site.close())

const ask = (path: string, init: RequestInit = {}) => fetch(site.origin + path, { redirect: 'manual', ...init })

const wellKnown = [
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/openid-configuration',
  '/.well-known/change-password',
  '/.well-known',
]

it.each(wellKnown)('responds 404 at %s, whatever the request accepts', async (path) => {
  for (const accept of ['*/*', 'application/json', 'text/html,application/xhtml+xml,*/*;q=0.8']) {
    const response = await ask(path, { headers: { accept } })
    expect([accept, response.status]).toEqual([accept, 404])
    expect(problemSchema.parse(await response.json())).toMatchObject({ code: 'not_found' })
  }
  expect((await ask(path, { method: 'POST', body: '{}' })).status).toBe(404)
})

it.each(['/register', '/nowhere', '/dashboardx/1', '/api/v2/chat', '/thread', '/help/none/none'])(
  'responds 404 with JSON at %s to a program, and leads a browser to the start page',
  async (path) => {
    const response = await ask(path, { headers: { accept: 'application/json' } })
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
    expect(problemSchema.parse(await response.json())).toMatchObject({ code: 'not_found' })
    const page = await ask(path, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } })
    expect([page.status, page.headers.get('location')]).toEqual([302, '/'])
  },
)

it('refuses a program that posts to an unknown path with JSON', async () => {
  const headers = { accept: 'application/json', 'content-type': 'application/json' }
  const response = await ask('/register', { method: 'POST', headers, body: '{}' })
  expect(response.status).toBeGreaterThanOrEqual(400)
  expect(problemSchema.parse(await response.json()).message).toBeTruthy()
})
