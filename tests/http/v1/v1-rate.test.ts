import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { problemSchema } from '../../../contract/views/problem'
import { createBrowser } from '../../support/browser/browser'
import { issueToken } from '../../support/people/access-token'
import { signInRoutes } from '../../support/web/sign-in-routes'
import { startWebSite, type WebSite } from '../../support/web/web-site'

const limit = 5
const ada = { email: 'ada@example.test', name: '', surname: '', password: 'correct horse battery' }
const browser = createBrowser()
let web: WebSite

beforeAll(async () => {
  web = await startWebSite(signInRoutes, { API_REQUESTS_PER_MINUTE: String(limit) })
  await browser.submit(await browser.open((await web.app.identity.setupLink()) ?? ''), ada)
})
afterAll(() => web?.close())

function ask(token: string): Promise<Response> {
  return fetch(`${web.origin}/v1/auth/me`, { headers: { authorization: `Bearer ${token}` } })
}

async function statuses(tokens: string[]): Promise<number[]> {
  return (await Promise.all(tokens.map(ask))).map(({ status }) => status).sort()
}

it('a token over its rate limit gets 429 with Retry-After', async () => {
  const token = await issueToken(web.app, ada.email)
  expect(await statuses(Array(limit + 3).fill(token))).toEqual([...Array(limit).fill(200), 429, 429, 429])
  const refused = await ask(token)
  expect(refused.status).toBe(429)
  const seconds = Number(refused.headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(60)
  expect(refused.headers.get('access-control-expose-headers')).toContain('Retry-After')
  expect(problemSchema.parse(await refused.json())).toMatchObject({
    code: 'rate_limited',
    message: `This access token may send ${limit} requests a minute. Try again in ${seconds} seconds.`,
  })
})

it('another token of the same person is not limited, and pages are not counted', async () => {
  const token = await issueToken(web.app, ada.email)
  expect(await statuses(Array(limit).fill(token))).toEqual(Array(limit).fill(200))
  for (let page = 0; page < limit + 1; page++) {
    expect((await browser.ask(`${web.origin}/onboarding/organization`)).status).toBe(200)
  }
})

it('an invalid token gets 401, and is not counted', async () => {
  const token = await issueToken(web.app, ada.email)
  expect(await statuses(Array(limit + 3).fill(`${token}x`))).toEqual(Array(limit + 3).fill(401))
  expect((await ask(token)).status).toBe(200)
})

it('renewed tokens count together', async () => {
  const first = await signedInTokens()
  const tokens = [first.access_token]
  let { refresh_token } = first
  for (let renewal = 0; renewal < 3; renewal++) {
    const renewed = await exchange({ grant_type: 'refresh_token', refresh_token })
    tokens.push(renewed.access_token)
    refresh_token = renewed.refresh_token
  }
  expect(new Set(tokens).size).toBe(4)
  expect(await statuses([...tokens, ...tokens])).toEqual([...Array(limit).fill(200), 429, 429, 429])
})

interface Tokens {
  access_token: string
  refresh_token: string
}

async function signedInTokens(): Promise<Tokens> {
  const verifier = 'v'.repeat(64)
  const redirectUri = `${web.origin}/auth/callback`
  const asked = new URLSearchParams({
    client_id: 'sitelore',
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid email',
    state: 's',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const back = (await browser.ask(`${web.origin}/oidc/auth?${asked}`)).headers.get('location') ?? ''
  const code = new URL(back).searchParams.get('code') ?? ''
  return exchange({ grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier })
}

async function exchange(form: Record<string, string>): Promise<Tokens> {
  const body = new URLSearchParams({ client_id: 'sitelore', ...form })
  return (await fetch(`${web.origin}/oidc/token`, { method: 'POST', body })).json()
}
