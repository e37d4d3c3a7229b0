import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { parseSitemap } from './sitemap'

const parse = (text: string) => parseSitemap(Buffer.from(text))
const urlset = (inner: string) =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${inner}</urlset>`

describe('parseSitemap', () => {
  it('reads addresses with their dates, and no images', async () => {
    const file = await parse(
      urlset(
        '<url><loc> https://a.example/?x=1&amp;y=2 </loc><lastmod>2026-01-02</lastmod><image:image xmlns:image="i"><image:loc>https://a.example/i.png</image:loc></image:image></url><url><loc><![CDATA[https://a.example/b]]></loc></url><url><priority>1</priority></url>',
      ),
    )
    expect(file).toEqual({
      kind: 'addresses',
      broken: false,
      entries: [
        { address: 'https://a.example/?x=1&y=2', lastModified: '2026-01-02' },
        { address: 'https://a.example/b', lastModified: null },
      ],
    })
  })

  it('reads an index, with a prefix and packed', async () => {
    const text =
      '\ufeff<s:sitemapindex xmlns:s="x"><s:sitemap><s:loc>https://a.example/1.xml</s:loc></s:sitemap></s:sitemapindex>'
    expect(await parseSitemap(gzipSync(text))).toMatchObject({
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
  ])('takes only XML sitemaps: %s', async (text) => {
    expect(await parse(text)).toEqual({ kind: 'refused', reason: 'only-xml-sitemaps' })
    expect(await parseSitemap(Buffer.from([0x1f, 0x8b, 1, 2]))).toMatchObject({ reason: 'only-xml-sitemaps' })
  })

  it('keeps what stands before a mistake', async () => {
    for (const rest of ['<url><loc>half', '<url></loc>', '<url><loc>&nope;</loc></url>']) {
      const file = await parse(`<urlset><url><loc>https://a.example/1</loc></url>${rest}`)
      expect(file).toMatchObject({ kind: 'addresses', broken: true, entries: [{ address: 'https://a.example/1' }] })
    }
  })

  it('expands no entities', async () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/hostname">]>${urlset('<url><loc>https://a.example/&b;&f;</loc></url>')}`
    expect(await parse(bomb)).toMatchObject({ broken: true, entries: [] })
  })

  it('stops at 50,000 addresses and unpacks at most 50 MiB', async () => {
    const many = urlset('<url><loc>https://a.example/</loc></url>'.repeat(50_001))
    const file = await parse(many)
    expect(file.kind === 'addresses' && file.entries.length).toBe(50_000)
    const bomb = gzipSync(Buffer.alloc(51 * 1024 * 1024, ' '))
    expect(await parseSitemap(bomb)).toEqual({ kind: 'refused', reason: 'too-large' })
  })
})
