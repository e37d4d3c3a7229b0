import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { decodeProtectedHeader, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createRouter } from '../../app/http/operations/router.server'
import type { Operations } from '../../contract/api/operation'
import { members } from '../../db/schema/organizations'
import { system } from '../../server/actor'
import { createBrowser } from '../support/browser/browser'
import { issueToken } from '../support/people/access-token'
import { issueProviderToken } from '../support/providers/provider-token'
import { signInRoutes } from '../support/web/sign-in-routes'
import { startWebSite, type WebSite } from '../support/web/web-site'

const schema = z.object({ name: z.string('Name is required').min(1, 'Name is required').max(5) })
const called = { path: '/v1/echo', summary: 'Echo', callers: 'person' } as const
const table = {
  echo: { ...called, method: 'POST', body: schema, form: true, status: 201, response: schema },
  remove: { ...called, method: 'DELETE' },
  fail: { ...called, method: 'GET' },
} satisfies Operations
const echo = createRouter(table, {
  echo: ({ body }) => body,
  remove: () => undefined,
  fail: () => {
    throw new Error('the secret inside')
  },
})

const ada = { email: 'ada@example.test', name: '', surname: '', password: 'correct horse battery' }
const browser = createBrowser()
let site: WebSite
let token: string

beforeAll(async () => {
  site = await startWebSite({ ...signInRoutes, 'v1/echo': { loader: echo, action: echo } })
  await browser.submit(await browser.open((await site.app.identity.setupLink()) ?? ''), ada)
  token = await issueToken(site.app, ada.email)
})
afterAll(() => site.close())

const ask = (path: string, init: RequestInit & { bearer?: string } = {}) => {
  const headers = new Headers(init.headers)
  if (init.bearer !== undefined) headers.set('authorization', `Bearer ${init.bearer}`)
  return fetch(site.origin + path, { ...init, headers })
}

describe('the bearer', () => {
  test('identifies the person of a personal access token', async () => {
    const response = await ask('/v1/auth/me', { bearer: token })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ user: { email: ada.email, type: 1, org_connections: [] } })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
  })

  test('is a JWT for /v1 if the embedded provider issued it, and is renewed', async () => {
    const verifier = 'v'.repeat(64)
    const redirectUri = `${site.origin}/auth/callback`
    const asked = new URLSearchParams({
      client_id: 'sitelore',
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: 'openid email',
      state: 's',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    })
    const back = (await browser.ask(`${site.origin}/oidc/auth?${asked}`)).headers.get('location') ?? ''
    const code = new URL(back).searchParams.get('code') ?? ''
    const exchange = (form: Record<string, string>) =>
      ask('/oidc/token', { method: 'POST', body: new URLSearchParams({ client_id: 'sitelore', ...form }) })
    const first = await exchange({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    })
    const tokens = await first.json()
    expect(decodeProtectedHeader(tokens.access_token)).toMatchObject({ alg: 'RS256', typ: 'at+jwt' })
    expect((await ask('/v1/auth/me', { bearer: tokens.access_token })).status).toBe(200)
    // Signed with the same key, for another audience.
    expect((await ask('/v1/auth/me', { bearer: tokens.id_token })).status).toBe(401)

    const renewal = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
    const renewed = await (await exchange(renewal)).json()
    expect((await ask('/v1/auth/me', { bearer: renewed.access_token })).status).toBe(200)
    expect((await exchange(renewal)).status).toBe(400)
    // A code without its verifier is worth nothing.
    const plain = await browser.ask(
      `${site.origin}/oidc/auth?${new URLSearchParams({ ...Object.fromEntries(asked), code_challenge: '' })}`,
    )
    expect(plain.headers.get('location') ?? '').not.toContain('code=')
  })

  test('is rejected if missing, malformed, expired, or of another issuer or audience', async () => {
    const foreign = await generateKeyPair('RS256')
    const jwt = await issueProviderToken(site.app, ada.email)
    const { kid } = decodeProtectedHeader(jwt)
    const forge = (claims: JWTPayload) =>
      new SignJWT({ iss: `${site.origin}/oidc`, aud: `${site.origin}/v1`, sub: 'x', exp: 9_999_999_999, ...claims })
        .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: kid ?? '' })
        .sign(foreign.privateKey)
    const unsigned = `${Buffer.from(JSON.stringify({ alg: 'none', kid })).toString('base64url')}.${jwt.split('.')[1]}.`
    const [header, payload, signature] = jwt.split('.')
    const changed = Buffer.from(String(payload), 'base64url').toString().replace('/v1', '/v2')
    const tokens = [
      '',
      'x',
      'a.b.c',
      unsigned,
      await forge({}),
      `${header}.${Buffer.from(changed).toString('base64url')}.${signature}`,
      await issueProviderToken(site.app, ada.email, -120),
    ]
    for (const bearer of tokens) {
      const response = await ask('/v1/auth/me', { bearer })
      expect([bearer, response.status]).toEqual([bearer, 401])
      expect(response.headers.get('www-authenticate')).toBe('Bearer')
      expect(response.headers.get('content-type')).toContain('application/problem+json')
    }
    const expired = await ask('/v1/auth/me', { bearer: tokens.at(-1) })
    expect(await expired.json()).toMatchObject({ status: 401, message: 'The access token has expired.' })
    expect((await ask('/v1/auth/me')).status).toBe(401)
    expect((await ask('/v1/auth/me', { headers: { authorization: `Basic ${token}` } })).status).toBe(401)
  })

  test('is ignored on pages, as the cookie is on /v1', async () => {
    const page = await ask('/dashboard', { bearer: token, redirect: 'manual' })
    expect(page.headers.get('location')).toBe('/')
    expect((await browser.ask(`${site.origin}/v1/auth/me`)).status).toBe(401)
  })

  test('loses access as soon as a membership ends', async () => {
    const [admin] = await site.app.services.accounts.list(system)
    const actor = { kind: 'person' as const, userId: admin?.id ?? '', staff: true, memberships: [] }
    const created = await site.app.services.organizations.create(actor, { name: 'Lamps', entity_name: '' })
    const connections = async () => (await (await ask('/v1/auth/me', { bearer: token })).json()).user.org_connections
    expect(await connections()).toMatchObject([{ organization_id: created.id, role: 'admin' }])
    await site.app.db.write(async (tx) => {
      await tx.delete(members).where(eq(members.organizationId, created.id))
    })
    expect(await connections()).toEqual([])
  })
})

describe('bodies', () => {
  const json = { 'content-type': 'application/json' }
  const post = (body: BodyInit | null, headers: Record<string, string> = json) =>
    ask('/v1/echo', { method: 'POST', body, headers, bearer: token })

  test('are accepted as JSON and, where allowed, as forms', async () => {
    const form = new FormData()
    form.set('name', 'Ada')
    const responses = [
      await post('{"name":"Ada"}'),
      await post(form, {}),
      await post(new URLSearchParams({ name: 'Ada' }), {}),
    ]
    for (const response of responses) {
      expect(response.status).toBe(201)
      expect(await response.json()).toEqual({ name: 'Ada' })
    }
  })

  test.each<[string, BodyInit | null, Record<string, string>]>([
    ['null', 'null', json],
    ['an array', '[]', json],
    ['a text', '"x"', json],
    ['broken JSON', '{"name":', json],
    ['bytes that are no text', new Uint8Array([0x7b, 0xff, 0x7d]), json],
    ['nothing', '', json],
    ['no body', null, {}],
    ['text/plain', '{"name":"Ada"}', { 'content-type': 'text/plain' }],
    ['a broken multipart', '--x\r\nbroken', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['a multipart without boundary', 'x', { 'content-type': 'multipart/form-data' }],
    ['a missing field', '{}', json],
    ['a field of another type', '{"name":{"a":1}}', json],
  ])('%s is 400, never 500', async (_, body, headers) => {
    const response = await post(body, headers)
    expect(response.status).toBe(400)
    const problem = await response.json()
    expect(problem).toMatchObject({ status: 400, code: 'invalid_input', message: expect.any(String) })
    expect(problem.instance).toBe(`urn:uuid:${response.headers.get('x-request-id')}`)
  })

  test('name the invalid fields', async () => {
    const problem = await (await post('{"name":""}')).json()
    expect(problem).toMatchObject({ message: 'Name is required', errors: { name: ['Name is required'] } })
  })

  test('rejects bodies over 1 MiB with 413, with or without a declared length', async () => {
    const large = JSON.stringify({ name: 'x'.repeat(1024 * 1024) })
    expect((await post(large)).status).toBe(413)
    const stream = new Blob([large]).stream()
    const init = { method: 'POST', body: stream, duplex: 'half', headers: json, bearer: token } as RequestInit
    expect((await ask('/v1/echo', init)).status).toBe(413)
  })
})

describe('every path below /v1', () => {
  test('responds with JSON, also for unknown paths', async () => {
    for (const [path, method] of [
      ['/v1/nothing', 'GET'],
      ['/v1/nothing/at/all', 'POST'],
      ['/v1/', 'DELETE'],
    ] as const) {
      const response = await ask(path, { method })
      expect([path, response.status]).toEqual([path, 404])
      expect(await response.json()).toMatchObject({ status: 404, code: 'not_found' })
    }
  })

  test('rejects other methods and lists the allowed ones', async () => {
    const response = await ask('/v1/auth/me', { method: 'PUT', bearer: token })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    expect(await response.json()).toMatchObject({ status: 405 })
  })

  test('allows requests from pages of other sites', async () => {
    const response = await ask('/v1/echo', { method: 'OPTIONS', headers: { origin: 'https://other.example' } })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-methods')).toContain('POST')
    expect(response.headers.get('access-control-allow-headers')).toContain('Authorization')
    expect(response.headers.get('access-control-allow-credentials')).toBeNull()
  })

  test('does not reveal internal errors', async () => {
    const response = await ask('/v1/echo', { bearer: token })
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('secret')
    expect((await ask('/v1/echo', { method: 'DELETE', bearer: token })).status).toBe(204)
  })
})
