import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseFeed } from '../../server/engine/crawl/formats/feed'
import { createSitemapReader } from '../../server/engine/crawl/formats/sitemap'
import { readSet, setFolder } from './sets'

async function read(bytes: Uint8Array) {
  const reader = createSitemapReader()
  await reader.write(bytes)
  return reader.end()
}

const commons = setFolder('crawler/crawler-commons')
const site = 'http://www.example.com'

/** Addresses of each file, all of them or those that begin and end it with their number. */
const expectations: Record<string, { kind?: 'index'; count: number; first: string; last: string }> = {
  'sitemap.badns.xml': { count: 2, first: `${site}/1`, last: `${site}/2` },
  'sitemap.ns.xml': { count: 2, first: `${site}/1`, last: `${site}/2` },
  'sitemap.index.xml': {
    kind: 'index',
    count: 15,
    first: 'https://example.com/sitemap.jss?portalCode=10260&lang=en',
    last: 'https://example.com/sitemap.jss?portalCode=10570&lang=en',
  },
  'xmlSitemap.gz': { count: 5, first: `${site}/`, last: `${site}/catalog?item=83&desc=vacation_usa` },
  'extension/hebdenbridgetimes-articles-sitemap.xml': {
    count: 74,
    first: 'http://www.hebdenbridgetimes.co.uk/news/local/video-tour-de-yorkshire-in-calderdale-1-7242580',
    last: 'http://www.hebdenbridgetimes.co.uk/news/local/now-you-see-it-now-you-don-t-it-s-off-the-wall-1-7229940',
  },
  'extension/pagemaps-sitemap.xml': { count: 2, first: `${site}/foo`, last: `${site}/bar` },
  'extension/shinpaideshou-news-sitemap.xml': {
    count: 3,
    first: 'https://shinpaideshou.wordpress.com/2017/04/25/job-opening-reischauer-policy-research-fellow/',
    last: 'https://shinpaideshou.wordpress.com/2017/04/24/job-opening-lecturer-in-japanese-studies-university-of-leeds/',
  },
  'extension/sitemap-images.xml': {
    count: 1,
    first: `${site}/images/some_image_landing_page.html`,
    last: `${site}/images/some_image_landing_page.html`,
  },
  'extension/sitemap-links.xml': { count: 3, first: `${site}/english/`, last: `${site}/schweiz-deutsch/` },
  'extension/sitemap-mobile.xml': { count: 3, first: `${site}/mobile-friendly-1/`, last: `${site}/no-mobile/` },
  'extension/sitemap-news.xml': {
    count: 2,
    first: 'http://www.example.org/business/article55.html',
    last: 'http://www.example.org/empty_news_name.html',
  },
  'extension/sitemap-videos-tvshow.xml': {
    count: 1,
    first: 'https://example.org/my-tv-show/23/13/',
    last: 'https://example.org/my-tv-show/23/13/',
  },
  'extension/sitemap-videos.xml': {
    count: 3,
    first: `${site}/videos/some_video_landing_page.html`,
    last: `${site}/videos/some_video_landing_page-3.html`,
  },
}

const onlyXml = 'The contract takes XML sitemaps only; crawler-commons reads lists of addresses, too.'
const aFeed = 'Feeds are read as feeds, not as sitemaps.'
/** What is refused here although crawler-commons reads it, and why. */
const differences: Record<string, string> = {
  'atom.xml': aFeed,
  'do-not-visit.txt': onlyXml,
  'sitemap-with-bom.txt': onlyXml,
  'sitemap.txt': onlyXml,
  'sitemap.txt.gz': onlyXml,
}

describe.skipIf(commons === null)('the sitemaps of crawler-commons', () => {
  it('are all here', () => {
    const inFolder = (name: string) =>
      readdirSync(`${commons ?? '.'}/${name}`, { withFileTypes: true }).filter((entry) => entry.isFile())
    const files = [
      ...inFolder('sitemaps').map(({ name }) => name),
      ...inFolder('sitemaps/extension').map(({ name }) => `extension/${name}`),
    ]
    expect([...Object.keys(expectations), ...Object.keys(differences)].sort()).toEqual(files.sort())
  })

  it.each(Object.entries(expectations))('are read: %s', async (name, { kind = 'addresses', count, first, last }) => {
    const file = await read(readSet(commons, `sitemaps/${name}`))
    const addresses = file.kind === 'refused' ? [] : file.entries.map(({ address }) => address)
    expect(file).toMatchObject({ kind, broken: false })
    expect([addresses.length, addresses[0], addresses.at(-1)]).toEqual([count, first, last])
  })

  it.each(Object.keys(differences))('are refused for a reason: %s', async (name) => {
    const file = await read(readSet(commons, `sitemaps/${name}`))
    expect(file).toEqual({ kind: 'refused', reason: 'only-xml-sitemaps' })
  })
})

describe.skipIf(commons === null)('the feeds of crawler-commons', () => {
  it('are read: a feed whose guid is said to be no address is not taken by it', () => {
    expect(parseFeed(readSet(commons, 'rss/feed.rss').toString())).toMatchObject([
      { address: 'https://www.example.com/blog/post/1', title: 'Example entry' },
      { address: 'https://www.example.com/foo?q=a&l=en', title: 'XML entity in link content' },
      { address: 'https://www.example.com/foo?q=a&l=fr', title: 'CDATA' },
    ])
  })

  it('are read: RSS, whatever its dates look like', () => {
    const entries = parseFeed(readSet(commons, 'rss/xmlRss_pubDate.xml').toString()) ?? []
    const expected = [1, 2, 3, 4, 5, 6, 7].map((number) => `${site}/article_${number}`)
    expect(entries.map(({ address }) => address)).toEqual(expected)
  })

  it('are read: Atom, by its first link to a page', () => {
    const content = 'This is the entry content.'
    expect(parseFeed(readSet(commons, 'sitemaps/atom.xml').toString())).toEqual([
      { address: 'http://example.org/2003/12/13/atom03', title: 'Atom-Powered Robots Run Amok', content },
    ])
  })
})
