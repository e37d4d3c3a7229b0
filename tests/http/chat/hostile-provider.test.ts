import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sessions, users } from '../../../db/schema/users'
import { type Browser, createBrowser } from '../../support/browser/browser'
import {
  type HostileProvider,
  type HostileScript,
  startHostileProvider,
} from '../../support/providers/hostile-provider'
import { signInRoutes } from '../../support/web/sign-in-routes'
import { startWebSite, type WebSite } from '../../support/web/web-site'

// An external provider in a process of its own, and everything that it, or somebody between it and the browser, can do.

let provider: HostileProvider
let site: WebSite

beforeAll(async () => {
  provider = await startHostileProvider()
  site = await startWebSite(signInRoutes, {
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: 'site',
    OIDC_CLIENT_SECRET: 'secret',
  })
})
afterAll(async () => {
  await site.close()
  await provider.close()
})
beforeEach(() => site.app.db.write(async (tx) => void (await tx.delete(sessions))))

type Outcome = { error: string; description: string } | string

const invalidState = (error: string): Outcome => ({ error, description: 'Invalid state' })
const loginFailed: Outcome = { error: 'login_failed', description: 'Login failed' }

/** The callback to which the provider redirects, without opening it. */
async function callbackOf(browser: Browser, start = '/login'): Promise<URL> {
  const login = await browser.ask(site.origin + start)
  const { headers } = await browser.ask(login.headers.get('location') ?? '')
  return new URL(headers.get('location') ?? '')
}

/** Where a callback leads: the path, or the error that the landing page explains. */
async function outcomeOf(browser: Browser, callback: URL): Promise<Outcome> {
  const { headers } = await browser.ask(callback.href)
  const { origin, pathname, searchParams } = new URL(headers.get('location') ?? '', site.origin)
  const [error, description] = [searchParams.get('error'), searchParams.get('error_description')]
  if (origin !== site.origin) return origin
  return error === null ? pathname : { error, description: description ?? '' }
}

async function signIn(script: HostileScript, browser = createBrowser()): Promise<Outcome> {
  await provider.play(script)
  return outcomeOf(browser, await callbackOf(browser))
}

const isSignedIn = ({ cookies }: Browser) => cookies.some(({ name }) => name === 'sitelore')
const seconds = () => Math.floor(Date.now() / 1000)

/** Each way of a case, as the script of a sign-in or as a function that tries it; all have the same outcome. */
interface Case {
  ways: (HostileScript | ((browser: Browser) => Promise<Outcome>))[]
  outcome?: Outcome
}

/** The cases of the hostile provider by name: 25. Without an outcome, the sign-in fails with 'Login failed'. */
const cases: Record<string, Case> = {
  // First, because a valid discovery document is read once.
  'a discovery document of another issuer': {
    ways: [
      async (browser) => {
        await provider.play({ discoveredIssuer: 'https://evil.example' })
        return outcomeOf(browser, new URL('/login', site.origin))
      },
    ],
    outcome: { error: 'login_failed', description: 'The sign-in service does not answer. Please try again later.' },
  },
  'no state': { ways: [{ state: null }], outcome: invalidState('state_mismatch') },
  'the state of another sign-in': {
    ways: [{ state: 'foreign' }, { state: '' }],
    outcome: invalidState('state_mismatch'),
  },
  'a callback in another browser': {
    ways: [
      async () => {
        await provider.play({})
        return outcomeOf(createBrowser(), await callbackOf(createBrowser()))
      },
    ],
    outcome: invalidState('missing_transaction'),
  },
  'a callback that is opened twice': {
    ways: [
      async (browser) => {
        await provider.play({})
        const callback = await callbackOf(browser)
        expect(await outcomeOf(browser, callback)).toBe('/dashboard')
        await browser.ask(`${site.origin}/logout`, { method: 'POST', headers: { origin: site.origin } })
        return outcomeOf(browser, callback)
      },
    ],
    outcome: invalidState('missing_transaction'),
  },
  'the code of an earlier sign-in': { ways: [afterSignIn({ reuse: 'code' })] },
  'the ID token of an earlier sign-in': { ways: [afterSignIn({ reuse: 'id-token' })] },
  'no nonce': { ways: [{ without: ['nonce'] }] },
  'another nonce': { ways: [{ claims: { nonce: 'another' } }, { claims: { nonce: '' } }] },
  'another issuer': { ways: [{ claims: { iss: 'https://evil.example' } }] },
  'a similar issuer, or none': {
    ways: [
      async (browser) => signIn({ claims: { iss: `${provider.issuer}/` } }, browser),
      async (browser) => signIn({ claims: { iss: `${provider.issuer}.evil.example` } }, browser),
      { without: ['iss'] },
    ],
  },
  'a callback that names another issuer': {
    ways: [{ issuerParameter: 'https://evil.example' }],
    outcome: invalidState('state_mismatch'),
  },
  'another audience': { ways: [{ claims: { aud: 'another' } }, { claims: { aud: ['another'] } }] },
  'no audience': { ways: [{ without: ['aud'] }, { claims: { aud: [] } }] },
  'several audiences without an authorized party': { ways: [{ claims: { aud: ['site', 'another'] } }] },
  'another authorized party': {
    ways: [{ claims: { azp: 'another' } }, { claims: { aud: ['site', 'another'], azp: 'another' } }],
  },
  'an expired ID token': { ways: [{ claims: { exp: seconds() - 61 } }, { claims: { exp: 0 } }] },
  'no expiry': { ways: [{ without: ['exp'] }] },
  'an ID token that is not valid yet': { ways: [{ claims: { nbf: seconds() + 3600 } }] },
  'alg none': { ways: [{ signature: 'none' }, { signature: 'none-with-kid' }] },
  'HMAC with the public key': {
    ways: [{ signature: 'public-key-pem' }, { signature: 'public-key-jwk' }, { signature: 'public-key-modulus' }],
  },
  'HMAC with the client secret': { ways: [{ signature: 'client-secret' }] },
  'a kid that is foreign, unknown or a path': {
    ways: [{ signature: 'foreign-key' }, { signature: 'unknown-kid' }, { signature: 'path-kid' }],
  },
  'a key that the header names': {
    ways: [{ signature: 'jwk-header' }, { signature: 'jku-header' }, { signature: 'x5u-header' }],
  },
  'a return address on another site': {
    ways: ['returnTo', 'back', 'redirect_uri', 'next'].map((name) => async () => {
      await provider.play({})
      const browser = createBrowser()
      const callback = await callbackOf(browser, `/login?${name}=${encodeURIComponent('https://evil.example/')}`)
      expect(callback.origin + callback.pathname).toBe(`${site.origin}/auth/callback`)
      callback.searchParams.set(name, '//evil.example')
      const outcome = await outcomeOf(browser, callback)
      expect(isSignedIn(browser)).toBe(true)
      return outcome
    }),
    outcome: '/dashboard',
  },
}

function afterSignIn(script: HostileScript) {
  return async (browser: Browser) => {
    expect(await signIn({})).toBe('/dashboard')
    return signIn(script, browser)
  }
}

test('there are 25 cases', () => {
  expect(Object.keys(cases)).toHaveLength(25)
})

describe('a hostile provider', () => {
  beforeAll(async () => {
    // Somebody may sign in at all: the site is set up.
    const row = { email: 'ada@example.test', emailNormalized: 'ada@example.test', subject: 'ada' }
    await site.app.db.writeOne((tx) => tx.insert(users).values({ ...row, issuer: provider.issuer }))
  })

  test.each(Object.entries(cases))('%s', async (_name, { ways, outcome = loginFailed }) => {
    for (const way of ways) {
      const browser = createBrowser()
      expect(typeof way === 'function' ? await way(browser) : await signIn(way, browser)).toEqual(outcome)
      expect(isSignedIn(browser)).toBe(false)
    }
  })

  test('signs people in if it does everything right, within the clock skew', async () => {
    const browser = createBrowser()
    expect(await signIn({}, browser)).toBe('/dashboard')
    expect(isSignedIn(browser)).toBe(true)
    expect(await signIn({ issuerParameter: provider.issuer, claims: { exp: seconds() - 30 } })).toBe('/dashboard')
  })

  test('is never asked for a key that a header names', async () => {
    await signIn({ signature: 'jku-header' })
    expect(await provider.play({})).toEqual(expect.not.arrayContaining(['/foreign-keys']))
  })

  test('cannot send the token request or the claims of another person', async () => {
    expect(await signIn({ tokenRedirect: true })).toEqual(loginFailed)
    expect(await provider.play({})).toEqual(expect.not.arrayContaining(['/elsewhere']))
    expect(await signIn({ slim: true, userinfo: { sub: 'grace' } })).toEqual(loginFailed)
    expect(await signIn({ slim: true })).toBe('/dashboard')
  })
})
