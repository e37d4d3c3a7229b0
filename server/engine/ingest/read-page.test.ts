import { describe, expect, it } from 'vitest'
import { crawlLimits } from '../limits'
import type { Tokenizer } from '../ports'
import { readPage } from './read-page'

const tokenizer: Tokenizer = { count: (text) => text.split(/\s+/).filter((word) => word !== '').length }
const read = (body: string, followWithin: string | null = 'https://site.example/') =>
  readPage(
    { url: 'https://site.example/page', body: Buffer.from(body), contentType: 'text/html', followWithin },
    tokenizer,
  )
const link = (href: string) => `<a href="${href}">x</a>`

describe('readPage', () => {
  it('is in the language that it says, else in that of its answer, else in the one that its text is likely in', () => {
    const german =
      '<p>Die Lampe brennt mit einer Füllung so lange, wie es in der Anleitung steht, und nicht länger.</p>'
    const code = '<pre>the is and of to in that it was for with as on be at by this from or an</pre>'
    const languageOf = (html: string, language?: string) => {
      const page = { url: 'https://site.example/page', body: Buffer.from(html), contentType: 'text/html' }
      const { document, fragments } = readPage({ ...page, language, followWithin: null }, tokenizer)
      return [document.language, ...new Set(fragments.map((fragment) => fragment.language))]
    }
    const page = (attributes: string) => `<html ${attributes}><main><h1>Lampen</h1>${german}${code}</main></html>`
    expect(languageOf(page('lang="en"'), 'fr')).toEqual(['en', 'en'])
    expect(languageOf(page(''), 'fr')).toEqual(['fr', 'fr'])
    expect(languageOf(page(''), '')).toEqual(['de', 'de'])
    expect(languageOf('<main><p>Storm lamp 40</p></main>')).toEqual(['', ''])
  })

  it('tells which links of the site are not followed and why, those to other sites last', () => {
    const deep = `/${'deep/'.repeat(3)}${Array.from({ length: 20 }, (_, index) => index).join('/')}`
    const { links, left } = read(
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
    expect(left).toEqual([
      { address: 'https://site.example/lamp.zip', reason: 'not-html' },
      { address: `https://site.example${deep}`, reason: 'too-deep' },
      { address: 'https://site.example/day/day/day/day/', reason: 'trap' },
      { address: 'https://other.example/a', reason: 'other-host' },
    ])
  })

  it('follows a feed that the page names, whatever its address looks like', () => {
    const feed = '<link rel="alternate" type="application/rss+xml" href="/blog.xml">'
    expect(read(`${feed}${link('/data.xml')}`)).toMatchObject({
      links: ['https://site.example/blog.xml'],
      left: [{ address: 'https://site.example/data.xml', reason: 'not-html' }],
    })
  })

  it('tells no more of them than are shown, and none where none are wanted', () => {
    const many = Array.from({ length: 200 }, (_, index) => link(`https://other${index}.example/`)).join('')
    const { left } = read(`${many}${link('/lamp.zip')}`)
    expect(left).toHaveLength(crawlLimits.leftPerPage)
    expect(left[0]).toEqual({ address: 'https://site.example/lamp.zip', reason: 'not-html' })
    expect(read(many, null)).toMatchObject({ links: [], left: [] })
    expect(read(`<meta name="robots" content="nofollow">${many}`)).toMatchObject({ links: [], left: [] })
  })

  it('gives pages with the same text the same hash, whatever stands around it', () => {
    const text = '<main><p>The storm lamp hums.</p></main>'
    expect(read(`<title>a</title>${text}${link('/1')}`).textHash).toBe(
      read(`<title>b</title>${text}${link('/2')}`).textHash,
    )
    expect(read(text).textHash).not.toBe(read('<main><p>The storm lamp is out.</p></main>').textHash)
  })

  it('cuts the text that a page carries for its script, and says where it was found', () => {
    const data = JSON.stringify({
      article: { title: 'Lamps', body: 'The storm lamp burns for forty hours, even in the rain.' },
    })
    const { document, fragments } = read(
      `<div id="root"></div><script type="application/json">${data}</script><script src="/app.js"></script>`,
    )
    expect(document).toMatchObject({ interstitial: null, textFrom: 'data', title: 'Lamps' })
    expect(fragments.map(({ text }) => text)).toEqual(['The storm lamp burns for forty hours, even in the rain.'])
  })

  it('says what stands in place of a text', () => {
    expect(read('<h1>Page not found</h1>').document.interstitial).toBe('soft-404')
    expect(read('<div id="root"></div><script src="/app.js"></script>')).toMatchObject({
      document: { interstitial: 'script', textFrom: 'page' },
      fragments: [],
    })
  })
})
