import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { origin, urlOf, visit, visitOf, webOf } from '../../../../tests/support/browser/page-visits'
import type { MemoryAnswer, MemoryPage } from '../../../../tests/support/sites/memory-web'
import { fetchPage } from './fetch-page'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('other content', () => {
  const feed = (link: string) => `<?xml version="1.0" encoding="utf-8"?><rss><channel>${link}</channel></rss>`
  const item = (address: string) => `<item><title>a</title><link>${address}</link></item>`

  it.each([
    [{ body: 'PK\x03\x04 lamp.txt' }, 'a zip archive'],
    [{ headers: { 'content-type': 'image/png' }, body: '' }, 'an image'],
    [{ headers: { 'content-type': 'application/octet-stream' }, body: 'Words.' }, 'application/octet-stream'],
    [{ body: '<?xml version="1.0"?><urlset></urlset>', headers: { 'content-type': 'text/xml' } }, 'a sitemap'],
    [{ body: '<?xml version="1.0"?><data/>', headers: { 'content-type': 'text/xml' } }, 'XML data'],
  ] as [MemoryAnswer, string][])('refuses %j by name', async (page, name) => {
    expect(await visitOf(page)).toMatchObject({
      kind: 'refused',
      reason: 'not-html',
      message: `This is not a web page but ${name}, so it is not indexed.`,
    })
  })

  it('answers a feed with its links', async () => {
    const entries = ['/a', '/a#x', '/page', 'https://other.example/', '/b.zip', `/${'x/'.repeat(5)}`, '/c?utm_id=1']
    const body = feed(entries.map((address) => item(address)).join(''))
    const page = { body, headers: { etag: '"1"' } }
    expect(await visitOf(page)).toEqual({
      kind: 'moved',
      reason: 'feed',
      to: null,
      httpStatus: 200,
      links: [urlOf('/a'), urlOf('/c')],
      etag: '"1"',
      lastModified: null,
    })
    expect(await visitOf({ body, headers: { 'x-robots-tag': 'nofollow' } })).toMatchObject({ kind: 'moved', links: [] })
    expect(await visitOf(page, { followLinks: false })).toMatchObject({
      reason: 'not-html',
      message: expect.stringContaining('a feed'),
    })
  })

  it('reads a feed in its declared encoding', async () => {
    const body = Buffer.from(feed(item('/caf\xe9')).replace('utf-8', 'iso-8859-1'), 'latin1')
    const headers = { 'content-type': 'application/rss+xml' }
    expect(await visitOf({ body, headers })).toMatchObject({ links: [urlOf('/caf%C3%A9')] })
  })
})

it('follows an index of links without indexing it, unless it is asked for alone', async () => {
  const page: MemoryPage = { text: 'Lamps Wicks', links: [urlOf('/lamps')], facts: { isLinkList: true } }
  expect(await visitOf(page)).toMatchObject({ kind: 'moved', reason: 'link-list', to: null, links: [urlOf('/lamps')] })
  expect(await visitOf(page, { followLinks: false })).toMatchObject({ kind: 'fetched' })
  expect(await visitOf({ ...page, facts: { isLinkList: true, noindex: true } })).toMatchObject({ reason: 'noindex' })
})

describe('a document', () => {
  const pdf = { headers: { 'content-type': 'application/pdf', etag: '"1"' }, body: '%PDF-1.7 and more' }

  function downloads() {
    const opened: { bytes: number; isThere: boolean; failure: Error | null }[] = []
    return {
      opened,
      open: async () => {
        const file: (typeof opened)[number] = { bytes: 0, isThere: true, failure: null }
        opened.push(file)
        return {
          path: '/tmp/lamps',
          async write(piece: Uint8Array) {
            file.bytes += piece.length
          },
          async end() {
            if (file.failure) throw file.failure
            return file.bytes
          },
          async remove() {
            file.isThere = false
          },
        }
      },
    }
  }

  const requestFor = (path: string) => {
    return { url: urlOf(path), followLinks: true, site: `${origin}/`, access: null }
  }

  async function visitWith(answer: MemoryAnswer, path = '/files/Storm%20lamps.pdf') {
    const web = webOf({ [path]: answer, '/moved.pdf': pdf })
    const there = downloads()
    const visiting = fetchPage({ ...web.deps, downloads: there }, requestFor(path))
    await vi.runAllTimersAsync()
    return { visited: await visiting, requests: web.requests, opened: there.opened }
  }

  it('is requested again and streamed to disk', async () => {
    const { visited, requests, opened } = await visitWith(pdf)
    expect(visited).toMatchObject({
      ...{ kind: 'document', type: 'pdf', name: 'Storm lamps.pdf', httpStatus: 200, etag: '"1"', bytes: 17 },
      ...{ contentType: 'application/pdf', download: { path: '/tmp/lamps' } },
    })
    const asked = requests.filter(({ kind }) => kind !== 'robots')
    expect(asked.map(({ kind }) => kind)).toEqual(['page', 'document'])
    expect(opened).toEqual([{ bytes: 17, isThere: true, failure: null }])
  })

  it('is only identified without a place for downloads', async () => {
    const web = webOf({ '/a.pdf': pdf })
    expect(await visit(web, '/a.pdf')).toMatchObject({ kind: 'document', download: null })
    expect(web.requests.filter(({ kind }) => kind === 'document')).toEqual([])
  })

  it('is not downloaded if it must not be indexed', async () => {
    for (const [said, reason] of [
      ['noindex', 'noindex'],
      ['unavailable_after: 2001-01-01', 'expired'],
    ]) {
      const { visited, opened } = await visitWith({ ...pdf, headers: { ...pdf.headers, 'x-robots-tag': said ?? '' } })
      expect(visited).toMatchObject({ kind: 'refused', reason })
      expect(opened).toEqual([])
    }
  })

  it.each([
    [{ status: 404 }, { kind: 'gone', reason: 'not-found' }],
    [{ status: 503 }, { kind: 'refused', reason: 'http-server-error' }],
    [{ to: '/moved.pdf' }, { kind: 'moved', reason: 'redirected', to: urlOf('/moved.pdf') }],
    [{ refusal: 'too-large' }, { kind: 'refused', reason: 'file-too-large' }],
    [{ refusal: 'timeout' }, { kind: 'refused', reason: 'timeout' }],
  ] as [MemoryPage, object][])('leaves no file if the download answers %j', async (second, expected) => {
    const { visited, opened } = await visitWith(({ kind }) => (kind === 'document' ? second : pdf))
    expect(visited).toMatchObject(expected)
    expect(opened.map(({ isThere }) => isThere)).toEqual([false])
  })

  it('rejects if it cannot be stored', async () => {
    const web = webOf({ '/a.pdf': pdf })
    const there = downloads()
    const open = async () => {
      const download = await there.open()
      for (const file of there.opened) file.failure = new Error('The disk is full.')
      return download
    }
    const failed = expect(fetchPage({ ...web.deps, downloads: { open } }, requestFor('/a.pdf'))).rejects.toThrow('disk')
    await vi.runAllTimersAsync()
    await failed
    expect(there.opened.map(({ isThere }) => isThere)).toEqual([false])
  })
})
