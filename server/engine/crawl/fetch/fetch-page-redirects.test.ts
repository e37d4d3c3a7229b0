import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { origin, urlOf, visit, webOf } from '../../../../tests/support/browser/page-visits'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('redirects', () => {
  it.each([
    [origin, '/other', urlOf('/other')],
    [origin, '/other?utm_source=x#y', urlOf('/other')],
    [origin, 'https://www.site.example/page', 'https://www.site.example/page'],
    [null, 'https://other.example/', 'https://other.example/'],
  ])('reports a redirect on %s to %s as moved', async (site, to, address) => {
    const web = webOf({
      '/page': { to },
      [new URL(to, origin).href.replace(/#.*/, '')]: { text: 'Words.', links: ['/a'] },
    })
    expect(await visit(web, '/page', { site })).toEqual({
      kind: 'moved',
      reason: 'redirected',
      to: address,
      httpStatus: 302,
      links: [],
      etag: null,
      lastModified: null,
    })
  })

  it('are not followed to a known URL', async () => {
    const web = webOf({ '/page': { to: '/old', status: 301 }, '/old': { to: '/new?utm_source=x' }, '/new': 'Words.' })
    const asked: string[] = []
    const isKnown = async (address: string) => {
      asked.push(address)
      return address === urlOf('/new')
    }
    expect(await visit(web, '/page', { isKnown, etag: '"1"' })).toEqual({
      kind: 'moved',
      reason: 'redirected',
      to: urlOf('/new'),
      httpStatus: 301,
      links: [],
      etag: null,
      lastModified: null,
    })
    expect(asked).toEqual([urlOf('/old'), urlOf('/new')])
    expect(web.asked()).toEqual([urlOf('/page'), urlOf('/old')])
  })

  it('to another spelling of the same URL are followed', async () => {
    const web = webOf({ '/page': { to: '/page?utm_source=x' }, '/page?utm_source=x': 'Words.' })
    expect(await visit(web, '/page', { isKnown: async () => true })).toMatchObject({ kind: 'fetched' })
  })

  it('to another spelling are no move', async () => {
    const web = webOf({ '/page': { to: '/page?utm_source=x' }, '/page?utm_source=x': 'Words.' })
    expect(await visit(web)).toMatchObject({ kind: 'fetched', httpStatus: 200 })
  })

  it('answer with the status of the target', async () => {
    expect(await visit(webOf({ '/page': { to: '/lost' } }))).toMatchObject({ kind: 'gone', httpStatus: 404 })
    expect(await visit(webOf({ '/page': { to: '/x' }, '/x': { status: 500 } }))).toMatchObject({ kind: 'refused' })
  })

  it.each([
    ['https://other.example/', 'other-host', 'other.example'],
    ['/login?next=/page', 'login-required', 'sign-in'],
    ['https://id.example/sso?return_to=x', 'login-required', 'sign-in'],
    ['mailto:a@b.example', 'invalid-address', ''],
    [`/${'x/'.repeat(5)}`, 'trap', ''],
    ['/closed', 'robots-disallowed', ''],
    ['/page', 'too-many-redirects', 'in a loop'],
  ])('to %s are refused without a request', async (to, reason, words) => {
    const web = webOf({ '/page': { to }, '/robots.txt': { body: 'User-agent: *\nDisallow: /closed' } })
    expect(await visit(web)).toMatchObject({ kind: 'refused', reason, message: expect.stringContaining(words) })
    expect(web.asked()).toEqual([urlOf('/page')])
    expect(web.requests.every(({ url }) => url.startsWith(origin))).toBe(true)
  })

  it('lets a login page redirect to a login page', async () => {
    const web = webOf({ '/login?next=/': { to: '/login/?next=/' }, '/login/?next=/': 'Words.' })
    expect(await visit(web, '/login?next=/')).toMatchObject({ kind: 'moved' })
  })
})
