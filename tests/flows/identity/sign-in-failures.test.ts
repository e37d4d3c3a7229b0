import type { LoaderFunctionArgs } from '@remix-run/node'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as landing from '../../../app/routes/_public+/_index'
import { type Browser, createBrowser } from '../../support/browser/browser'
import { type OpenIdProvider, type Script, startOpenIdProvider } from '../../support/people/openid-provider'
import { signInRoutes } from '../../support/web/sign-in-routes'
import { startWebSite, type WebSite } from '../../support/web/web-site'

const words = 'The account <b>is</b> blocked.'
const general = 'The sign-in was refused. Please log in again.'

/** The notifications of the landing page. */
const notifications = {
  loader: async (args: LoaderFunctionArgs) => {
    const { data, init } = await landing.loader(args)
    return Response.json(data.notifications, init ?? {})
  },
}

let provider: OpenIdProvider
let site: WebSite
beforeAll(async () => {
  provider = await startOpenIdProvider()
  site = await startWebSite(
    { ...signInRoutes, notifications },
    { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: provider.clientId, OIDC_CLIENT_SECRET: provider.clientSecret },
  )
})
afterAll(async () => {
  await site.close()
  await provider.close()
})

const failureOf = ({ cookies }: Browser) => cookies.find(({ name }) => name === 'sitelore-failure')

/** A sign-in that the provider refuses; resolves to the landing page's address. */
async function fail(browser: Browser): Promise<URL> {
  provider.script = { claims: { sub: 'ada' }, error: { error: 'access_denied', error_description: words } }
  return new URL((await browser.open(`${site.origin}/login`)).url)
}

/** What the landing page shows at this address. */
async function shownAt({ search }: URL, browser: Browser = createBrowser()) {
  const { text } = await browser.open(`${site.origin}/notifications${search}`)
  return (JSON.parse(text) as { title: string; message?: string }[])[0]
}

test('shows the description of a failed sign-in once', async () => {
  const browser = createBrowser()
  const address = await fail(browser)
  expect(address.searchParams.get('error')).toBe('access_denied')
  expect(failureOf(browser)?.attributes).toMatch(/Max-Age=120; Path=\/; HttpOnly; SameSite=Lax/)
  expect(await shownAt(address, browser)).toMatchObject({ title: 'Failed to log in, access denied!', message: words })
  expect(failureOf(browser)).toBeUndefined()
  expect(await shownAt(address, browser)).toMatchObject({ title: 'Failed to log in, access denied!', message: general })
})

test('does not show a description that is only in the address', async () => {
  const address = await fail(createBrowser())
  expect(address.searchParams.get('error_description')).toBe(words)
  expect(await shownAt(address)).toMatchObject({ title: 'Failed to log in, access denied!', message: general })
})

test('drops the description of a callback without a sign-in', async () => {
  const browser = createBrowser()
  await browser.ask(`${site.origin}/login`)
  const denied = new URLSearchParams({ error: 'access_denied', error_description: words })
  for (const state of ['', '&state=', '&state=foreign']) {
    const { url } = await browser.open(`${site.origin}/auth/callback?${denied}${state}`)
    expect((await shownAt(new URL(url), browser))?.title).toBe('Invalid state')
  }
})

test.each([
  ['timeout', 'The sign-in service took too long to answer. Please log in again.'],
  ['cancelled', 'The sign-in was cancelled.'],
  ['mfa_required', 'The sign-in service asks for a second factor. Please log in again.'],
  ['missing_refresh_token', 'The sign-in has expired. Please log in again.'],
  ['use_dpop_nonce', 'The sign-in service rejected the request. Please log in again.'],
  ['login_required', 'The sign-in service asks you to log in again.'],
])('explains the code %s of a provider', async (code, message) => {
  provider.script = { claims: { sub: 'ada' }, error: { error: code } }
  const browser = createBrowser()
  const address = new URL((await browser.open(`${site.origin}/login`)).url)
  expect(Object.fromEntries(address.searchParams)).toEqual({ error: code, error_description: 'Login failed' })
  expect(await shownAt(address, browser)).toMatchObject({ type: 'danger', title: 'Login failed', message })
})

test.each<[string, Partial<Script>]>([
  ['a token request', { silent: true }],
  ['a request of userinfo', { slim: true, silentUserinfo: true }],
])('gives up %s after 10 seconds, with the code timeout', async (_what, script) => {
  provider.script = { claims: { sub: 'ada', email: 'ada@example.test' }, ...script }
  const { timeout } = AbortSignal
  const limits = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout.call(AbortSignal, ms / 100))
  const browser = createBrowser()
  const address = new URL((await browser.open(`${site.origin}/login`)).url)
  expect(limits.mock.calls.at(-1)).toEqual([10_000])
  limits.mockRestore()
  expect(Object.fromEntries(address.searchParams)).toEqual({ error: 'timeout', error_description: 'Login failed' })
  const message = 'The sign-in service took too long to answer. Please log in again.'
  expect(await shownAt(address, browser)).toMatchObject({ title: 'Login failed', message })
})

const claims = btoa('{"code":"access_denied","description":"x","aud":"login-failure","exp":9999999999}')
test.each([
  ['changed', (value: string) => value.replace(/\.[^.]+\./, `.${claims}.`)],
  ['unsigned', () => `${btoa('{"alg":"none"}')}.${claims}.`],
  ['not a token', () => 'x'],
  ['empty', () => ''],
])('rejects a cookie that is %s', async (_what, forge) => {
  const browser = createBrowser()
  const address = await fail(browser)
  const cookie = failureOf(browser) ?? expect.fail('no cookie')
  cookie.value = forge(cookie.value)
  expect(await shownAt(address, browser)).toMatchObject({ message: general })
})
