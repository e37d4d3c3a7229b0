import { afterAll, beforeAll, expect, test } from 'vitest'
import { system } from '../../../server/actor'
import { type Browser, createBrowser } from '../../support/browser/browser'
import { issueToken } from '../../support/people/access-token'
import { type OpenIdProvider, type Script, startOpenIdProvider } from '../../support/people/openid-provider'
import { signInRoutes } from '../../support/web/sign-in-routes'
import { startWebSite, type WebSite } from '../../support/web/web-site'

const ada = {
  sub: 'x|ada',
  email: 'ada@example.test',
  email_verified: true,
  given_name: 'Ada',
  family_name: 'Lovelace',
}

let provider: OpenIdProvider
let site: WebSite

beforeAll(async () => {
  provider = await startOpenIdProvider()
  site = await startWebSite(signInRoutes, {
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
    OIDC_AUDIENCE: provider.audience,
  })
})
afterAll(async () => {
  await site.close()
  await provider.close()
})

/** Where a sign-in by this script ends: the path of the page, or what the landing page was told. */
async function signIn(script: Script, start = `${site.origin}/login`, browser: Browser = createBrowser()) {
  provider.script = script
  await browser.open(start)
  const callback = browser.trail.findIndex((url) => url.includes('/auth/callback'))
  const { pathname, searchParams } = new URL(browser.trail[callback + 1] ?? '')
  const error = searchParams.get('error')
  return error ? { error, description: searchParams.get('error_description') } : pathname
}

test('does not serve the embedded provider', async () => {
  const page = await createBrowser().open(`${site.origin}/oidc/.well-known/openid-configuration`)
  expect(page.text).not.toContain('issuer')
})

test('admits nobody before the set-up; its link makes the first person administrator', async () => {
  expect(await signIn({ claims: ada })).toMatchObject({
    error: 'access_denied',
    description: expect.stringContaining('set-up link'),
  })
  expect(await site.app.services.accounts.list(system)).toEqual([])
  expect(await signIn({ claims: ada }, (await site.app.identity.setupLink()) ?? '')).toBe('/dashboard')
  const [user] = await site.app.services.accounts.list(system)
  expect(user).toMatchObject({ email: ada.email, name: 'Ada', surname: 'Lovelace', auth0_id: 'x|ada', type: 1 })
  expect(Object.fromEntries(provider.asked)).toMatchObject({
    response_type: 'code',
    scope: 'openid email profile',
    code_challenge_method: 'S256',
    screen_hint: 'signup',
    audience: provider.audience,
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    state: expect.stringMatching(/^[\w-]{40,}$/),
  })
})

test('signs in again without a link, also if only /userinfo has the claims', async () => {
  expect(await signIn({ claims: ada })).toBe('/dashboard')
  expect(await signIn({ claims: ada, slim: true })).toBe('/dashboard')
  expect(await site.app.services.accounts.list(system)).toHaveLength(1)
})

test('removes control characters from a name, and keeps the stored name if nothing is left', async () => {
  const claims = { ...ada, given_name: '\0Ada\u0007 King\0', family_name: '\0\n' }
  expect(await signIn({ claims })).toBe('/dashboard')
  expect(await site.app.services.accounts.list(system)).toMatchObject([{ name: 'Ada  King', surname: 'Lovelace' }])
  expect(await signIn({ claims: ada })).toBe('/dashboard')
})

test.each<[string, Partial<Script>]>([
  ['a nonce of another sign-in', { idToken: { nonce: 'another' } }],
  ['no nonce', { idToken: { nonce: undefined } }],
  ['another audience', { idToken: { aud: 'another' } }],
  ['a second audience without saying for whom it is', { idToken: { aud: ['site', 'another'] } }],
  ['another authorized party', { idToken: { azp: 'another' } }],
  ['another issuer', { idToken: { iss: 'https://evil.example' } }],
  ['a time past the leeway', { idToken: { exp: Math.floor(Date.now() / 1000) - 90 } }],
  ['a signature of another key', { foreignKey: true }],
])('rejects an ID token with %s', async (_, script) => {
  expect(await signIn({ claims: ada, ...script })).toEqual({ error: 'login_failed', description: 'Login failed' })
})

test('tolerates a clock skew of less than a minute', async () => {
  expect(await signIn({ claims: ada, idToken: { exp: Math.floor(Date.now() / 1000) - 30 } })).toBe('/dashboard')
})

test("shows the contract's message for another state", async () => {
  expect(await signIn({ claims: ada, state: 'foreign' })).toEqual({
    error: 'state_mismatch',
    description: 'Invalid state',
  })
})

test("shows the contract's text when the provider refuses", async () => {
  const verify = 'You need to verify your email before logging in.'
  expect(await signIn({ claims: ada, error: { error: 'access_denied', error_description: verify } })).toEqual({
    error: 'access_denied',
    description: verify,
  })
  expect(await signIn({ claims: ada, error: { error: 'login_required' } })).toEqual({
    error: 'login_required',
    description: 'Login failed',
  })
  expect(await signIn({ claims: ada, error: { error: 'strange', error_description: 'details' } })).toEqual({
    error: 'login_failed',
    description: 'Login failed',
  })
})

test('links an account by e-mail address only if the provider has verified the address', async () => {
  const second = { ...ada, sub: 'y|ada', email: 'ADA@example.test' }
  expect(await signIn({ claims: { ...second, email_verified: false } })).toEqual({
    error: 'access_denied',
    description: 'You need to verify your email before logging in.',
  })
  expect(await signIn({ claims: second })).toBe('/dashboard')
  expect((await site.app.services.accounts.list(system)).map(({ auth0_id }) => auth0_id)).toEqual(['y|ada'])
})

test('requires an invitation for the own address', async () => {
  const grace = { sub: 'x|grace', email: 'grace@example.test', email_verified: true }
  const link = await site.app.identity.invitationLink(' Grace@Example.test')
  const refusal = { error: 'access_denied', description: expect.stringContaining('by invitation') }
  expect(await signIn({ claims: grace })).toMatchObject(refusal)
  expect(await signIn({ claims: { ...grace, email: 'mallory@example.test' } }, link)).toMatchObject(refusal)
  expect(await signIn({ claims: grace }, link)).toBe('/dashboard')
})

test('does not follow a new address that the provider has not verified', async () => {
  const linus = { sub: 'x|linus', email: 'linus@example.test', email_verified: true }
  expect(await signIn({ claims: linus }, await site.app.identity.invitationLink(linus.email))).toBe('/dashboard')
  const emailOf = async (subject: string) =>
    (await site.app.services.accounts.list(system)).find(({ auth0_id }) => auth0_id === subject)?.email
  expect(await signIn({ claims: { ...linus, email: 'vera@example.test', email_verified: false } })).toBe('/dashboard')
  expect(await emailOf(linus.sub)).toBe('linus@example.test')
  expect(await signIn({ claims: { ...linus, email: 'torvalds@example.test' } })).toBe('/dashboard')
  expect(await emailOf(linus.sub)).toBe('torvalds@example.test')
})

test('ends the sessions and tokens of a user whom another subject signs in as', async () => {
  const vera = { email: 'vera@example.test' }
  const mallory = createBrowser()
  const link = await site.app.identity.invitationLink(vera.email)
  await signIn({ claims: { ...vera, sub: 'x|mallory', email_verified: false } }, link, mallory)
  const token = await issueToken(site.app, vera.email)
  const tokenStatus = async () =>
    (await fetch(`${site.origin}/v1/auth/me`, { headers: { authorization: `Bearer ${token}` } })).status
  const isSignedIn = async ({ cookies }: Browser) => {
    const cookie = `sitelore=${cookies.find(({ name }) => name === 'sitelore')?.value}`
    const request = new Request(`${site.origin}/dashboard`, { headers: { cookie } })
    return (await site.app.identity.actorFromCookie(request)) !== null
  }
  expect([await tokenStatus(), await isSignedIn(mallory)]).toEqual([200, true])

  const owner = createBrowser()
  expect(await signIn({ claims: { ...vera, sub: 'x|vera', email_verified: true } }, undefined, owner)).toBe(
    '/dashboard',
  )
  expect([await tokenStatus(), await isSignedIn(mallory), await isSignedIn(owner)]).toEqual([401, false, true])
})

test('issues no reset link, because it stores no passwords', async () => {
  await expect(site.app.identity.resetLink(ada.email)).rejects.toMatchObject({ code: 'conflict' })
})

test('signs out at the issuer and returns to the site', async () => {
  const browser = createBrowser()
  await signIn({ claims: { ...ada, sub: 'y|ada' } }, undefined, browser)
  await browser.open(`${site.origin}/logout`, { method: 'POST', headers: { origin: site.origin } })
  const bye = new URL(browser.trail.at(-2) ?? '')
  expect(bye.origin + bye.pathname).toBe(`${provider.issuer}/bye`)
  expect(bye.searchParams.get('id_token_hint')?.split('.')).toHaveLength(3)
  expect(browser.trail.at(-1)).toBe(`${site.origin}/`)
  // A browser that heeds the policy follows the form's redirect only where the page allows it.
  const policy = (await fetch(`${site.origin}/login`, { redirect: 'manual' })).headers.get('content-security-policy')
  expect(policy).toContain(`form-action 'self' ${new URL(provider.issuer).origin};`)
})

test("accepts the issuer's access tokens as well as its own", async () => {
  const status = async (token: string) => {
    const response = await fetch(`${site.origin}/v1/auth/me`, { headers: { authorization: `Bearer ${token}` } })
    return [response.status, (await response.json()).user?.email]
  }
  expect(await status(await provider.accessToken({ sub: 'y|ada' }))).toEqual([200, 'ada@example.test'])
  expect(await status(await issueToken(site.app, 'ada@example.test'))).toEqual([200, 'ada@example.test'])
  // Valid, but of a person without an account here.
  expect((await status(await provider.accessToken({ sub: 'nobody' })))[0]).toBe(404)
  expect((await status(await provider.accessToken({ sub: 'y|ada', aud: provider.clientId })))[0]).toBe(401)
  expect((await status(await provider.accessToken({ sub: 'y|ada', iss: 'https://evil.example' })))[0]).toBe(401)
})
