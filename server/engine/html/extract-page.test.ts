import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { decodeHtml } from '../charset/decode-html'
import type { Block, PageDocument } from '../ports/extractor'
import { extractPage } from './extract-page'

const folder = fileURLToPath(new URL('../../../tests/fixtures/pages/', import.meta.url))
const url = 'https://docs.site.example/lantern.html'
const body = (html: string) => extractPage(`<html><body>${html}</body></html>`, url)
const texts = (html: string) => body(html).blocks.map((block) => block.text)

/** A document in readable form. `npm run golden` updates the expected files. */
function readable({
  blocks,
  around,
  contacts,
  links,
  feeds: _feeds,
  languages: _languages,
  forward,
  ...facts
}: PageDocument): string {
  const values = Object.entries({ ...facts, forward: forward?.url ?? null }).flatMap(([name, value]) => {
    if (value === null || value === false || value === '') return []
    return [`${name}: ${typeof value === 'number' ? new Date(value).toISOString() : value}`]
  })
  const parts = [values.join('\n'), ...blocks.map(lineOf)]
  if (contacts.length > 0) parts.push('--- contacts', ...contacts.map(lineOf))
  if (around.length > 0) parts.push('--- around', ...around.map(lineOf))
  return `${[...parts, ['--- links', ...links].join('\n')].join('\n\n')}\n`
}

function lineOf(block: Block): string {
  const { kind, text, anchor } = block
  const more = kind === 'heading' ? ` ${block.level}` : kind === 'code' && block.language ? ` ${block.language}` : ''
  return `[${kind}${more}${anchor ? ` #${anchor}` : ''}]\n${text}`
}

describe('golden pages', () => {
  it.each(readdirSync(folder))('%s', async (name) => {
    const html = decodeHtml(readFileSync(`${folder}${name}/source.html`), 'text/html')
    await expect(readable(extractPage(html, url))).toMatchFileSnapshot(`${folder}${name}/expected.txt`)
  })
})

describe('extractPage', () => {
  it('keeps code verbatim', () => {
    expect(texts('<main><pre>\n  a &lt; b\n\n<b>c</b>\t<span style="x">d</span>  \n</pre></main>')).toEqual([
      '  a < b\n\nc\td',
    ])
  })

  it('reads the cells of a layout table as blocks', () => {
    expect(
      texts(
        '<table><tr><td><h2>Left</h2><p>One.</p></td><td><table><tr><td>a</td><td>b</td></tr></table></td></tr></table>',
      ),
    ).toEqual(['Left', 'One.', 'a | b'])
  })

  it('splits text around blocks inside phrases', () => {
    expect(texts('Before <b>bold<p>inside</p>after</b> end')).toEqual(['Before bold', 'inside', 'after end'])
  })

  it('reads a list of articles rather than the first of them', () => {
    const teaser = (index: number) =>
      `<article><h2>Lamp ${index}</h2><p>${'Words about this lamp. '.repeat(8)}</p></article>`
    expect(body([1, 2, 3].map(teaser).join('')).blocks.filter((block) => block.kind === 'heading')).toHaveLength(3)
  })

  it('reads the body if main is an empty shell', () => {
    const text = 'A paragraph that stands outside the main element. '.repeat(5).trim()
    expect(texts(`<main><p>Loading</p></main><div><p>${text}</p></div>`)).toContain(text)
  })

  it('reads pages without html or body, and empty ones', () => {
    expect(extractPage('<title>T</title><p>Hello', url)).toMatchObject({ title: 'T', blocks: [{ text: 'Hello' }] })
    expect(extractPage('', url)).toMatchObject({ title: '', blocks: [], links: [] })
  })

  it('returns each followable link once, absolute and without fragment', () => {
    const links = body(
      '<a href="/a#x">1</a><a href="a">2</a><a href="/a">3</a><a href="#top">4</a><a rel="nofollow ugc" href="/no">5</a><a href="javascript:x()">6</a><a href="http://[">7</a>',
    ).links
    expect(links).toEqual(['https://docs.site.example/a', 'https://docs.site.example/lantern.html'])
  })

  it('does not follow the copy of a page for language models', () => {
    const links = (address: string) =>
      extractPage('<a href="guide.md">Copy</a><a href="/docs/guide/index.md">Copy</a><a href="oil.md">Oil</a>', address)
        .links
    const docs = (path: string) => `https://site.example/docs/${path}`
    expect(links(docs('guide'))).toEqual([docs('guide/index.md'), docs('oil.md')])
    expect(links(docs('guide.html?a=b'))).toEqual([docs('guide/index.md'), docs('oil.md')])
    expect(links(docs('guide/'))).toEqual([docs('guide/guide.md'), docs('guide/oil.md')])
  })

  it('follows frames of the same host, and links in pictures', () => {
    const html = `<p><a href="/a">A</a></p><iframe src="/frame.html"></iframe><iframe src="https://video.example/1"></iframe>
      <iframe src="about:blank"></iframe><iframe src="//www.docs.site.example/b"></iframe><iframe srcdoc="x"></iframe>
      <svg><a href="/c"><text>C</text></a><a xlink:href="/d#x"><path d=""/></a></svg><svg:svg><a xlink:href="/e"/></svg:svg>`
    expect(body(html).links).toEqual(
      ['/a', '/c', '/d', '/e', '/frame.html']
        .map((path) => `https://docs.site.example${path}`)
        .concat('https://www.docs.site.example/b'),
    )
  })

  it.each([
    ['', '<frameset cols="20%,80%"><frame src="menu.html"><frame src=main.html></frameset>'],
    [
      'with a notice',
      '<frameset><frame src="menu.html"><frameset><frame src="main.html"></frameset><noframes><body>Your browser shows no frames.</body></noframes></frameset>',
    ],
  ])('takes a page of frames for a list of links %s', (_, html) => {
    const page = extractPage(`<html><head><title>Lamps</title></head>${html}</html>`, 'https://docs.site.example/')
    expect(page.isLinkList).toBe(true)
    expect(page.links).toEqual(['https://docs.site.example/menu.html', 'https://docs.site.example/main.html'])
  })

  it('lists previous and next pages, translations and feeds after the links of the text', () => {
    const head = `<link rel="alternate" hreflang="de" href="/de"><link rel="stylesheet" href="/s.css"><link rel="alternate stylesheet" hreflang="x" href="/t.css">
      <link rel="alternate" type="application/rss+xml" href="/feed"><link rel="next" href="?p=2"><link rel="nofollow next" href="?p=3"><link rel="alternate" type="application/json" href="/api">`
    const { links } = extractPage(
      `<html><head>${head}</head><body><a href="/a">a</a><a href="/feed">f</a></body></html>`,
      url,
    )
    expect(links).toEqual([
      'https://docs.site.example/a',
      'https://docs.site.example/feed',
      'https://docs.site.example/de',
      'https://docs.site.example/lantern.html?p=2',
    ])
  })

  it('reserves room for them on a page of many links', () => {
    const count = Array.from({ length: 3000 }, (_, index) => `<a href="/${index}">x</a>`).join('')
    const { links, languages } = extractPage(`<link rel="alternate" hreflang="de" href="/de">${count}`, url)
    expect([...languages]).toEqual([['https://docs.site.example/de', 'de']])
    expect(links).toHaveLength(2000)
    expect(links.at(-1)).toBe('https://docs.site.example/de')
  })

  it('reads the language of the page, then of links to it', () => {
    const languageOf = (html: string) => extractPage(html, url).language
    const alternate =
      '<link rel="alternate" hreflang="fr-CA" href="/lantern.html#top"><link rel="alternate" hreflang="de" href="/de">'
    const meta = '<meta http-equiv="Content-Language" content="pl"><meta property="og:locale" content="nl_NL">'
    expect(languageOf(`<html lang="pt_BR"><head>${alternate}${meta}</head></html>`)).toBe('pt-br')
    expect(languageOf(`<html lang="not a language"><head>${alternate}${meta}</head></html>`)).toBe('fr-ca')
    expect(languageOf(`<html><head>${meta}</head></html>`)).toBe('pl')
    expect(languageOf('<meta property="og:locale" content="nl_NL">')).toBe('nl-nl')
    expect(languageOf('<p>Nothing said.')).toBe('')
  })

  it('removes the site name from a title', () => {
    const titled = (title: string, heading: string) =>
      extractPage(`<html><head><title>${title}</title></head><body><h1>${heading}</h1></body></html>`, url).title
    expect(titled('Lamps - Shop', 'Lamps')).toBe('Lamps')
    expect(titled('Lamps - Shop', 'All our oil lamps')).toBe('Lamps - Shop')
    expect(titled('Lamps for gardens - Shop', 'Our lamps for gardens')).toBe('Our lamps for gardens')
    expect(titled('Lamps - Site', 'Welcome')).toBe('Lamps')
    expect(titled('Lamp-posts', 'Lamp')).toBe('Lamp-posts')
    expect(titled('', 'Lamps')).toBe('Lamps')
  })
})

describe('a box in the text', () => {
  it.each([
    ['div', 'note'],
    ['aside', 'admonition warning'],
    ['div', 'callout callout-tip'],
  ])('has a label, which is no heading of what follows: %s.%s', (name, className) => {
    const label = className.split(/[ -]/).at(-1) ?? ''
    const box = `<${name} class="${className}"><h3>${label}</h3><p>Lamps are hot.</p></${name}>`
    const blocks = body(`<main><h1>Lamps</h1><h2>Use</h2>${box}<p>Light them with care.</p><h4>Oil</h4></main>`).blocks
    expect(blocks.filter(({ kind }) => kind === 'heading').map(({ text }) => text)).toEqual(['Lamps', 'Use', 'Oil'])
    expect(blocks.map(({ text }) => text)).toContain(label)
  })

  it('may have a heading of its own', () => {
    const blocks = body(
      '<main><h1>Lamps</h1><div class="note"><h3>Lamps at sea</h3><p>They sway.</p></div></main>',
    ).blocks
    expect(blocks).toContainEqual(expect.objectContaining({ kind: 'heading', text: 'Lamps at sea' }))
  })
})

it('keeps the heading of a page whose title starts with the site', () => {
  for (const site of ['Lumen', 'Lumen Lamps']) {
    const html = `<h1>About us</h1><p>We make lamps.</p><h2>Why ${site} is here</h2><p>Because.</p>`
    const page = extractPage(`<title>${site} | About us</title><main>${html}</main>`, url)
    expect(page.blocks[0]?.text).toBe('About us')
    expect(page.title).toBe('About us')
  }
})

describe('title', () => {
  const titleOf = (title: string, html: string) =>
    extractPage(`<html><head><title>${title}</title></head><body>${html}</body></html>`, url).title

  it.each([
    [
      'Core API Basics — Lumen 1.4 Documentation',
      '<h1>Lumen 1.4 Documentation</h1><h1>Core API Basics</h1><p>Text.</p>',
    ],
    [
      'Lumen 1.4 Documentation: Core API Basics',
      '<h1>Lumen 1.4 Documentation</h1><h2>Core API Basics</h2><p>Text.</p>',
    ],
    ['Core API Basics | Lumen', '<h1>Core API Basics</h1><p>Text.</p><h2>Lumen</h2><p>Text.</p>'],
    ['Core API Basics | Lumen', '<h1>Core API Basics</h1><p>Text.</p><h2>Why Lumen is here</h2><p>Text.</p>'],
  ])('is not the heading that names the site: %s', (title, html) => {
    expect(titleOf(title, `<main>${html}</main>`)).toBe('Core API Basics')
  })
})
