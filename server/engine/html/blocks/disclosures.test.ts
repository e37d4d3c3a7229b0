import { expect, it } from 'vitest'
import { extractPage } from '../extract-page'

const answer = 'Take lamp oil, which burns without smoke and without a smell.'

function linesOf(html: string): string[] {
  const page = `<html lang="en"><body><main><h1>Questions</h1>${html}</main></body></html>`
  return extractPage(page, 'https://site.example/faq')
    .blocks.slice(1)
    .map(({ text }) => text)
}

it.each([
  ['a heading', `<h3><button>Which oil?</button></h3><div>${answer}</div>`],
  [
    'a heading with an icon',
    `<h3><span><button>Which oil?<svg><title>v</title></svg></button></span></h3><p>${answer}</p>`,
  ],
  ['a term', `<dl><dt><button>Which oil?</button></dt><dd>${answer}</dd></dl>`],
  ['a summary', `<details><summary><button>Which oil?</button></summary><p>${answer}</p></details>`],
  ['a line of its own', `<button aria-expanded="true">Which oil?</button><div>${answer}</div>`],
  [
    'a line with its panel',
    `<div><div><button aria-controls="a">Which oil?</button></div><div id="a"><p>${answer}</p></div></div>`,
  ],
  [
    'a line whose panel is missing',
    `<div><button aria-controls="none" aria-expanded="false">Which oil?</button></div><div>${answer}</div>`,
  ],
  ['a question', `<button type="button">Which oil?</button><div><p>${answer}</p></div>`],
  ['a heading in a button', `<button type="button"><h5>Which oil?</h5></button><div><p>${answer}</p></div>`],
  ['a button of an accordion', `<div><button class="accordion__trigger">Oils</button></div><div>${answer}</div>`],
  ['an item of an accordion', `<div class="faq-item"><button>Oils</button><div>${answer}</div></div>`],
  ['a button with its hidden answer', `<button>Which oil?</button><div style="display:none">${answer}</div>`],
  ['a button around a heading', `<button aria-expanded="true"><h3>Which oil?</h3></button><div>${answer}</div>`],
])('reads a question in a button: %s', (_, html) => {
  expect(linesOf(html)).toEqual([html.includes('Which oil?') ? 'Which oil?' : 'Oils', answer])
})

it('reads a question in a button as the heading of its answer', () => {
  const html = `<main><h1>Questions</h1><h2>Oil</h2><button>Which oil?</button><div>${answer}</div></main>`
  const { blocks } = extractPage(html, 'https://site.example/faq')
  expect(blocks.at(-2)).toMatchObject({ kind: 'heading', level: 6, text: 'Which oil?' })
})

it.each([
  ['region', `<h3><button aria-controls="a">Which oil?</button></h3><div id="a" role="region" hidden>${answer}</div>`],
  ['aria-hidden', `<h3><a href="#a" aria-controls="a">Which oil?</a></h3><p id="a" aria-hidden="true">${answer}</p>`],
  ['until-found', `<h3>Which oil?</h3><div hidden="until-found">${answer}</div>`],
  [
    'closed by its style',
    `<button aria-controls="a">Which oil?</button><div id="a" style="height:0;overflow:hidden">${answer}</div>`,
  ],
])('reads a closed answer: %s', (_, html) => {
  expect(linesOf(html)).toEqual(['Which oil?', answer])
})

it('reads nested panels and tab panels', () => {
  const inner = `<h4><button aria-controls="b">How much?</button></h4><p id="b" hidden>Half a litre.</p>`
  const outer = `<h3><button aria-controls="a">Which oil?</button></h3><div id="a" hidden><p>${answer}</p>${inner}</div>`
  expect(linesOf(outer)).toEqual(['Which oil?', answer, 'How much?', 'Half a litre.'])
  const tabs = `<div role="tablist"><button role="tab" aria-controls="t">Oil</button></div>`
  expect(linesOf(`${tabs}<div id="t" role="tabpanel" hidden>${answer}</div>`)).toEqual([answer])
})

it.each([
  ['a control next to a title', `<h3>Oil <button>Copy link</button></h3><p>${answer}</p>`, ['Oil', answer]],
  ['a second control', `<h3><button>Oil</button><button>Copy link</button></h3><p>${answer}</p>`, ['Oil', answer]],
  ['a control', `<button>Add to basket</button><p>${answer}</p>`, [answer]],
  [
    'a menu',
    `<button aria-expanded="false">Menu</button><ul><li><a href="/a">All our lamps</a></li></ul>`,
    ['- All our lamps'],
  ],
  ['a question of a form', `<form><button>Forgot it?</button><p>${answer}</p></form>`, [answer]],
  [
    'a button before another',
    `<button>Which oil?</button><button>How much?</button><p>${answer}</p>`,
    ['How much?', answer],
  ],
  ['a dialog', `<button aria-controls="a">Help</button><div id="a" role="dialog" hidden>${answer}</div>`, []],
  [
    'a hidden element elsewhere',
    `<button aria-controls="a">Help</button><p>Text.</p><p id="a" hidden>${answer}</p>`,
    ['Text.'],
  ],
  ['a hidden control', `<h3><button hidden>Which oil?</button></h3><div>${answer}</div>`, [answer]],
])('does not reveal %s', (_, html, lines) => {
  expect(linesOf(html)).toEqual(lines)
})

it.each([
  '<h3><button>',
  '<button aria-expanded>ab',
  '<button aria-expanded>ab</button>',
  '<b aria-controls=a id=a hidden>',
])('reads 300,000 times %s in linear time', (html) => {
  expect(extractPage(html.repeat(300_000), 'https://site.example/').links).toEqual([])
})
