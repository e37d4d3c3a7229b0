import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { system } from '../../../server/actor'
import { type Browser, createBrowser } from '../../support/browser/browser'
import { issueToken } from '../../support/people/access-token'
import { signInRoutes } from '../../support/web/sign-in-routes'
import { startWebSite, type WebSite } from '../../support/web/web-site'

const ada = { email: 'ada@example.test', name: '', surname: '', password: 'correct horse battery' }
const grace = { email: 'grace@example.test', name: '', surname: '', password: 'a password of her own' }

let site: WebSite
beforeAll(async () => {
  site = await startWebSite(signInRoutes)
})
afterAll(() => site.close())

const statusOf = async (bearer: string) =>
  (await fetch(`${site.origin}/v1/auth/me`, { headers: { authorization: `Bearer ${bearer}` } })).status
const isSignedIn = async (browser: Browser) =>
  (await browser.ask(`${site.origin}/dashboard`)).headers.get('location') !== '/'

/** What the embedded provider grants the person who is signed in in this browser. */
async function grantTo(browser: Browser): Promise<{ access_token: string; refresh_token: string }> {
  const verifier = 'v'.repeat(64)
  const redirectUri = `${site.origin}/auth/callback`
  const request = new URLSearchParams({
    client_id: 'sitelore',
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid email',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const { headers } = await browser.ask(`${site.origin}/oidc/auth?${request}`)
  const code = new URL(headers.get('location') ?? '').searchParams.get('code') ?? ''
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier }
  return (await exchange(form)).json()
}

function exchange(form: Record<string, string>): Promise<Response> {
  const body = new URLSearchParams({ client_id: 'sitelore', ...form })
  return fetch(`${site.origin}/oidc/token`, { method: 'POST', body })
}

async function reset(email: string, password: string) {
  const browser = createBrowser()
  return browser.submit(await browser.open(await site.app.identity.resetLink(email)), { password })
}

test('a password reset ends all sessions and tokens of the person, and no others', async () => {
  const [first, second, otherBrowser] = [createBrowser(), createBrowser(), createBrowser()]
  await first.submit(await first.open((await site.app.identity.setupLink()) ?? ''), ada)
  await second.submit(await second.open(`${site.origin}/login`), ada)
  await otherBrowser.submit(await otherBrowser.open(await site.app.identity.invitationLink(grace.email)), grace)
  const own = await issueToken(site.app, ada.email)
  const granted = await grantTo(first)
  const foreign = await issueToken(site.app, grace.email)
  expect([await statusOf(own), await statusOf(granted.access_token), await statusOf(foreign)]).toEqual([200, 200, 200])

  expect((await reset(ada.email, 'a new long password')).text).toContain('Your password was changed')

  expect([await isSignedIn(first), await isSignedIn(second), await isSignedIn(otherBrowser)]).toEqual([
    false,
    false,
    true,
  ])
  expect([await statusOf(own), await statusOf(granted.access_token), await statusOf(foreign)]).toEqual([401, 401, 200])
  const renewal = await exchange({ grant_type: 'refresh_token', refresh_token: granted.refresh_token })
  expect(renewal.status).toBe(400)
  const response = await fetch(`${site.origin}/v1/auth/me`, {
    headers: { authorization: `Bearer ${granted.access_token}` },
  })
  expect(await response.json()).toMatchObject({ code: 'unauthenticated', message: expect.stringContaining('password') })
  expect(await statusOf(await issueToken(site.app, ada.email))).toBe(200)
})

test('a password reset records the revoked tokens', async () => {
  const { services } = site.app
  const { id } = await services.accounts.find(system, grace.email)
  const actor = { kind: 'person' as const, userId: id, staff: false, memberships: [] }
  const organization = await services.organizations.create(actor, { name: 'Fennel', entity_name: '' })
  const token = { name: 'backup', role: null, organization_id: organization.id, days: 1 }
  const { id: tokenId } = await services.accessTokens.create(actor, id, token)
  await reset(grace.email, grace.password)
  const [event] = await services.audit.list(system, organization.id)
  expect(event).toMatchObject({
    action: 'token.revoked',
    actor: { kind: 'person', email: grace.email },
    subject: { id: tokenId, name: 'backup' },
  })
})

test('a rejected password changes neither the link nor the sessions and tokens', async () => {
  const browser = createBrowser()
  await browser.submit(await browser.open(`${site.origin}/login`), grace)
  const token = await issueToken(site.app, grace.email)
  const otherBrowser = createBrowser()
  const form = await otherBrowser.open(await site.app.identity.resetLink(grace.email))
  expect((await otherBrowser.submit(form, { password: 'tiny' })).status).toBe(400)
  expect([await isSignedIn(browser), await statusOf(token)]).toEqual([true, 200])
  expect((await otherBrowser.submit(form, { password: 'another new password' })).status).toBe(200)
  expect([await isSignedIn(browser), await statusOf(token)]).toEqual([false, 401])
})

test('sends people who forgot their password to an administrator without a mail server', async () => {
  const browser = createBrowser()
  const { url } = await browser.open(`${site.origin}/login`)
  const page = await browser.open(`${url}/forgot`)
  expect(page.text).toContain('Ask an administrator of this site for a link to choose a new password.')
  expect(page.text).toContain('sitelore -- users reset')
  expect(page.text).not.toContain('<form')
})
