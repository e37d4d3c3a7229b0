import { describe, expect, it } from 'vitest'
import { extractPage } from '../extract-page'
import { isSelector } from './selectors'

const html = `<body><nav><a href="/a">A</a></nav>
<main><h1>Lamps</h1><div class="price" data-sku="40">49 EUR</div><p>${'The lamp burns for forty hours. '.repeat(6)}</p>
<div class="ad"><p>Buy more lamps today, and get a free wick with every one. <a href="/sale">Sale</a></p></div></main>
<footer id="foot"><p>Market 1, Leiden</p></footer></body>`

const textsWith = (include: string[], exclude: string[]) =>
  extractPage(html, 'https://shop.example/', { include, exclude }).blocks.map(({ text }) => text)

describe('selectors of a source', () => {
  it('select the content, each element once and in document order', () => {
    expect(textsWith(['#foot', '.price', 'div[data-sku="40"]'], [])).toEqual(['49 EUR', 'Market 1, Leiden'])
  })

  it('remove elements but keep their links', () => {
    const { blocks, links } = extractPage(html, 'https://shop.example/', { include: [], exclude: ['.ad', 'h1'] })
    expect(blocks.map(({ text }) => text).join(' ')).not.toMatch(/Buy more|Lamps/)
    expect(links).toContain('https://shop.example/sale')
  })

  it('remove elements inside the selected content', () => {
    expect(textsWith(['main'], ['p', '.ad'])).toEqual(['Lamps', '49 EUR'])
  })

  it('are ignored on a page without a match', () => {
    expect(textsWith(['.article'], [])).toEqual(textsWith([], []))
  })

  it.each(['main > p', 'div[data-x~="a b"]', ':is(h1, h2) + p', 'li:nth-child(2n + 1)', '#a.b'])(
    'accepts %s',
    (text) => {
      expect(isSelector(text)).toBe(true)
    },
  )

  it.each(['', '..a', 'div[', 'p:nowhere', '>>', 'a{color:red}'])('rejects %j', (text) => {
    expect(isSelector(text)).toBe(false)
  })
})
