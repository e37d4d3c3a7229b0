import { expect, it } from 'vitest'
import type { Tokenizer } from '../../ports/search-index'
import { unitsOf } from './units'

const tokenizer: Tokenizer = { count: (text) => text.split(/\s+/).filter((word) => word !== '').length }
const room = { target: 24, max: 30 }
const split = (text: string) =>
  unitsOf({ kind: 'list', text, anchor: null }, room, tokenizer, 'en').map(({ text }) => text)

it('repeats the items above a nested one', () => {
  const nested = Array.from({ length: 30 }, (_, index) => `  - inner ${index}`)
  const parts = split(['- first', '- Lamps', ...nested, '- last'].join('\n'))
  expect(parts.length).toBeGreaterThan(3)
  for (const part of parts.slice(1)) expect(part).toMatch(/^(?:- Lamps\n {2}- inner|- last)/)
  expect(parts.join('\n').match(/inner \d+/g)).toHaveLength(30)
})

it('repeats items of several levels, but not the siblings between', () => {
  const deep = Array.from({ length: 24 }, (_, index) => `    - deep ${index}`)
  const parts = split(['- Lamps', '  - oil', '  - wicks', ...deep].join('\n'))
  for (const part of parts.slice(1)) expect(part).toMatch(/^- Lamps\n {2}- wicks\n {4}- deep/)
})

it('does not repeat items that are long', () => {
  const long = `- ${'word '.repeat(12).trim()}`
  const parts = split([long, ...Array.from({ length: 20 }, (_, index) => `  - inner ${index}`)].join('\n'))
  expect(parts.filter((part) => part.includes('word'))).toHaveLength(1)
})

it('stays within the limit, and gives each part the anchor of its first item', () => {
  const lines = [
    '- Lamps',
    ...Array.from({ length: 40 }, (_, index) => `  - inner ${index} ${'x '.repeat(index)}`.trimEnd()),
  ]
  const anchors = lines.map((_, line) => ({ line, anchor: `a${line}` }))
  for (const unit of unitsOf({ kind: 'list', text: lines.join('\n'), anchor: null, anchors }, room, tokenizer, 'en')) {
    expect(unit.tokens).toBeLessThanOrEqual(room.target)
    const first = /inner (\d+)/.exec(unit.text)?.[1]
    if (first && unit.anchor !== 'a0') expect(unit.anchor).toBe(`a${Number(first) + 1}`)
  }
})
