import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { crawlLimits } from '../limits'
import type { Tokenizer } from '../ports/search-index'
import { readPage } from './read-page'

const tokenizer: Tokenizer = { count: (text) => text.split(/\s+/).filter((word) => word !== '').length }
const read = (body: string, linkSite: string | null = 'https://site.example/') =>
  readPage({ url: 'https://site.example/page', body: Buffer.from(body), contentType: 'text/html', linkSite }, tokenizer)
const link = (href: string) => `<a href="${href}">x</a>`

describe('golden fragments', () => {
  const folder = fileURLToPath(new URL('../../../tests/fixtures/pages/', import.meta.url))

  it.each(readdirSync(folder).filter((name) => existsSync(`${folder}${name}/fragments.txt`)))('%s', async (name) => {
    const { fragments } = read(readFileSync(`${folder}${name}/source.html`, 'utf8'))
    const readable = fragments.map(({ headings, text }) => `[${headings.join(' / ')}]\n${text}\n`).join('\n')
    await expect(readable).toMatchFileSnapshot(`${folder}${name}/fragments.txt`)
  })
})

describe('readPage', () => {
  it('prefers the declared language to the header, and the header to the detected language', () => {
    const german =
      '<p>Die Lampe brennt mit einer Füllung so lange, wie es in der Anleitung steht, und nicht länger.</p>'
    const code = '<pre>the is and of to in that it was for with as on be at by this from or an</pre>'
    const languageOf = (html: string, language?: string) => {
      const page = { url: 'https://site.example/page', body: Buffer.from(html), contentType: 'text/html' }
      const { document, fragments } = readPage({ ...page, headerLanguage: language, linkSite: null }, tokenizer)
      return [document.language, ...new Set(fragments.map((fragment) => fragment.language))]
    }
    const page = (attributes: string) => `<html ${attributes}><main><h1>Lampen</h1>${german}${code}</main></html>`
    expect(languageOf(page('lang="en"'), 'fr')).toEqual(['en', 'en'])
    expect(languageOf(page(''), 'fr')).toEqual(['fr', 'fr'])
    expect(languageOf(page(''), '')).toEqual(['de', 'de'])
    expect(languageOf('<main><p>Storm lamp 40</p></main>')).toEqual(['', ''])
  })

  it('lists excluded links with their reasons, links to other sites last', () => {
    const deep = `/${'deep/'.repeat(3)}${Array.from({ length: 20 }, (_, index) => index).join('/')}`
    const { links, excludedLinks } = read(
      [
        'https://other.example/a#b',
        'https://other.example/a',
        '/page#self',
        '/next?utm_source=x',
        'https://www.site.example/www',
        '/lamp.zip',
        deep,
        '/day/day/day/day/',
        'mailto:a@site.example',
      ]
        .map(link)
        .join(''),
    )
    expect(links).toEqual(['https://site.example/next', 'https://www.site.example/www'])
    expect(excludedLinks).toEqual([
      { url: 'https://site.example/lamp.zip', reason: 'not-html' },
      { url: `https://site.example${deep}`, reason: 'too-deep' },
      { url: 'https://site.example/day/day/day/day/', reason: 'trap' },
      { url: 'https://other.example/a', reason: 'other-host' },
    ])
  })

  it('follows a declared feed whatever its URL looks like', () => {
    const feed = '<link rel="alternate" type="application/rss+xml" href="/blog.xml">'
    expect(read(`${feed}${link('/data.xml')}`)).toMatchObject({
      links: ['https://site.example/blog.xml'],
      excludedLinks: [{ url: 'https://site.example/data.xml', reason: 'not-html' }],
    })
  })

  it('limits excluded links, and lists none when links are not followed', () => {
    const count = Array.from({ length: 200 }, (_, index) => link(`https://other${index}.example/`)).join('')
    const { excludedLinks } = read(`${count}${link('/lamp.zip')}`)
    expect(excludedLinks).toHaveLength(crawlLimits.excludedLinksPerPage)
    expect(excludedLinks[0]).toEqual({ url: 'https://site.example/lamp.zip', reason: 'not-html' })
    expect(read(count, null)).toMatchObject({ links: [], excludedLinks: [] })
    expect(read(`<meta name="robots" content="nofollow">${count}`)).toMatchObject({ links: [], excludedLinks: [] })
  })

  it('hashes the text alone, without title and links', () => {
    const text = '<main><p>The storm lamp hums.</p></main>'
    expect(read(`<title>a</title>${text}${link('/1')}`).textHash).toBe(
      read(`<title>b</title>${text}${link('/2')}`).textHash,
    )
    expect(read(text).textHash).not.toBe(read('<main><p>The storm lamp is out.</p></main>').textHash)
  })

  it('chunks the text of hydration state and reports its origin', () => {
    const data = JSON.stringify({
      article: { title: 'Lamps', body: 'The storm lamp burns for forty hours, even in the rain.' },
    })
    const { document, fragments } = read(
      `<div id="root"></div><script type="application/json">${data}</script><script src="/app.js"></script>`,
    )
    expect(document).toMatchObject({ interstitial: null, textFrom: 'data', title: 'Lamps' })
    expect(fragments.map(({ text }) => text)).toEqual(['The storm lamp burns for forty hours, even in the rain.'])
  })

  it('says in the first fragment alone who wrote the page and when', () => {
    const text = `<p>${'The lantern burns for nine hours, and it does not smoke when the wind turns. '.repeat(12)}</p>`
    const byline = '<p class="byline">By Ann Smith, <time datetime="2026-05-04">4 May</time></p>'
    const { document, fragments } = read(
      `<html lang="en"><main><h1>Lanterns</h1>${byline}${text.repeat(3)}</main></html>`,
    )
    expect(document).toMatchObject({ author: 'Ann Smith', publishedAt: Date.UTC(2026, 4, 4) })
    const line = 'Written by Ann Smith. Published on May 4, 2026.'
    expect(fragments.filter((fragment) => fragment.text.includes(line)).map(({ ordinal }) => ordinal)).toEqual([0])
    expect(fragments.length).toBeGreaterThan(1)
  })

  it('reports an interstitial', () => {
    expect(read('<h1>Page not found</h1>').document.interstitial).toBe('soft-404')
    expect(read('<div id="root"></div><script src="/app.js"></script>')).toMatchObject({
      document: { interstitial: 'script', textFrom: 'page' },
      fragments: [],
    })
  })
})
