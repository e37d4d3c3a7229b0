import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as usagePage from '../../app/routes/dashboard+/index'
import * as selectOrganization from '../../app/routes/dashboard+/organization'
import { currentUserViewSchema } from '../../contract/views/organizations/user'
import { organizations } from '../../db/schema/organizations'
import { sessions, users } from '../../db/schema/users'
import { AppError } from '../../server/errors'
import { type Browser, createBrowser } from '../support/browser/browser'
import { issueProviderToken } from '../support/providers/provider-token'
import { apiRoutes } from '../support/web/api-routes'
import { signInRoutes } from '../support/web/sign-in-routes'
import { startWebSite, type WebSite } from '../support/web/web-site'

const ada = { email: 'ada@example.test', name: '', surname: '', password: 'correct horse battery' }
const answers = { goals: ['search'], sector: 'other', position: 'other', size: 'Solo (1)', source: 'other' }
const routes = {
  ...signInRoutes,
  ...apiRoutes,
  'dashboard/usage': { loader: usagePage.loader },
  'dashboard/organization': selectOrganization,
}

let site: WebSite
let browser: Browser
let organizationId: string

beforeAll(async () => {
  site = await startWebSite(routes)
  browser = createBrowser()
  await browser.submit(await browser.open((await site.app.identity.setupLink()) ?? ''), ada)
  const { actor } = (await site.app.identity.actorFromCookie(pageRequest())) ?? expect.fail('no session')
  organizationId = (await site.app.services.organizations.create(actor, { name: 'Lamps', entity_name: '' })).id
  await site.app.db.writeOne((tx) => tx.update(organizations).set({ onboarding: answers, onboardedAt: new Date() }))
})
afterAll(() => site.close())

function pageRequest(): Request {
  const cookie = `sitelore=${browser.cookies.find(({ name }) => name === 'sitelore')?.value}`
  return new Request(`${site.origin}/dashboard`, { headers: { cookie } })
}

const messageAt = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(site.origin + path, { headers })
  return [response.status, (await response.json()).message]
}

// contract 8a.6: 'Invalid state, cannot fetch current user.' without a token
// texts Identity and session: `Invalid state, cannot fetch current user.`
test.each([
  ['/v1/auth/me', 'Invalid state, cannot fetch current user.'],
  ['/v1/organizations/any', 'Invalid state, cannot fetch organization.'],
  ['/v1/organizations/any/currentUsage', 'Invalid state, cannot fetch organization usage.'],
])('%s without a bearer is 401: %s', async (path, message) => {
  expect(await messageAt(path)).toEqual([401, message])
  expect((await messageAt(path, { authorization: 'Bearer x' }))[0]).toBe(401)
  expect((await messageAt(path, { authorization: 'Bearer x' }))[1]).not.toBe(message)
})

// contract 3a.3: Connections carry created_at
test('connections say since when', async () => {
  const token = await issueProviderToken(site.app, ada.email)
  const response = await fetch(`${site.origin}/v1/auth/me`, { headers: { authorization: `Bearer ${token}` } })
  const { user } = await response.json()
  expect(currentUserViewSchema.parse(user).org_connections).toMatchObject([
    { organization_id: organizationId, role: 'admin', created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) },
  ])
})

const goneAfterGuard = () => new AppError('not_found', 'This does not exist or you do not have access to it.')

/** The message of the error page. */
async function errorAt(path: string, init: RequestInit = {}): Promise<unknown> {
  const url = new URL(`${site.origin}/${path}.data`)
  const { text } = await browser.ask(url.href, init)
  return /Invalid state, [a-z ]+\./.exec(text)?.[0]
}

// contract 8a.9: 'Invalid state, cannot fetch organization.' and '… usage.'
// texts Identity and session: `Invalid state, cannot fetch organization.`
// texts Identity and session: `Invalid state, cannot fetch organization usage.`
test('a membership that ends between the guard and the loader shows the text of the contract', async () => {
  const { organizations: service } = site.app.services
  const get = vi.spyOn(service, 'get').mockRejectedValueOnce(goneAfterGuard())
  expect(await errorAt('dashboard/usage')).toBe('Invalid state, cannot fetch organization.')
  get.mockRestore()
  const read = vi.spyOn(service, 'usage').mockRejectedValueOnce(goneAfterGuard())
  expect(await errorAt('dashboard/usage')).toBe('Invalid state, cannot fetch organization usage.')
  read.mockRestore()
})

// contract 8a.6: 'Invalid state, cannot fetch current user.' while an organization is selected
test('a session that ends before an organization is selected shows the text of the contract', async () => {
  await expect(site.app.identity.selectOrganization(new Request(site.origin), organizationId)).rejects.toMatchObject({
    code: 'unauthenticated',
    message: 'Invalid state, cannot fetch current user.',
  })
})

// contract 8a.4: auth/me answers 404: logged out and sent to the site
test('a person who is gone is logged out and sent to the site; auth/me answers 404', async () => {
  const token = await issueProviderToken(site.app, ada.email)
  await site.app.db.writeOne((tx) => tx.delete(users).where(eq(users.emailNormalized, ada.email)))
  const { status, headers } = await browser.ask(`${site.origin}/dashboard`)
  expect([status, headers.get('location')]).toEqual([303, '/'])
  expect(await site.app.db.read.$count(sessions)).toBe(0)
  const authorization = `Bearer ${token}`
  expect((await messageAt('/v1/auth/me', { authorization }))[0]).toBe(404)
  expect((await messageAt(`/v1/organizations/${organizationId}`, { authorization }))[0]).toBe(401)
})
