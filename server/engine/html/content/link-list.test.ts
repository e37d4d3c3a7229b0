import { describe, expect, it } from 'vitest'
import { extractPage } from '../extract-page'

const isLinkList = (html: string, path = '/genindex') =>
  extractPage(`<title>Index</title><main><h1>Index</h1>${html}</main>`, `https://site.example${path}`).isLinkList
const times = (count: number, item: (number: number) => string) =>
  Array.from({ length: count }, (_, n) => item(n)).join('')
const name = (number: number) => `<a href="/f${number}">lamp.light_${number}()</a>`
const sentence = 'A lamp is a device that gives light, and that burns oil or uses electricity from the wall.'

describe('an index', () => {
  const shapes: [string, string][] = [
    ['items', `<ul>${times(120, (n) => `<li>${name(n)}</li>`)}</ul>`],
    ['items with a kind', `<ul>${times(120, (n) => `<li>${name(n)}, <a href="/m${n}">[1]</a></li>`)}</ul>`],
    ['letters', times(12, (l) => `<h2>${l}</h2><ul>${times(12, (n) => `<li>${name(100 * l + n)}</li>`)}</ul>`)],
    ['a table', `<table><tr><td><ul>${times(120, (n) => `<li>${name(n)}</li>`)}</ul></td></tr></table>`],
    ['terms', `<dl>${times(120, (n) => `<dt>${name(n)}</dt>`)}</dl>`],
    ['paragraphs', times(120, (n) => `<p>${name(n)}</p>`)],
    ['breaks', `<p>${times(120, (n) => `${name(n)}<br>`)}</p>`],
    ['nested items', `<ul>${times(60, (n) => `<li>${name(n)}<ul><li>${name(1000 + n)}</li></ul></li>`)}</ul>`],
  ]
  it.each(shapes)('is found in %s', (_, html) => {
    expect(isLinkList(html)).toBe(true)
    expect(isLinkList(html, '/')).toBe(false)
  })
})

describe('a page that is no index', () => {
  it.each([
    ['a glossary', `<dl>${times(120, (n) => `<dt>${name(n)}</dt><dd>${sentence}</dd>`)}</dl>`],
    ['an overview', `<p>${sentence}</p><ul>${times(120, (n) => `<li>${name(n)}</li>`)}</ul>`],
    ['a few links', `<ul>${times(20, (n) => `<li>${name(n)}</li>`)}</ul>`],
    [
      'articles',
      `<ul>${times(120, (n) => `<li><a href="/${n}">How lamp number ${n} is cleaned and filled</a></li>`)}</ul>`,
    ],
    ['a shop', times(120, (n) => `<li><a href="/${n}">Lamp ${n}</a> <b>€ ${n},00, in stock again</b></li>`)],
    ['a text', times(120, (n) => `<p>${sentence} See ${name(n)}.</p>`)],
  ])('is %s', (_, html) => {
    expect(isLinkList(html)).toBe(false)
  })
})
