import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { origin, urlOf, visit, visitOf, webOf } from '../../../../tests/support/browser/page-visits'
import type { MemoryAnswer } from '../../../../tests/support/sites/memory-web'

const future = Date.UTC(2040, 0, 1)

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2030, 0, 1) })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('fetchPage', () => {
  it('reads a page', async () => {
    const headers = { etag: '"1"', 'last-modified': 'Mon, 01 Jan 2029 00:00:00 GMT' }
    const links = ['/a', '/a#x', '/b.zip', 'https://other.example/']
    expect(await visitOf({ text: 'Words.', headers, links, facts: { title: 'Page', language: 'de' } })).toMatchObject({
      kind: 'fetched',
      httpStatus: 200,
      etag: '"1"',
      lastModified: 'Mon, 01 Jan 2029 00:00:00 GMT',
      contentType: 'text/html; charset=utf-8',
      bytes: expect.any(Number),
      unavailableAfter: null,
      document: { title: 'Page', language: 'de', textFrom: 'page' },
      fragments: [{ text: 'Words.' }],
      links: [urlOf('/a')],
      excludedLinks: [
        { url: urlOf('/b.zip'), reason: 'not-html' },
        { url: 'https://other.example/', reason: 'other-host' },
      ],
    })
  })

  it.each([
    ['no address', 'invalid-address'],
    ['https://user:word@site.example/', 'invalid-address'],
    [urlOf(`/${'x/'.repeat(5)}`), 'trap'],
    [urlOf(`/${'x'.repeat(3_000)}`), 'too-deep'],
  ])('sends no request for %s', async (url, reason) => {
    const web = webOf({})
    expect(await visit(web, url)).toMatchObject({ kind: 'refused', reason, links: [], excludedLinks: [] })
    expect(web.requests).toEqual([])
  })

  it.each([
    [401, { kind: 'refused', reason: 'access-denied', message: expect.stringContaining('401') }],
    [402, { kind: 'refused', reason: 'access-denied' }],
    [403, { kind: 'refused', reason: 'access-denied' }],
    [407, { kind: 'refused', reason: 'access-denied' }],
    [400, { kind: 'refused', reason: 'http-client-error' }],
    [451, { kind: 'refused', reason: 'http-client-error' }],
    [302, { kind: 'refused', reason: 'http-client-error' }],
    [304, { kind: 'refused', reason: 'http-client-error' }],
    [404, { kind: 'gone', reason: 'not-found' }],
    [410, { kind: 'gone', reason: 'gone' }],
    [408, { kind: 'refused', reason: 'http-server-error', retryAfterMs: 60_000 }],
    [425, { kind: 'refused', reason: 'http-server-error' }],
    [429, { kind: 'refused', reason: 'rate-limited' }],
    [500, { kind: 'refused', reason: 'http-server-error' }],
    [503, { kind: 'refused', reason: 'http-server-error' }],
    [204, { kind: 'refused', reason: 'empty-page' }],
    [205, { kind: 'refused', reason: 'empty-page' }],
    [206, { kind: 'fetched' }],
  ])('answers status %i', async (status, expected) => {
    expect(await visitOf({ status, text: 'Words.' })).toMatchObject({ ...expected, httpStatus: status })
  })

  it('pauses the host on Retry-After', async () => {
    const web = webOf({ '/page': { status: 503, headers: { 'retry-after': '120' } } })
    expect(await visit(web)).toMatchObject({ kind: 'refused', retryAfterMs: 120_000 })
    expect(await visit(web, '/other')).toMatchObject({ kind: 'refused', reason: 'rate-limited', httpStatus: null })
    expect(web.asked()).toEqual([urlOf('/page')])
  })

  it('sends a conditional request', async () => {
    const page = { text: 'Words.', headers: { etag: '"1"' } }
    expect(await visitOf(page, { etag: '"1"' })).toEqual({ kind: 'unchanged' })
    expect(await visitOf(page, { etag: '"0"' })).toMatchObject({ kind: 'fetched' })
  })

  it.each([
    [{ refusal: 'timeout' }, { kind: 'refused', reason: 'timeout', httpStatus: null, retryAfterMs: 60_000 }],
    [{ refusal: 'private-address' }, { kind: 'refused', reason: 'private-address', httpStatus: null }],
    [{ extraction: 'timeout' }, { kind: 'refused', reason: 'extraction-timeout', httpStatus: 200 }],
    [{ extraction: 'failed' }, { kind: 'refused', reason: 'extraction-failed' }],
    [{ body: '' }, { kind: 'refused', reason: 'empty-page' }],
    [
      { text: '', links: ['/a'] },
      { kind: 'refused', reason: 'empty-page', links: [urlOf('/a')] },
    ],
  ] as [MemoryAnswer, object][])('refuses %j', async (answer, expected) => {
    expect(await visitOf(answer)).toMatchObject(expected)
  })
})

describe('canonical URLs', () => {
  it.each([
    ['/proper', urlOf('/proper')],
    ['/proper?utm_source=x#y', urlOf('/proper')],
    ['https://www.site.example/page', 'https://www.site.example/page'],
    ['/page#x', null],
    ['/', null],
    ['http://site.example/page', null],
    ['https://other.example/page', null],
    ['/closed', null],
    [`/${'x/'.repeat(5)}`, null],
    ['https://down.site.example/', null],
  ])('%s', async (canonical, address) => {
    const web = webOf({
      '/robots.txt': { body: 'User-agent: *\nDisallow: /closed' },
      '/page': {
        text: 'Words.',
        links: ['/a'],
        facts: { canonical: new URL(canonical, origin).href },
        headers: { etag: '"1"' },
      },
    })
    const found = { httpStatus: 200, links: [urlOf('/a')], etag: '"1"', lastModified: null }
    const alias = { kind: 'alias', canonical: address, ...found, itself: { kind: 'fetched' } }
    expect(await visit(web)).toMatchObject(address === null ? { kind: 'fetched' } : alias)
    expect(web.asked().filter((url) => url.includes(canonical) && canonical.length > 1)).toEqual([])
    expect(await visit(web, '/page', { site: null })).toMatchObject({ kind: 'fetched' })
  })

  it('may be the front page itself, and are ignored if their robots.txt is unavailable', async () => {
    const facts = { canonical: `${origin}/` }
    expect(await visit(webOf({ '/?page=1': { text: 'Words.', facts } }), '/?page=1')).toMatchObject({
      kind: 'fetched',
    })
    const www = { canonical: 'https://www.site.example/page' }
    const web = webOf({
      '/page': { text: 'Words.', facts: www },
      'https://www.site.example/robots.txt': { status: 500 },
    })
    expect(await visit(web)).toMatchObject({ kind: 'fetched' })
  })
})

describe('robots directives', () => {
  const links = ['/a']
  it.each([
    [{ noindex: true }, '', { kind: 'refused', reason: 'noindex', links: [urlOf('/a')] }],
    [{}, 'noindex', { kind: 'refused', reason: 'noindex', links: [urlOf('/a')] }],
    [{}, 'none', { kind: 'refused', reason: 'noindex', links: [] }],
    [{}, 'nofollow', { kind: 'fetched', links: [] }],
    [{ nofollow: true }, '', { kind: 'fetched', links: [] }],
    [{}, 'otherbot: none', { kind: 'fetched', links: [urlOf('/a')] }],
    [{}, 'sitelore: noindex', { kind: 'refused', reason: 'noindex' }],
    [{ noindex: true, canonical: urlOf('/proper') }, '', { kind: 'refused', reason: 'noindex' }],
    [{ unavailableAfter: future }, '', { kind: 'fetched', unavailableAfter: future }],
    [{ unavailableAfter: future }, 'unavailable_after: 2035-01-01', { unavailableAfter: Date.UTC(2035, 0, 1) }],
    [{}, 'unavailable_after: Tue, 01 Jan 2036 00:00:00 GMT', { unavailableAfter: Date.UTC(2036, 0, 1) }],
    [{ unavailableAfter: 1 }, '', { kind: 'refused', reason: 'expired', links: [urlOf('/a')] }],
    [{}, 'unavailable_after: 2029-12-31', { kind: 'refused', reason: 'expired' }],
  ])('%j %j', async (facts, header, expected) => {
    const page = { text: 'Words.', links, facts, headers: { 'x-robots-tag': header } }
    expect(await visitOf(page)).toMatchObject(expected)
  })

  it.each([
    ['', 'de-AT, en', 'de-at'],
    ['fr', 'de', 'fr'],
    ['', 'pt_BR', 'pt-br'],
    ['', 'some language', ''],
  ])('prefers the declared language %j to the header %j', async (language, header, expected) => {
    const page = { text: 'Words.', facts: { language }, headers: { 'content-language': header } }
    expect(await visitOf(page)).toMatchObject({ document: { language: expected } })
  })
})

describe('interstitials', () => {
  it.each([
    ['login', 1, { kind: 'refused', reason: 'login-required', links: [] }],
    ['consent', 1, { kind: 'refused', reason: 'consent-wall' }],
    ['soft-404', 1, { kind: 'gone', reason: 'soft-404', httpStatus: 200 }],
    ['script', 1, { kind: 'refused', reason: 'needs-script', links: [urlOf('/a')] }],
    ['script', 2, { kind: 'fetched' }],
    [null, 1, { kind: 'fetched' }],
  ] as const)('%s in %i fragments', async (interstitial, passages, expected) => {
    const page = { text: 'Words.', passages, links: ['/a'], facts: { interstitial } }
    expect(await visitOf(page)).toMatchObject(expected)
  })

  it('recognizes a soft 404 by its text', async () => {
    const lost = 'Sorry, we could not find that.'
    const web = webOf({ '/': lost, '/lost': lost, '/page': 'Words.' })
    const notFoundTextHash = vi
      .spyOn(web.deps.soft404, 'notFoundTextHash')
      .mockResolvedValue(createHash('sha256').update(lost).digest('hex'))
    expect(await visit(web, '/page')).toMatchObject({ kind: 'fetched' })
    expect(notFoundTextHash).toHaveBeenCalledTimes(1)
    expect(await visit(web, '/lost')).toMatchObject({ kind: 'gone', reason: 'soft-404', httpStatus: 200 })
    expect(await visit(web, '/')).toMatchObject({ kind: 'fetched' })
    // One page alone is not worth a request.
    expect(await visit(web, '/lost', { site: null })).toMatchObject({ kind: 'fetched' })
    expect(notFoundTextHash).toHaveBeenCalledTimes(2)
  })
})
