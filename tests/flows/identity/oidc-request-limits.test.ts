import { count, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { oidcPayloads } from '../../../db/schema/users'
import { signInRoutes } from '../../support/web/sign-in-routes'
import { startWebSite, type WebSite } from '../../support/web/web-site'

let site: WebSite
beforeAll(async () => {
  site = await startWebSite(signInRoutes, { TRUSTED_PROXIES: 'loopback' })
})
afterAll(() => site.close())
beforeEach(() => site.app.db.writeOne((tx) => tx.delete(oidcPayloads)))

async function storedRows(): Promise<number> {
  const [row] = await site.app.db.read.select({ rows: count() }).from(oidcPayloads)
  return row?.rows ?? 0
}

const parameters = (more: Record<string, string> = {}) =>
  new URLSearchParams({
    client_id: 'sitelore',
    response_type: 'code',
    redirect_uri: `${site.origin}/auth/callback`,
    scope: 'openid',
    code_challenge: 'c'.repeat(43),
    code_challenge_method: 'S256',
    ...more,
  })

/** Anonymous requests come from the address that a trusted proxy names. */
function ask(path: string, address: string, init: RequestInit = {}): Promise<Response> {
  const headers = { 'x-forwarded-for': address, ...init.headers }
  return fetch(site.origin + path, { ...init, headers, redirect: 'manual' })
}

test('rejects a sign-in request over 8 KB and stores nothing', async () => {
  const long = parameters({ state: 's'.repeat(8_192) })
  expect((await ask(`/oidc/auth?${long}`, '192.0.2.1')).status).toBe(414)
  expect((await ask('/oidc/auth', '192.0.2.1', { method: 'POST', body: long })).status).toBe(413)
  const half = 's'.repeat(4_200)
  const shared = { method: 'POST', body: parameters({ state: half }) }
  expect((await ask(`/oidc/auth?login_hint=${half}`, '192.0.2.1', shared)).status).toBe(413)
  expect((await ask(`/oidc/session/end?state=${'s'.repeat(8_192)}`, '192.0.2.1')).status).toBe(414)
  expect(await storedRows()).toBe(0)
})

test('rejects a body without a declared length', async () => {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(parameters().toString()))
      controller.close()
    },
  })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const response = await ask('/oidc/auth', '192.0.2.1', {
    method: 'POST',
    body,
    headers,
    duplex: 'half',
  } as RequestInit)
  expect(response.status).toBe(411)
  expect(await storedRows()).toBe(0)
})

test.each([
  ['/oidc/auth', '192.0.2.11'],
  ['/oidc/AUTH', '192.0.2.12'],
  ['/oidc/session/end', '192.0.2.13'],
])('rate-limits requests for %s by client address', async (path, spammer) => {
  const query = path === '/oidc/session/end' ? 'state=s' : parameters({ state: 's'.repeat(4_000) })
  let answered = 0
  let refusal: Response | null = null
  for (let request = 0; request < 500 && !refusal; request++) {
    const response = await ask(`${path}?${query}`, spammer)
    if (response.status === 429) refusal = response
    else answered++
  }
  expect(refusal?.status).toBe(429)
  expect(Number(refusal?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await storedRows()).toBeLessThanOrEqual(answered)
  expect((await ask(`/oidc/auth?${parameters()}`, '198.51.100.1')).headers.get('location')).toContain('/interaction/')
})

test("does not rate-limit the product's own token requests", async () => {
  for (let request = 0; request < 100; request++) {
    const body = new URLSearchParams({ grant_type: 'authorization_code', code: 'x', client_id: 'sitelore' })
    const response = await ask('/oidc/token', '127.0.0.1', { method: 'POST', body })
    expect(response.status).toBe(400)
  }
})

test('expires abandoned sign-ins within minutes and deletes them in the next sweep', async () => {
  await ask('/oidc/session/end?state=s', '203.0.113.1')
  await ask(`/oidc/auth?${parameters()}`, '203.0.113.1')
  const rows = await site.app.db.read.select().from(oidcPayloads)
  expect(rows.map(({ model }) => model).sort()).toEqual(['Interaction', 'Session'])
  const minutes = (model: string) => (Number(rows.find((row) => row.model === model)?.expiresAt) - Date.now()) / 60_000
  expect(minutes('Session')).toBeLessThanOrEqual(10)
  expect(minutes('Interaction')).toBeLessThanOrEqual(60)

  await site.app.db.writeOne((tx) =>
    tx
      .update(oidcPayloads)
      .set({ expiresAt: new Date(Date.now() - 1) })
      .where(eq(oidcPayloads.model, 'Session')),
  )
  await site.app.identity.sweep()
  const left = await site.app.db.read.select({ model: oidcPayloads.model }).from(oidcPayloads)
  expect(left).toEqual([{ model: 'Interaction' }])
})
