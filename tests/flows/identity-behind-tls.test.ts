import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signInRoutes } from '../support/sign-in-routes'
import { startWebSite, type WebSite } from '../support/web-site'

const publicUrl = 'https://ask.example.test'
let site: WebSite
beforeAll(async () => {
  site = await startWebSite(signInRoutes, { PUBLIC_URL: publicUrl })
})
afterAll(() => site.close())

/** What a proxy that ends TLS sends on. */
function ask(url: string, headers: Record<string, string> = {}) {
  const { pathname, search } = new URL(url, publicUrl)
  return new Promise<{ status: number; location: string; cookies: string[]; text: string }>((resolve, reject) => {
    const sent = httpRequest(
      `${site.listening}${pathname}${search}`,
      { headers: { host: 'ask.example.test', ...headers } },
      async (response) => {
        let text = ''
        for await (const chunk of response) text += chunk
        const { location = '', 'set-cookie': cookies = [] } = response.headers
        resolve({ status: response.statusCode ?? 0, location, cookies, text })
      },
    )
    sent.on('error', reject).end()
  })
}

test('cookies belong to this host and to TLS alone', async () => {
  const off = await ask('/login')
  expect(off.location).toMatch(/^https:\/\/ask\.example\.test\/oidc\/auth\?/)
  expect(off.cookies).toHaveLength(1)
  expect(off.cookies[0]).toMatch(
    /^__Host-sitelore-login:[^;]+;(?=.*Secure)(?=.*HttpOnly)(?=.*SameSite=Lax)(?=.*Path=\/)/,
  )
  const step = await ask(off.location)
  expect(step.location).toMatch(/^(https:\/\/ask\.example\.test)?\/oidc\/interaction\//)
  expect(step.cookies.length).toBeGreaterThan(0)
  for (const cookie of step.cookies) expect(cookie).toMatch(/; secure/i)
  const link = await ask((await site.app.identity.setupLink()) ?? '')
  expect(link.cookies[0]).toMatch(/^__Host-sitelore-link=.*; Secure/)
})

test('the provider has one address, whatever a client says of the host', async () => {
  const answer = await ask('/oidc/.well-known/openid-configuration', {
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'http',
  })
  expect(JSON.parse(answer.text)).toMatchObject({
    issuer: `${publicUrl}/oidc`,
    authorization_endpoint: `${publicUrl}/oidc/auth`,
    token_endpoint: `${publicUrl}/oidc/token`,
    jwks_uri: `${publicUrl}/oidc/jwks`,
    end_session_endpoint: `${publicUrl}/oidc/session/end`,
    code_challenge_methods_supported: ['S256'],
  })
  expect(answer.text).not.toContain('evil')
})

test('no page of the sign-in loads or runs anything from elsewhere', async () => {
  const { text } = await ask('/setup?token=<script>alert(1)</script>')
  expect(text).not.toContain('alert(1)')
  expect(text).not.toMatch(/(src|href)="https?:/)
})
