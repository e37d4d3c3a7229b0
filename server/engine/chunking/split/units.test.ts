import { describe, expect, it } from 'vitest'
import { extractPage } from '../../html/extract-page'
import type { Block } from '../../ports/extractor'
import type { Tokenizer } from '../../ports/search-index'
import { chunkDocument } from '../chunk'
import { splitBlock, unitsOf } from './units'

const tokenizer: Tokenizer = { count: (text) => text.split(/\s+/).filter((word) => word !== '').length }
const room = { target: 20, max: 25 }
const rows = (count: number) => Array.from({ length: count }, (_, index) => `Lamp ${index} | ${index} euros`)
const every = (step: number, count: number) =>
  Array.from({ length: Math.ceil(count / step) }, (_, index) => ({ line: index * step, anchor: `r${index * step}` }))

describe('unitsOf', () => {
  it('gives each part of a long table the nearest anchor at or before its first row', () => {
    const text = ['Name | Price', ...rows(40)].join('\n')
    const block = { kind: 'table', text, anchor: 'all', anchors: every(3, 41).slice(1) } as const
    const units = unitsOf(block, room, tokenizer, 'en')
    expect(units.length).toBeGreaterThan(5)
    expect(units[0]?.anchor).toBe('all')
    for (const unit of units.slice(1)) {
      const line = 1 + Number(/Lamp (\d+)/.exec(unit.text)?.[1])
      expect(unit.anchor).toBe(line < 3 ? 'all' : `r${line - (line % 3)}`)
    }
  })

  it('gives each part of a divided list item the anchor of the item', () => {
    const long = Array.from({ length: 60 }, (_, index) => `word${index}.`).join(' ')
    const text = ['- one', `- ${long}`, '- three', '- four'].join('\n')
    const anchors = [
      { line: 0, anchor: 'one' },
      { line: 1, anchor: 'two' },
      { line: 3, anchor: 'four' },
    ]
    const units = unitsOf({ kind: 'list', text, anchor: null, anchors }, room, tokenizer, 'en')
    expect(units[0]?.anchor).toBe('one')
    expect(units.slice(1).map(({ anchor }) => anchor)).toEqual(units.slice(1).map(() => 'two'))
  })

  it('uses the anchor of the first row for a block without one', () => {
    const block = { kind: 'table', text: 'a | b\nc | d', anchor: null } as const
    const [whole] = unitsOf({ ...block, anchors: [{ line: 0, anchor: 'r0' }] }, room, tokenizer, 'en')
    expect(whole?.anchor).toBe('r0')
    const [later] = unitsOf({ ...block, anchors: [{ line: 1, anchor: 'r1' }] }, room, tokenizer, 'en')
    expect(later?.anchor).toBe(null)
  })
})

describe('splitBlock', () => {
  it('keeps anchors at their rows', () => {
    const lines = ['Name | Price', ...rows(60_000)]
    const anchors = every(1_000, lines.length)
    const parts: Block[] = [...splitBlock({ kind: 'table', text: lines.join('\n'), anchor: null, anchors })]
    expect(parts.length).toBeGreaterThan(1)
    for (const part of parts) {
      const own = part.text.split('\n')
      const found = 'anchors' in part ? (part.anchors ?? []) : []
      expect(found.length).toBeGreaterThan(5)
      const [first, ...others] = found
      expect(Number(first?.line)).toBeLessThan(1_001)
      for (const { line, anchor } of others)
        expect(own[line]).toBe(`Lamp ${Number(anchor.slice(1)) - 1} | ${Number(anchor.slice(1)) - 1} euros`)
    }
  })
})

it('takes the anchors of rows from the page to its fragments', () => {
  const lines = rows(300).map((row, index) => `<tr id=r${index}><td>${row.replace(' | ', '<td>')}`)
  const html = `<h1 id=top>Lamps</h1><table><tr><th>Name<th>Price${lines.join('')}</table>`
  const [first, ...others] = chunkDocument(extractPage(html, 'https://docs.site.example/'), tokenizer)
  expect(first?.anchor).toBe('top')
  expect(others.length).toBeGreaterThan(2)
  for (const { anchor, text } of others) expect(anchor).toBe(`r${/Lamp (\d+)/.exec(text)?.[1]}`)
})
