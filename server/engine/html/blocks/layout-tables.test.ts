import { expect, it } from 'vitest'
import { parsePage } from '../dom/parse'
import { blocksOf } from './blocks'

const readsOf = (html: string) =>
  blocksOf(parsePage(`<table>${html}</table>`).body).map(({ kind, text }) => `${kind}: ${text}`)
const prose = 'The lamp of the tower burned oil until the year 1901, and its keeper wound the clock at night. '
  .repeat(3)
  .trim()

it('reads each paragraph of a cell as a block', () => {
  expect(
    readsOf('<tr><td><p>First lamp.</p><p>Second lamp.</p></td><td><p>Third.</p><p>Fourth.</p></td></tr>'),
  ).toEqual(['paragraph: First lamp.', 'paragraph: Second lamp.', 'paragraph: Third.', 'paragraph: Fourth.'])
})

it('reads cells of several links with their descriptions', () => {
  const entry = (name: string) => `<p><a href=${name}>${name}</a><br><span>what is new in ${name}</span></p>`
  expect(
    readsOf(`<tr><td>${entry('tower')}${entry('keeper')}<td>${entry('lamp')}${entry('wick')}`).map((block) =>
      block.replace('\n', ', '),
    ),
  ).toEqual(['tower', 'keeper', 'lamp', 'wick'].map((name) => `paragraph: ${name}, what is new in ${name}`))
})

it('reads prose next to a menu and below a banner', () => {
  expect(
    readsOf(
      `<tr><td colspan=2>The lamp museum<tr><td><a href=a>Start</a><td>${prose}<tr><td colspan=2>Best viewed at night.`,
    ),
  ).toEqual([
    'paragraph: The lamp museum',
    'paragraph: Start',
    `paragraph: ${prose}`,
    'paragraph: Best viewed at night.',
  ])
})

it('reads a single row with nearly all text in one cell', () => {
  expect(readsOf(`<tr><td>1.<td>${prose}`)).toEqual(['paragraph: 1.', `paragraph: ${prose}`])
})

it.each([
  ['names with long descriptions', `<tr><td>wick<td>${prose}<tr><td>oil<td>${prose}`],
  [
    'a cell with two paragraphs in a table with a header',
    '<tr><th>Lamp<th>Note<tr><td>Storm<td><p>One.</p><p>Two.</p>',
  ],
  ['one long cell among short ones', `<tr><td>a<td>b<tr><td>c<td>d<tr><td colspan=2>${prose}<tr><td>e<td>f`],
  ['a row of short cells', '<tr><td>Open<td>Monday to Friday'],
  ['a list of links in a cell', `<tr><td>See<td>${'<a href=a>Another long page about lamps</a> '.repeat(9)}`],
  ['one paragraph per cell', '<tr><td><p>Storm</p><td><p>12</p><tr><td><p>Desk</p><td><p>7</p>'],
])('keeps a table that holds %s', (_, html) => {
  expect(readsOf(html)).toEqual([expect.stringMatching(/^table: /)])
})
