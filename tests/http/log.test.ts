import { Writable } from 'node:stream'
import pino from 'pino'
import { afterEach, expect, it } from 'vitest'
import { keyRates } from '../../contract/values/limits'
import { system } from '../../server/actor'
import { createBrowser } from '../support/browser/browser'
import { issueToken } from '../support/people/access-token'
import { until } from '../support/until'
import { apiRoutes } from '../support/web/api-routes'
import { signInRoutes } from '../support/web/sign-in-routes'
import { startWebSite, type WebSite } from '../support/web/web-site'

const ada = { email: 'ada@example.test', name: 'Ada', surname: '', password: 'correct horse battery' }
type Line = Record<string, unknown> & { msg: string }

let site: WebSite | undefined
afterEach(async () => {
  await site?.close()
  site = undefined
})

/** A site whose log is kept. */
async function start(environment: Record<string, string> = {}) {
  const lines: Line[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  const routes = {
    ...signInRoutes,
    ...apiRoutes,
  }
  const started = await startWebSite(routes, environment, { log: pino({ level: 'info' }, stream) })
  site = started
  const browser = createBrowser()
  await browser.submit(await browser.open((await started.app.identity.setupLink()) ?? ''), ada)
  const { id } = await started.app.services.organizations.create(system, { name: 'Lamps', entity_name: '' })
  const agent = await started.app.services.agents.create(system, id, {
    name: 'Lamp',
    description: '',
    useDefaults: true,
  })
  const ref = { organizationId: id, agentId: agent.id }
  const input = {
    regenerate: false as const,
    rateLimit: keyRates.max,
    allowedOrigins: ['https://lamps.example'].join(),
  }
  const keys = await started.app.services.keychains.save(system, ref, input as never)
  return { site: started, lines, browser, ids: ref, keys, requests: () => lines.filter(({ msg }) => msg === 'request') }
}

async function found(lines: () => Line[], wanted: object): Promise<Line> {
  await until(() => lines().some((line) => matches(line, wanted)))
  return lines().find((line) => matches(line, wanted)) as Line
}

function matches(line: Line, wanted: object): boolean {
  return Object.entries(wanted).every(([name, value]) => line[name] === value)
}

it('has a line for each request, with who asked and from where, and none for health checks', async () => {
  const { site, lines, ids, requests } = await start()
  const token = await issueToken(site.app, ada.email)
  const response = await fetch(`${site.origin}/v1/${ids.organizationId}/agents/${ids.agentId}/key`, {
    headers: { authorization: `Bearer ${token}` },
  })
  await fetch(`${site.origin}/healthz`)
  await fetch(`${site.origin}/readyz`)
  const line = await found(requests, { requestId: response.headers.get('x-request-id') })
  expect(line).toMatchObject({
    level: 30,
    method: 'GET',
    route: '/v1/{orgId}/agents/{agentId}/key',
    status: response.status,
    organizationId: ids.organizationId,
    person: expect.any(String),
    token: expect.any(String),
    address: '127.0.0.0',
  })
  expect(line.ms).toBeGreaterThanOrEqual(0)
  expect(JSON.stringify(lines)).not.toMatch(/healthz|readyz/)
  expect(JSON.stringify(lines)).not.toContain(token)
})

it('never has the token of a link, nor a query', async () => {
  const { lines, requests, site } = await start()
  const link = (await site.app.identity.invitationLink('grace@example.test')) ?? ''
  await createBrowser().open(link)
  await found(requests, { route: '/invitation' })
  expect(JSON.stringify(lines)).not.toContain(new URL(link).searchParams.get('token') ?? 'none')
})

it('has a line for a refused key, a refused origin and a refused token', async () => {
  const { site, lines, keys } = await start()
  const ask = (bearer: string, origin?: string) =>
    fetch(`${site.origin}/v1/public/chat`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${bearer}`,
        'content-type': 'application/json',
        ...(origin ? { origin } : {}),
      },
      body: '{"prompt":"Which lamp?"}',
    })
  expect((await ask(`${keys.public_key.slice(0, -4)}0000`)).status).toBe(401)
  expect((await ask(keys.public_key, 'https://other.example')).status).toBe(403)
  await fetch(`${site.origin}/v1/auth/me`, { headers: { authorization: 'Bearer wrong' } })
  const all = () => lines
  expect(await found(all, { msg: 'A key was refused.' })).toMatchObject({ key: '…0000', address: '127.0.0.0' })
  expect(await found(all, { msg: 'An origin or address was refused.' })).toMatchObject({
    origin: 'https://other.example',
  })
  await found(all, { msg: 'A token was refused.' })
})

it('has a line for a refused and for a locked sign-in, without the address or the password', async () => {
  const { site, lines } = await start()
  const browser = createBrowser()
  const form = await browser.open(`${site.origin}/login`)
  for (let attempt = 0; attempt < 12; attempt++)
    await browser.submit(form, { email: ada.email, password: 'a wrong password' })
  const all = () => lines
  await found(all, { msg: 'A sign-in was refused.', reason: 'wrong e-mail or password' })
  await found(all, { msg: 'A sign-in was refused.', reason: 'too many attempts' })
  expect(JSON.stringify(lines)).not.toMatch(/ada@example|a wrong password/)
})

it('has no lines of requests with LOG_REQUESTS=off, and no address with VISITOR_IP=off', async () => {
  const silent = await start({ LOG_REQUESTS: 'off' })
  await fetch(`${silent.site.origin}/v1/auth/me`)
  await silent.site.close()
  expect(silent.requests()).toEqual([])
  const { site, requests } = await start({ VISITOR_IP: 'off' })
  await fetch(`${site.origin}/v1/auth/me`)
  expect(await found(requests, { route: '/v1/auth/me' })).toMatchObject({ status: 401, address: null })
})
