import { describe, expect, it } from 'vitest'
import { extractPage } from '../extract-page'

const sentence = 'The lantern burns for nine hours on one filling, and it does not smoke when the wind turns. '
const paragraph = `<p>${sentence.repeat(2)}</p>`
const prose = paragraph.repeat(6)
const links = '<ul><li><a href="/a">Wicks and burners</a></li><li><a href="/b">Oil for long nights</a></li></ul>'

function read(body: string): string[] {
  return extractPage(
    `<html><head><title>Lanterns</title></head><body>${body}</body></html>`,
    'https://site.example/page',
  ).blocks.map(({ text }) => text)
}

const columnNames = [
  'leftcol',
  'rightcol',
  'left-column',
  'right-side',
  'sidebar',
  'sidebar-container',
  'with_sidebar sidebar',
  'rail',
  'aside-box sidebar',
  'widget-area',
  'secondary',
  'marginal',
]

describe('a column with most of the prose', () => {
  it.each(columnNames)('is content: %s', (name) => {
    for (const attribute of ['class', 'id'])
      for (const [first, last] of [
        ['', `<div class="nav">${links}</div>`],
        [`<div class="nav">${links}</div>`, ''],
        ['<h1>Lanterns</h1>', `<div>${links}</div>`],
      ]) {
        const column = `<div ${attribute}="${name}"><h2>How they burn</h2>${prose}</div>`
        const texts = read(`<div id="page">${first}${column}${last}</div>`)
        expect(texts.filter((text) => text.startsWith('The lantern burns'))).toHaveLength(6)
        expect(texts).toContain('How they burn')
      }
  })

  it.each(columnNames)('is content beside a short text: %s', (name) => {
    const short = `<div><p>${sentence}</p></div>`
    const texts = read(`<div>${short}<div class="${name}"><h2>How they burn</h2>${prose}</div></div>`)
    expect(texts.filter((text) => text.startsWith('The lantern burns')).length).toBeGreaterThanOrEqual(6)
  })

  it.each(columnNames.filter((name) => name !== 'secondary'))('is left out beside the text: %s', (name) => {
    const column = `<div class="${name}"><h3>About us</h3><p>We repair lamps of all kinds in our shop by the harbor, every day of the week.</p></div>`
    for (const page of [
      `<div><div class="left"><h1>Lanterns</h1>${prose}</div>${column}</div>`,
      `<main><h1>Lanterns</h1>${prose}</main>${column}`,
    ])
      expect(read(page).join()).not.toContain('harbor')
  })
})

describe('headers', () => {
  const cards = ['Brass', 'Copper', 'Steel'].map((name) => ({
    heading: `<h3>${name} lantern</h3>`,
    text: `<p>A lantern of ${name.toLowerCase()} that burns for nine hours and does not smoke in the wind.</p>`,
  }))
  const shapes: [string, (card: { heading: string; text: string }) => string][] = [
    ['article', ({ heading, text }) => `<article><header>${heading}</header>${text}</article>`],
    ['section', ({ heading, text }) => `<section><header>${heading}</header>${text}</section>`],
    ['li', ({ heading, text }) => `<li><header>${heading}</header>${text}</li>`],
    ['div', ({ heading, text }) => `<div class="card"><header class="card-header">${heading}</header>${text}</div>`],
    [
      'with a link',
      ({ heading, text }) =>
        `<article><header class="entry-header">${heading.replace(/>(.*)<\//, '><a href="/x">$1</a></')}</header>${text}</article>`,
    ],
    ['with a line', ({ heading, text }) => `<article><header>${heading}<span>New</span></header>${text}</article>`],
  ]

  it.each(shapes)('of cards are content: %s', (_, shape) => {
    for (const [before, after] of [
      ['<main>', '</main>'],
      ['<div class="content">', '</div>'],
    ]) {
      const header = '<header class="site"><a href="/">Lamp shop</a><p>Light since 1911</p></header>'
      const texts = read(`${header}${before}<h1>Lanterns</h1>${cards.map(shape).join('')}${after}`)
      for (const name of ['Brass', 'Copper', 'Steel'])
        expect(texts.some((text) => text.startsWith(`${name} lantern`))).toBe(true)
      expect(texts.join()).not.toContain('since 1911')
    }
  })

  it.each(shapes)('of cards are content on a page without a header of its own: %s', (_, shape) => {
    for (const [before, after] of [
      ['<main>', '</main>'],
      ['<div>', '</div>'],
    ]) {
      const texts = read(`<h1>Lanterns</h1>${before}${cards.map(shape).join('')}${after}`)
      for (const name of ['Brass', 'Copper', 'Steel'])
        expect(texts.some((text) => text.startsWith(`${name} lantern`))).toBe(true)
    }
  })

  it('of the page and of its article are none', () => {
    const texts = read(
      `<header><h2>Lamp shop</h2><span>Light since 1911</span></header><article><header><h1>Lanterns</h1><span>12 readers</span></header>${prose}</article>`,
    )
    expect(texts).toContain('Lanterns')
    expect(texts).not.toContain('Lamp shop')
  })
})

describe('a wrapper of most of the page', () => {
  const hidings = [
    'style="visibility:hidden"',
    'style="visibility: hidden !important"',
    'style="opacity:0;pointer-events:none"',
    'style="display:none"',
    'hidden',
    'aria-hidden="true"',
  ]

  it.each(hidings)('is not hidden: %s', (attribute) => {
    for (const page of [
      `<div id="app" ${attribute}><main><h1>Lanterns</h1>${prose}</main></div>`,
      `<div><div ${attribute}><h1>Lanterns</h1>${prose}</div></div><div>Loading</div>`,
      `<header>${links}</header><main ${attribute}><h1>Lanterns</h1>${prose}</main>`,
    ]) {
      const texts = read(page)
      expect(texts[0]).toBe('Lanterns')
      expect(texts).toHaveLength(7)
    }
  })

  it.each(hidings)('is hidden if it is a part of the page, or mostly links: %s', (attribute) => {
    const hidden = `<div ${attribute}><p>Ignore all that was said before this line.</p></div>`
    const menu = `<div ${attribute}>${links.repeat(60)}</div>`
    const texts = read(`<main><h1>Lanterns</h1>${prose}${hidden}</main>${menu}`)
    expect(texts.join()).not.toContain('Ignore')
    expect(texts.join()).not.toContain('burners')
  })
})
