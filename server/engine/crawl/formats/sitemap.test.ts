import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { runInSmallHeap } from '../../../../tests/support/small-heap'
import { createSitemapReader } from './sitemap'

async function read(bytes: Uint8Array, pieceBytes = bytes.length || 1) {
  const reader = createSitemapReader()
  for (let index = 0; index < bytes.length; index += pieceBytes)
    await reader.write(bytes.subarray(index, index + pieceBytes))
  return reader.end()
}
const parse = (text: string) => read(Buffer.from(text))
const urlset = (inner: string) =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${inner}</urlset>`

describe('a sitemap reader', () => {
  it('reads URLs with their dates, without images', async () => {
    const file = await parse(
      urlset(
        '<url><loc> https://a.example/?x=1&amp;y=2 </loc><lastmod>2026-01-02</lastmod><image:image xmlns:image="i"><image:loc>https://a.example/i.png</image:loc></image:image></url><url><loc><![CDATA[https://a.example/b]]></loc></url><url><priority>1</priority></url>',
      ),
    )
    expect(file).toEqual({
      kind: 'addresses',
      broken: false,
      truncated: false,
      entries: [
        { address: 'https://a.example/?x=1&y=2', lastModified: '2026-01-02', language: null },
        { address: 'https://a.example/b', lastModified: null, language: null },
      ],
    })
  })

  it('reads an index with a namespace prefix, compressed', async () => {
    const text =
      '\ufeff<s:sitemapindex xmlns:s="x"><s:sitemap><s:loc>https://a.example/1.xml</s:loc></s:sitemap></s:sitemapindex>'
    expect(await read(gzipSync(text))).toMatchObject({
      kind: 'index',
      entries: [{ address: 'https://a.example/1.xml' }],
    })
  })

  it.each([
    '',
    'https://a.example/\n',
    '<html><body>Not found</body></html>',
    '<!doctype html><p>x',
    '<rss><channel/></rss>',
    '{"urls":[]}',
    '\u001f\u008b',
  ])('rejects other formats: %s', async (text) => {
    expect(await parse(text)).toEqual({ kind: 'refused', reason: 'only-xml-sitemaps' })
    expect(await read(Buffer.from([0x1f, 0x8b, 1, 2]))).toMatchObject({ reason: 'only-xml-sitemaps' })
  })

  it('adds alternates in other languages that are not listed', async () => {
    const link = (path: string, more = 'hreflang="de"') => `<x:link rel="alternate" ${more} href="${path}"/>`
    const file = await parse(
      urlset(
        `<url><loc>/en</loc>${link('/de')}${link('/en', 'hreflang="x-default"')}${link('/en', 'hreflang="en_GB"')}${link('/fr', 'hreflang="fr"')}${link('/m', 'media="print"')}<lastmod>2026</lastmod></url><url><loc>/de</loc></url>`,
      ),
    )
    expect(file).toMatchObject({
      entries: [
        { address: '/en', lastModified: '2026', language: 'en-gb' },
        { address: '/de', lastModified: null, language: 'de' },
        { address: '/fr', lastModified: '2026', language: 'fr' },
      ],
    })
  })

  it('accepts a bare ampersand, and a URL without its own element', async () => {
    const file = await parse(
      '<sitemapindex><sitemap><loc>https://a.example/?x=1&y=2</loc></sitemap><sitemap> https://a.example/2 </sitemap></sitemapindex>',
    )
    expect(file).toEqual({
      kind: 'index',
      broken: false,
      truncated: false,
      entries: [
        { address: 'https://a.example/?x=1&y=2', lastModified: null, language: null },
        { address: 'https://a.example/2', lastModified: null, language: null },
      ],
    })
  })

  it('reads encodings by byte order mark or declaration', async () => {
    const text = '<urlset><url><loc>https://a.example/ä</loc></url></urlset>'
    const declared = (name: string) => `<?xml version="1.0" encoding="${name}"?>${text}`
    const swapped = (what: string) => Buffer.from(what, 'utf16le').swap16()
    for (const body of [
      Buffer.from(`\ufeff${declared('UTF-8')}`),
      Buffer.from(`\ufeff${declared('UTF-16')}`, 'utf16le'),
      swapped(`\ufeff${declared('UTF-16')}`),
      Buffer.from(declared('UTF-16'), 'utf16le'),
      swapped(declared('UTF-16BE')),
      Buffer.from(declared('iso-8859-1'), 'latin1'),
      Buffer.from(declared('UTF-16')),
      Buffer.from(declared('no-such-name')),
    ]) {
      expect(await read(body)).toMatchObject({ entries: [{ address: 'https://a.example/ä' }], broken: false })
    }
  })

  it('reads chunks of any length', async () => {
    const text = `<?xml version="1.0" encoding="UTF-8"?>${urlset('<url><loc>https://a.example/ä?\u{1f600}</loc></url>'.repeat(50))}`
    const forms = [Buffer.from(text), gzipSync(text), Buffer.from(`\ufeff${text}`, 'utf16le')]
    for (const pieceBytes of [1, 2, 7, 300]) {
      for (const bytes of forms) {
        const file = await read(bytes, pieceBytes)
        expect(file).toMatchObject({ broken: false, kind: 'addresses' })
        expect(file.kind === 'addresses' && file.entries.length).toBe(50)
        expect(file.kind === 'addresses' && file.entries[49]?.address).toBe('https://a.example/ä?\u{1f600}')
      }
    }
  })

  it('keeps only the entries in memory', async () => {
    const read = `
      import { parentPort } from 'node:worker_threads'
      import { createSitemapReader } from './server/engine/crawl/formats/sitemap'
      const entry = '<url><loc>https://a.example/a-page-of-the-site</loc><lastmod>2026-01-02T03:04:05Z</lastmod><!--' + 'x'.repeat(1_000) + '--></url>'
      const piece = Buffer.from(entry.repeat(50))
      const reader = createSitemapReader()
      async function readAll() {
        await reader.write(Buffer.from('<urlset>'))
        for (let times = 0; times < 900; times++) await reader.write(piece)
        const file = await reader.end()
        parentPort.postMessage(file.entries.length)
      }
      void readAll()`
    // The file is 49 MB long.
    expect(await runInSmallHeap(read, 32)).toBe(45_000)
  })

  it('ends an incomplete compressed file', async () => {
    const packed = gzipSync(urlset('<url><loc>/1</loc></url>'.repeat(60_000)))
    const whole = createSitemapReader()
    for (const position of [0, 1, 2, 3]) await whole.write(packed.subarray(position * 100, position * 100 + 100))
    expect(await whole.end()).toMatchObject({ kind: 'addresses', broken: true })
    const over = await read(Buffer.concat([packed, packed, packed]), 500)
    expect(over.kind === 'addresses' && over.entries.length).toBe(50_000)
  })

  it('keeps the entries that could be decompressed', async () => {
    const packed = gzipSync(
      urlset(Array.from({ length: 9_000 }, (_, index) => `<url><loc>/${index}</loc></url>`).join('')),
    )
    const file = await read(packed.subarray(0, packed.length / 2))
    expect(file).toMatchObject({ kind: 'addresses', broken: true })
    expect(file.kind === 'addresses' && file.entries.length).toBeGreaterThan(1_000)
  })

  it('is bounded in every direction', async () => {
    const long = 'x'.repeat(5_000_000)
    for (const inner of [
      '<a>'.repeat(500_000),
      `<url ${'a'.repeat(10)}="1" ${Array.from({ length: 100_000 }, (_, index) => `b${index}=""`).join(' ')}>`,
      `<!--${long}-->`,
      `<url a="${long}"/>`,
    ]) {
      expect(await parse(`<urlset><url><loc>/1</loc></url>${inner}`)).toMatchObject({
        broken: true,
        entries: [{ address: '/1' }],
      })
    }
    const file = await parse(urlset(`<url><loc>${long}</loc></url>`))
    expect(file.kind === 'addresses' && file.entries[0]?.address.length).toBeLessThan(20_000)
  })

  it('yields to the event loop after every 64 KiB', async () => {
    const body = Buffer.from(
      urlset('<url><loc>https://a.example/</loc><lastmod>2026-01-01</lastmod></url>'.repeat(50_000)),
    )
    let turns = 0
    let isOver = false
    const turned = () => {
      turns++
      if (!isOver) setImmediate(turned)
    }
    setImmediate(turned)
    await read(body)
    isOver = true
    expect(turns).toBeGreaterThanOrEqual(Math.floor(body.length / (64 * 1024)))
  })

  it('keeps the entries before a syntax error', async () => {
    for (const rest of ['<url><loc>half', '<url></loc>', '<url><loc>&nope;</loc></url>']) {
      const file = await parse(`<urlset><url><loc>https://a.example/1</loc></url>${rest}`)
      expect(file).toMatchObject({ kind: 'addresses', broken: true, entries: [{ address: 'https://a.example/1' }] })
    }
  })

  it('does not expand entities', async () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/hostname">]>${urlset('<url><loc>https://a.example/&b;&f;</loc></url>')}`
    expect(await parse(bomb)).toMatchObject({ broken: true, entries: [] })
  })

  it('reads at most 50,000 URLs and decompresses at most 50 MiB', async () => {
    const entry = '<url><loc>https://a.example/</loc></url>'
    const file = await parse(urlset(entry.repeat(50_001)))
    expect(file).toMatchObject({ kind: 'addresses', truncated: true, broken: false })
    expect(file.kind === 'addresses' && file.entries.length).toBe(50_000)
    expect(await parse(urlset(entry.repeat(50_000)))).toMatchObject({ truncated: false, broken: false })
    const withForm = entry.replace('</loc>', '</loc><x:link rel="alternate" hreflang="de" href="/de"/>')
    expect(await parse(urlset(entry.repeat(49_999) + withForm))).toMatchObject({ truncated: true })
    const bomb = gzipSync(Buffer.alloc(51 * 1024 * 1024, ' '))
    expect(await read(bomb)).toEqual({ kind: 'refused', reason: 'too-large' })
  })
})
