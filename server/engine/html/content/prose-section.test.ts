import { describe, expect, it } from 'vitest'
import { extractPage } from '../extract-page'

const words =
  'comments login signup related-objects recommended-settings cookies subscriptions newsletter feedback sharing modal tooltip popover overlay survey disclaimer sponsors advertising pagination footer widgets trending popular shopping-cart respond breadcrumbs sidebar cookie-policy cookie-info privacy-notice consent donate ads banner share social similar suggestions follow tags categories archive menu navigation links header caption meta date author license rating votes poll searchbox skip-link gallery carousel tabs toolbar permalink copyright edit-link pager popup lightbox basket promo'.split(
    ' ',
  )
const sentence = 'The lantern burns for nine hours on one filling, and it does not smoke when the wind turns. '
const paragraphs = `<p>${sentence.repeat(2)}</p>`.repeat(6)
const lost = 'A lantern needs oil before it burns. Fill it up to the mark.'

/** A section within the text of a page, of the shapes that generators of manuals and page builders make. */
const shapes: [string, (attributes: string, heading: string) => string][] = [
  [
    'after paragraphs',
    (attributes, heading) =>
      `<h1>Lanterns</h1>${paragraphs.repeat(2)}<section ${attributes}><h2>${heading}</h2><p>${lost}</p></section>`,
  ],
  [
    'in nested sections',
    (attributes, heading) =>
      `<div role="main"><section id="lanterns"><h1>Lanterns</h1><section id="wicks"><h2>Wicks</h2>${paragraphs}</section>` +
      `<section ${attributes}><h2>${heading}<a class="headerlink" href="#x">¶</a></h2><p>${lost}</p></section>` +
      `<section id="oil"><h2>Oil</h2>${paragraphs}</section></section></div>`,
  ],
  [
    'in boxes',
    (attributes, heading) =>
      `<div id="content"><h1>Lanterns</h1><div><h2>Wicks</h2>${paragraphs}</div>` +
      `<div ${attributes}><h2>${heading}</h2><p>${lost}</p></div><div><h2>Oil</h2>${paragraphs}</div></div>`,
  ],
  [
    'in an article',
    (attributes, heading) =>
      `<nav><a href="/">Start</a></nav><main><article><h1>Lanterns</h1>${paragraphs.repeat(2)}` +
      `<div ${attributes}><h3>${heading}</h3><p>${lost}</p></div></article></main>`,
  ],
]

const textOf = (html: string) => {
  const { blocks } = extractPage(`<title>Lanterns</title><body>${html}</body>`, 'https://site.example/page')
  return blocks.map(({ text }) => text).join('\n')
}

describe('a section of prose inside a text', () => {
  describe.each(shapes)('%s', (_, page) => {
    it.each(['id', 'class'])('stays, whatever word its %s is', (attribute) => {
      const removed = words.filter((word) => {
        const heading = word.charAt(0).toUpperCase() + word.slice(1).replaceAll('-', ' ')
        return !textOf(page(`${attribute}="${word}"`, heading)).includes(lost)
      })
      expect(removed).toEqual([])
    })
  })

  it('stays if it contains tabs, which are radio buttons', () => {
    const tabs = '<input type="radio" name="system" id="unix"><label for="unix">Unix</label>'
    const html = `<h1>Lanterns</h1>${paragraphs}<section id="polls"><h2>Creating polls</h2><p>${lost}</p>${tabs}</section>`
    expect(textOf(html)).toContain(lost)
  })

  it('stays if it is all of a page, and its id repeats the heading', () => {
    const links = '<p>Next: <a href="b.html">Wicks</a>, Up: <a href="a.html">Lanterns</a></p>'
    const html = `<div class="subsection" id="Block-Comments">${links}<h4>2.7 Block Comments</h4><p>${sentence}</p></div>`
    expect(textOf(html)).toContain(sentence.trim())
  })

  it('stays beside a longer section', () => {
    const html = `<div><div class="part"><h2>Use</h2>${paragraphs}</div><div class="part"><h2>Notes</h2><p>${lost}</p></div></div>`
    expect(textOf(html)).toContain(lost)
  })
})

describe('a box that is no section of the text', () => {
  const form = '<form><input name="mail"><button>Send</button></form>'
  const links = '<ul><li><a href="/a">Oil lamps and their wicks</a></li><li><a href="/b">Lamps that float</a></li></ul>'
  const comment = `<li class="comment"><time datetime="2026-05-04">4 May</time><p>${lost}</p></li>`

  it.each([
    ['asks for an address', `<section class="newsletter"><h2>Newsletter</h2><p>${lost}</p>${form}</section>`],
    ['leads to other pages', `<section id="related-pages"><h2>Related pages</h2>${links}</section>`],
    ['holds comments', `<section id="comments"><h2>Comments</h2><ol>${comment}</ol></section>`],
    ['asks for consent', `<div class="cookie-notice"><h2>Cookies</h2><p>${lost}</p><button>Accept</button></div>`],
    ['has no heading', `<div class="promo"><p>${lost}</p></div>`],
  ])('is removed, because it %s', (_, box) => {
    expect(textOf(`<h1>Lanterns</h1>${paragraphs}${box}`)).not.toMatch(/needs oil|float/)
  })

  it('is removed from a column next to the text', () => {
    const html = `<div><div><h1>Lanterns</h1>${paragraphs}</div><div class="sidebar"><h2>About us</h2><p>${lost}</p></div></div>`
    expect(textOf(html)).not.toContain(lost)
  })
})
