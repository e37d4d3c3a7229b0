import { request } from 'node:http'
import { Writable } from 'node:stream'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createBrowser } from '../support/browser/browser'
import { shownFields } from '../support/browser/shown-organization'
import { pageRoutes } from '../support/web/page-routes'
import { startWebSite, type WebSite } from '../support/web/web-site'

const ada = { email: 'ada@example.test', name: '', surname: '', password: 'correct horse battery' }
const browser = createBrowser()
let errors: string[] = []
let web: WebSite
/** Every route that changes something. */
let acting: string[]
let organizationId: string
let collectionId: string
let agentId: string

beforeAll(async () => {
  const routes = await pageRoutes()
  const collect = new Writable({
    write(line, _encoding, done) {
      errors.push(String(line))
      done()
    },
  })
  web = await startWebSite(routes, {}, { log: pino({ level: 'error' }, collect) })
  await browser.submit(await browser.open((await web.app.identity.setupLink()) ?? ''), ada)
  await settle()
  acting = Object.entries(routes)
    // It reads no body, and would end the session of the tests.
    .filter(([path, { action }]) => action && path !== 'logout')
    .map(([path]) =>
      `/${path}`.replace(':collectionId', collectionId).replace(':agentId', agentId).replace(/:\w+/g, 'x'),
    )
})
afterAll(() => web?.close())
afterEach(() => {
  const logged = errors
  errors = []
  expect(logged).toEqual([])
})

/** An organization that has answered the questions, a collection and an agent. */
async function settle(): Promise<void> {
  const { accounts, organizations, collections, agents } = web.app.services
  const [user] = await accounts.list({ kind: 'system' })
  const actor = { kind: 'person' as const, userId: user?.id ?? '', staff: true, memberships: [] }
  organizationId = (await organizations.create(actor, { name: 'Lamps', entity_name: '' })).id
  const member = { ...actor, memberships: [{ organizationId, role: 'admin' as const }] }
  await organizations.onboard(member, organizationId, {
    goals: ['just_trying'],
    sector: 'other: lamps',
    position: 'sales',
    size: 'Solo (1)',
    source: 'search',
  })
  collectionId = (await collections.create(member, organizationId, { name: 'Docs', description: '' })).id
  agentId = (await agents.create(member, organizationId, { name: 'Guide', description: '', useDefaults: false })).id
  const cookie = browser.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  await web.app.identity.selectOrganization(new Request(web.origin, { headers: { cookie } }), organizationId)
}

const own = () => ({ origin: web.origin, 'sec-fetch-site': 'same-origin' })

describe('a request from another site', () => {
  it.each<[string, Record<string, string>]>([
    ['Origin: null', { origin: 'null' }],
    ['another origin', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['no origin', {}],
    ['an invalid origin', { origin: 'evil' }],
    ['an empty origin', { origin: '' }],
    [
      'another origin and its own forwarded host',
      { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' },
    ],
    ['a site that only shares the domain', { origin: 'https://a.localhost', 'sec-fetch-site': 'same-site' }],
  ])('is 403 on every route, with %s', async (_name, headers) => {
    expect(acting.length).toBeGreaterThan(15)
    for (const path of [
      ...acting,
      '/logout',
      '/',
      '/nowhere',
      `/dashboard/collections.data`,
      '/v1/organizations.data',
    ]) {
      const answer = await browser.ask(web.origin + path, { method: 'POST', headers, body: new URLSearchParams() })
      expect([path, answer.status, answer.headers.get('location')]).toEqual([path, 403, null])
      expect(answer.text).not.toMatch(/ at .*:\d+:\d+/)
    }
  })

  it('is same-origin if the browser says so, whatever the other headers', async () => {
    const headers = { origin: 'null', 'sec-fetch-site': 'same-origin', 'x-forwarded-host': 'evil.example:443' }
    const answer = await browser.ask(`${web.origin}/theme`, { method: 'POST', headers, body: new URLSearchParams() })
    expect(answer.status).toBe(303)
  })
})

it.each(['/', '/dashboard', '/nowhere', '/login'])('OPTIONS of the page %s is 405', async (path) => {
  const answer = await browser.ask(web.origin + path, { method: 'OPTIONS' })
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
})

describe('an unexpected body', () => {
  const form = 'application/x-www-form-urlencoded'
  it.each<[string, string, BodyInit]>([
    ['JSON', 'application/json', '{"name":"x"}'],
    ['null', 'application/json', 'null'],
    ['plain text', 'text/plain', 'name=x'],
    ['no type', '', 'name=x'],
    ['broken multipart', 'multipart/form-data; boundary=x', '--x\r\nbroken'],
    ['multipart without a boundary', 'multipart/form-data', 'x'],
    ['nothing', form, ''],
    ['two MiB', form, `name=${'x'.repeat(2 * 1024 * 1024)}`],
    ['broken percent signs', form, 'name=%&intent=%ff&id=%f'],
  ])('causes no server error with %s', async (_name, type, sent) => {
    const shown = new URLSearchParams(await shownFields(web, browser))
    const body = type === form ? `${shown}&${sent}` : sent
    for (const path of acting) {
      const headers = { ...own(), 'content-type': type }
      const answer = await browser.ask(`${web.origin}${path}.data`, { method: 'POST', headers, body })
      expect(answer.status, `${path}: ${answer.text.slice(0, 200)}`).toBeLessThan(500)
    }
  })

  it('causes no server error with a file in a text field', async () => {
    for (const path of acting) {
      const body = new FormData()
      for (const [name, id] of Object.entries(await shownFields(web, browser))) body.set(name, id)
      for (const name of ['name', 'intent', 'id', 'back', 'theme', 'url']) body.set(name, new File(['x'], 'x.txt'))
      const answer = await browser.ask(`${web.origin}${path}.data`, { method: 'POST', headers: own(), body })
      expect(answer.status, `${path}: ${answer.text.slice(0, 200)}`).toBeLessThan(500)
    }
  })
})

describe('control characters', () => {
  const names = ['\0', 'a\0b', '\0\0\0', 'a\u0001b', '\u0007', 'a\nb', 'a\u009bb', '\u200b', '\u2060\u200d']

  it.each(names)('%j is not stored as a name', async (name) => {
    const fields = { 'create-collection': '/dashboard/collections.data', 'create-agent': '/dashboard/agents.data' }
    const stored = () => namesOf()
    const before = await stored()
    const shown = await shownFields(web, browser)
    for (const [intent, path] of Object.entries(fields)) {
      const answer = await browser.ask(web.origin + path, {
        method: 'POST',
        headers: own(),
        body: new URLSearchParams({ ...shown, intent, name, description: '' }),
      })
      expect([path, answer.status]).toEqual([path, 400])
    }
    const edit = new URLSearchParams({ ...shown, name, entity_name: '' })
    const answer = await browser.ask(`${web.origin}/dashboard.data`, { method: 'POST', headers: own(), body: edit })
    expect(answer.status).toBe(400)
    expect(await stored()).toEqual(before)
  })

  it('rejects control characters and invalid escapes in a URL with 400', async () => {
    const paths = [
      '/%00',
      '/dashboard/collection/%00',
      '/dashboard/collection/a%0Ab',
      '/help/%07',
      '/%',
      '/%ff',
      '/v1/%00',
    ]
    for (const path of [
      ...paths,
      '/dashboard/collections?q=%00',
      '/dashboard/agents.data?x=a%00',
      '/oidc/auth?state=%00',
    ]) {
      expect([path, await statusOf(path)]).toEqual([path, 400])
    }
  })

  async function namesOf(): Promise<string[]> {
    const organization = await web.app.services.organizations.get({ kind: 'system' }, organizationId)
    const page = { page: 1, limit: 100 }
    const collections = await web.app.services.collections.list({ kind: 'system' }, organizationId, page)
    const agents = await web.app.services.agents.list({ kind: 'system' }, organizationId, page)
    return [organization, ...collections.docs, ...agents.docs].map(({ name }) => name)
  }
})

/** As it is, which fetch would not send. */
function statusOf(path: string): Promise<number | undefined> {
  const { port, host } = new URL(web.origin)
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, headers: { host } })
    asked
      .on('response', (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end()
  })
}
