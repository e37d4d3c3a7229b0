import { describe, expect, it } from 'vitest'
import { parseFeed } from './feed'

const item = '<item><title>One &amp; two</title><link> https://a.example/1 </link></item>'

describe('parseFeed', () => {
  it.each([
    [
      'RSS 0.9x and 2.0',
      `<?xml version="1.0"?><rss version="2.0"><channel><link>https://a.example/</link>${item}</channel></rss>`,
    ],
    ['RSS 1.0', `<rdf:RDF xmlns="r" xmlns:rdf="s"><channel><link>https://a.example/</link></channel>${item}</rdf:RDF>`],
    ['a mark and blanks in front', `\ufeff\n\n<!-- made by hand --><rss><channel>${item}</channel></rss>`],
    [
      'Atom',
      '<feed><link href="/"/><entry><title>One &amp; two</title><link rel="self" href="/s"/><link rel="alternate" type="application/json" href="/j"/><link href=" https://a.example/1 "/><link href="/other"/></entry></feed>',
    ],
    [
      'Atom with a prefix',
      '<a:feed xmlns:a="w"><a:entry><a:title>One &amp; two</a:title><a:link href="https://a.example/1"/></a:entry></a:feed>',
    ],
    [
      'text that is marked as such',
      '<rss><item><title><![CDATA[One & two]]></title><link>https://a.example/<![CDATA[1]]></link></item></rss>',
    ],
    [
      'extensions of the same name',
      `<rss><channel>${item.replace('<link>', '<media:title>x</media:title><atom:link href="/x"/><link>')}</channel></rss>`,
    ],
    [
      'a guid in place of a link',
      '<rss><item><title>One &amp; two</title><guid>https://a.example/1</guid></item></rss>',
    ],
  ])('reads %s', (_name, text) => {
    expect(parseFeed(text)).toEqual([{ address: 'https://a.example/1', title: 'One & two', content: '' }])
  })

  it.each([
    '<rss><item><title>a</title><link>/1</link><description>Short.</description><content:encoded><![CDATA[<p>Longer text.</p>]]></content:encoded><media:content>x</media:content></item></rss>',
    '<feed><entry><link href="/1"/><summary>Short.</summary><content type="html">&lt;p&gt;Longer text.&lt;/p&gt;</content></entry></feed>',
    '<a:feed xmlns:a="w"><a:entry><a:link href="/1"/><a:content>&lt;p&gt;Longer text.&lt;/p&gt;</a:content></a:entry></a:feed>',
  ])('uses the longest text of an entry: %s', (text) => {
    expect(parseFeed(text)).toMatchObject([{ address: '/1', content: '<p>Longer text.</p>' }])
  })

  it('ignores a guid that is no URL, and entries without a URL', () => {
    expect(parseFeed('<rss><item><title>x</title><guid isPermaLink="false">7</guid></item><item/></rss>')).toEqual([])
  })

  it.each(['', 'text', '<html><body><item><link>/a</link></item></body></html>', '<urlset/>', '{"version":"1.1"}'])(
    'says of %s that it is no feed',
    (text) => expect(parseFeed(text)).toBeNull(),
  )

  it('continues after a syntax error, and keeps the entries before the end', () => {
    const text = `<rss><channel><title>a & b &nope; <br></title>${item}<item><link>/2`
    expect(parseFeed(text)).toEqual([{ address: 'https://a.example/1', title: 'One & two', content: '' }])
  })

  it('does not expand custom entities', () => {
    const bomb = '<!DOCTYPE rss [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;"><!ENTITY f SYSTEM "file:///etc/hostname">]>'
    expect(parseFeed(`${bomb}<rss><item><title>&b;&f;</title><link>/1</link></item></rss>`)).toEqual([
      { address: '/1', title: '&b;&f;', content: '' },
    ])
  })

  it.each([
    ['entries', `<rss>${'<item><link>/1</link></item>'.repeat(60_000)}`],
    ['depth', `<rss>${'<item>'.repeat(200_000)}`],
    ['mistakes', `<rss><item><title>${'&nope;'.repeat(200_000)}`],
    ['one attribute', `<rss a="${'x'.repeat(2_000_000)}`],
    ['many attributes', `<rss ${'a="1" '.repeat(300_000)}`],
  ])('is bounded in %s', (_name, text) => {
    expect(parseFeed(text)?.length ?? 0).toBeLessThanOrEqual(2_000)
  })
})
