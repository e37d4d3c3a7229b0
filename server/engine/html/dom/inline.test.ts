import { describe, expect, it } from 'vitest'
import { extractPage } from '../extract-page'

const texts = (html: string) =>
  extractPage(`<body>${html}</body>`, 'https://site.example/').blocks.map(({ text }) => text)

describe('isInline', () => {
  it.each(['nobr', 'ruby', 'acronym', 'math', 'output', 'slot', 'blink', 'x-term', 'app-price'])(
    'keeps a sentence with <%s> in one block',
    (name) => {
      expect(texts(`<p>It costs <${name}>12 €</${name}> a day.</p>`)).toEqual(['It costs 12 € a day.'])
      expect(texts(`<div>It costs <${name}>12 €</${name}> a day.</div>`)).toEqual(['It costs 12 € a day.'])
      expect(texts(`<ul><li>It costs <${name}>12</${name}>,50 a day.</li></ul>`)).toEqual(['- It costs 12,50 a day.'])
    },
  )

  it('reads formulas and readings in their line', () => {
    const formula =
      '<math><semantics><mrow><mi>x</mi><mo>=</mo><mn>2</mn></mrow><annotation>x=2</annotation></semantics></math>'
    expect(texts(`<p>If ${formula}, it ends.</p>`)).toEqual(['If x=2, it ends.'])
    expect(texts('<p>The <ruby>灯<rp>(</rp><rt>tou</rt><rp>)</rp></ruby> burns.</p>')).toEqual(['The 灯(tou) burns.'])
  })

  it('separates boxes that scripts build of elements of their own', () => {
    expect(texts('<x-app><x-card>One.</x-card><x-card>Two.</x-card></x-app>')).toEqual(['One.', 'Two.'])
    expect(texts('<x-app><x-card><p>One.</p></x-card><x-card><h2>Two.</h2></x-card></x-app>')).toEqual(['One.', 'Two.'])
  })

  it.each(['<x-y>', '<x-y>a</x-y>', '<x-y></x-y>'])('reads 300,000 times %s in linear time', (part) => {
    expect(texts(`${part.repeat(300_000)}end`).at(-1)).toMatch(/end$/)
  })
})
