import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { returnAddress } from '../../app/http/session/return-address.server'
import * as sidebar from '../../app/routes/_public+/sidebar'
import * as theme from '../../app/routes/_public+/theme'
import { testRandom } from '../support/test-random'
import { startWebSite, type WebSite } from '../support/web/web-site'

/** Inputs that browsers, proxies and routers interpret differently. */
const parts = [
  ...[
    '/',
    '//',
    '\\',
    '/\\',
    '.',
    '..',
    '/./',
    '/../',
    ':',
    '@',
    '?',
    '#',
    '&',
    '=',
    ';',
    '%',
    ' ',
    '\u00a0',
    '。',
    '／',
  ],
  ...['\0', '\t', '\n', '\r', '\v', '\x1b', '\x7f', '\x85', '\u2028', '\ufeff', '\u200b', '\u202e', '\ud800', 'é'],
  ...['%00', '%09', '%0a', '%0d', '%20', '%2e', '%2f', '%2F%2F', '%5c', '%40', '%3a', '%ff', '%252f', '%E2%80%A8'],
  ...[
    'http:',
    'https://',
    'HTTPS:',
    'javascript:alert(1)',
    'data:,x',
    'evil.example',
    '127.0.0.1',
    '[::1]',
    'localhost',
  ],
  ...['dashboard', 'help', 'a', 'Set-Cookie: a=b', 'q=1'],
]

function* candidates(count: number): Generator<string> {
  const random = testRandom()
  for (let created = 0; created < count; created++) {
    const length = 1 + Math.floor(random() * 8)
    const text = Array.from({ length }, () => parts[Math.floor(random() * parts.length)]).join('')
    yield random() < 0.7 ? `/${text}` : text
  }
}

/** Where a browser on this page goes, and whether it may. */
function problemWith(location: string, origin: string): string | null {
  const target = new URL(location, `${origin}/dashboard/collection/c`)
  if (target.origin !== origin) return 'leaves the site'
  if (target.pathname + target.search + target.hash !== location) return 'is read in another way by browsers'
  if (!/^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(location)) return 'holds characters that are no part of a path'
  if (/\/\/|\\|\p{Cc}/u.test(decodeURIComponent(target.pathname))) return 'leaves the site once it is decoded'
  return null
}

const offSite = [
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r\n/evil.example',
  '/%09/evil.example',
  '/%2f/evil.example',
  '/%5cevil.example',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/%2e%2e//evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  '@evil.example',
  '.evil.example',
  ' /dashboard',
  '/\0',
  '/%ff',
  '/dashboard\r\nSet-Cookie: a=b',
  `/${'a'.repeat(5_000)}`,
  '',
]

describe('returnAddress', () => {
  it.each([
    '/',
    '/dashboard',
    '/dashboard/collection/c?status=idle&q=a%20b%0Ac#addresses',
    '/dashboard?next=//evil.example',
    '/help/getting-started#first',
    '/dashboard?q=%C3%A9',
  ])('accepts %j as it is', (address) => {
    expect(returnAddress(address, '/fallback')).toBe(address)
  })

  it.each([
    ['/dashboard?', '/dashboard'],
    ['/dashboard/../help', '/help'],
    ['/café?q=é', '/caf%C3%A9?q=%C3%A9'],
  ])('normalizes %j as a browser does: %j', (input, written) => {
    expect(returnAddress(input, '/fallback')).toBe(written)
  })

  it.each([...offSite, null, undefined, 7, new File(['x'], 'x')])('rejects %j', (input) => {
    expect(returnAddress(input, '/fallback')).toBe('/fallback')
  })

  it('never leaves the site, whatever the address', () => {
    const wrong = [...candidates(20_000)]
      .map((input) => ({ given: input, location: returnAddress(input, '/fallback') }))
      .filter(({ location }) => problemWith(location, 'https://ask.example') !== null)
    expect(wrong).toEqual([])
  })
})

describe.each([
  { name: 'theme', choice: 'dark', fallback: '/' },
  { name: 'sidebar', choice: 'collapsed', fallback: '/dashboard' },
])('POST /$name', ({ name, choice, fallback }) => {
  let web: WebSite
  beforeAll(async () => {
    web = await startWebSite({ theme, sidebar })
  })
  afterAll(() => web?.close())

  function post(path: string, body: BodyInit, headers: Record<string, string> = {}): Promise<Response> {
    const own = { origin: web.origin, 'sec-fetch-site': 'same-origin' }
    return fetch(`${web.origin}${path}`, { method: 'POST', body, headers: { ...own, ...headers }, redirect: 'manual' })
  }

  it('remembers the choice and returns to the page', async () => {
    const response = await post(`/${name}`, new URLSearchParams({ [name]: choice, back: '/help/a?b=c' }))
    expect([response.status, response.headers.get('location')]).toEqual([303, '/help/a?b=c'])
    expect(response.headers.get('set-cookie')).toContain(`${name}=`)
  })

  it.each(offSite)('never leaves the site with back=%j', async (back) => {
    const response = await post(`/${name}`, new URLSearchParams({ [name]: choice, back }))
    // A form with NUL is refused as a whole.
    expect([response.status, response.headers.get('location')]).toEqual(
      back.includes('\0') ? [400, null] : [303, fallback],
    )
  })

  it('never leaves the site, whatever the address', async () => {
    for (const back of candidates(200)) {
      const response = await post(`/${name}`, new URLSearchParams({ [name]: choice, back }))
      const location = response.headers.get('location')
      const found = [response.status, location && problemWith(location, web.origin)]
      expect([back, ...found]).toEqual([back, ...(back.includes('\0') ? [400, null] : [303, null])])
    }
  })

  it('is rejected for pages of other sites', async () => {
    for (const headers of [
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { origin: 'null', 'sec-fetch-site': '' },
    ]) {
      const response = await post(`/${name}`, new URLSearchParams({ [name]: choice }), headers)
      expect([response.status, response.headers.get('set-cookie')]).toEqual([403, null])
    }
  })

  it.each<[string, string, BodyInit]>([
    ['JSON', 'application/json', `{"${name}":"${choice}"}`],
    ['plain text', 'text/plain', `${name}=${choice}`],
    ['no type', '', `${name}=${choice}`],
    ['broken multipart', 'multipart/form-data; boundary=x', '--x\r\nbroken'],
    ['multipart without a boundary', 'multipart/form-data', 'x'],
    ['nothing', 'application/x-www-form-urlencoded', ''],
    ['two MiB', 'application/x-www-form-urlencoded', `${name}=${'x'.repeat(2 * 1024 * 1024)}`],
    ['NUL', 'application/x-www-form-urlencoded', `${name}=%00&back=%00`],
  ])('does not cause a server error with a body of %s', async (_name, type, body) => {
    const response = await post(`/${name}`, body, { 'content-type': type })
    expect(response.status).toBeLessThan(500)
  })
})
