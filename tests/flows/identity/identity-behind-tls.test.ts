import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import type { ActionFunctionArgs } from '@remix-run/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { notification } from '../../../app/components/notifications/notification'
import { redirectWith } from '../../../app/http/cookies/notifications.server'
import * as theme from '../../../app/routes/_public+/theme'
import { signInRoutes } from '../../support/web/sign-in-routes'
import { startWebSite, type WebSite } from '../../support/web/web-site'

const publicUrl = 'https://ask.example.test'
let site: WebSite
const saved = {
  action: ({ context }: ActionFunctionArgs) => redirectWith(context, '/', notification('success', 'Saved')),
}
beforeAll(async () => {
  site = await startWebSite({ ...signInRoutes, theme, saved }, { PUBLIC_URL: publicUrl })
})
afterAll(() => site.close())

interface Answer {
  status: number
  location: string
  cookies: string[]
  text: string
  headers: IncomingHttpHeaders
}

/** What a proxy that ends TLS sends on. */
function ask(url: string, headers: Record<string, string> = {}, form?: URLSearchParams) {
  const { pathname, search } = new URL(url, publicUrl)
  return new Promise<Answer>((resolve, reject) => {
    const sent = httpRequest(
      `${site.listening}${pathname}${search}`,
      {
        method: form ? 'POST' : 'GET',
        headers: {
          host: 'ask.example.test',
          ...(form && { origin: publicUrl, 'content-type': 'application/x-www-form-urlencoded' }),
          ...headers,
        },
      },
      async (response) => {
        let text = ''
        for await (const chunk of response) text += chunk
        const { location = '', 'set-cookie': cookies = [] } = response.headers
        resolve({ status: response.statusCode ?? 0, location, cookies, text, headers: response.headers })
      },
    )
    sent.on('error', reject).end(form?.toString())
  })
}

test('cookies are limited to this host and to TLS', async () => {
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

test.each(['theme', 'saved'])('the cookie that /%s sets is limited to this host and to TLS', async (path) => {
  const { cookies } = await ask(`/${path}`, {}, new URLSearchParams({ theme: 'dark', back: '/' }))
  expect(cookies).toEqual([
    expect.stringMatching(
      /^__Host-(theme|notifications)=(?=.*; Path=\/;)(?=.*; HttpOnly)(?=.*; Secure)(?=.*; SameSite=Lax)/,
    ),
  ])
})

test.each(['/login', '/oidc/jwks', '/setup', '/healthz', '/v1/auth/me', '/missing.png'])(
  'no other site can open, embed or read %s',
  async (path) => {
    const { headers } = await ask(path)
    expect(headers).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    })
  },
)

test('a cookie whose name cannot be repeated in a header is ignored', async () => {
  const { status, location } = await ask('/auth/callback?state=x', { cookie: '__Host-sitelore-login:\u00e9=state=y' })
  expect([status, location]).toEqual([303, expect.stringContaining('error=')])
})

test('the provider has one address, whatever Host header a client sends', async () => {
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

test('sign-in pages load and run nothing from other sites', async () => {
  const { text } = await ask('/setup?token=<script>alert(1)</script>')
  expect(text).not.toContain('alert(1)')
  expect(text).not.toMatch(/(src|href)="https?:/)
})
