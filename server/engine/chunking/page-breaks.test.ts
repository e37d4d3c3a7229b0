import { describe, expect, it } from 'vitest'
import type { Block, Tokenizer } from '../ports'
import { chunkDocument } from './chunk'

const tokenizer: Tokenizer = { count: (text) => text.split(/\s+/).filter((word) => word !== '').length }
const chunk = (blocks: Block[]) =>
  chunkDocument({ title: 'Charger manual', language: 'en', blocks }, tokenizer).map(({ anchor, text }) => [
    anchor,
    text,
  ])

const heading = (text: string, page: number, level = 2): Block => ({
  kind: 'heading',
  level,
  text,
  anchor: `page=${page}`,
})
const said = (text: string, page: number): Block => ({ kind: 'paragraph', text, anchor: `page=${page}` })
const words = (count: number, word: string) => Array.from({ length: count }, () => word).join(' ')

describe('A fragment of a file with pages', () => {
  it('ends with the page, so that it is opened where its text stands', () => {
    const [first, second, third] = [words(20, 'charge'), words(30, 'store'), words(40, 'oil')]
    expect(chunk([heading('Manual', 1, 1), said(first, 1), said(second, 2), said(third, 3)])).toEqual([
      ['page=1', first],
      ['page=2', second],
      ['page=3', third],
    ])
  })

  it('ends before a heading on the next page, however short it is', () => {
    const blocks = [
      heading('Manual', 1, 1),
      said('It fills in 38 minutes.', 2),
      heading('Winter', 3),
      said('Keep dry.', 3),
    ]
    expect(chunk(blocks)).toEqual([
      ['page=2', 'It fills in 38 minutes.'],
      ['page=3', 'Keep dry.'],
    ])
  })

  it('takes the last words of a page with the next, and is opened where most of it stands', () => {
    expect(chunk([said('See below.', 1), said(words(40, 'oil'), 2)])).toEqual([
      ['page=2', `See below.\n${words(40, 'oil')}`],
    ])
    expect(chunk([said('These are four words.', 1), said('And two.', 2)])).toEqual([
      ['page=1', 'These are four words.\nAnd two.'],
    ])
  })

  it('is opened where its text stands, not where headings without text do', () => {
    const blocks = [heading('Parts', 1), heading('Care', 1), said('Wipe it.', 2)]
    expect(chunk(blocks)).toEqual([['page=2', 'Parts\nWipe it.']])
  })
})
