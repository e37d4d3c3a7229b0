import { describe, expect, it } from 'vitest'
import type { Block } from '../../ports/extractor'
import type { Tokenizer } from '../../ports/search-index'
import { chunkDocument } from '../chunk'

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
const paragraph = (text: string, page: number): Block => ({ kind: 'paragraph', text, anchor: `page=${page}` })
const words = (count: number, word: string) => Array.from({ length: count }, () => word).join(' ')

describe('fragments of a file with pages', () => {
  it('end with their page, so that they link to their text', () => {
    const [first, second, third] = [words(20, 'charge'), words(30, 'store'), words(40, 'oil')]
    expect(chunk([heading('Manual', 1, 1), paragraph(first, 1), paragraph(second, 2), paragraph(third, 3)])).toEqual([
      ['page=1', first],
      ['page=2', second],
      ['page=3', third],
    ])
  })

  it('end before a heading on the next page, even if they are short', () => {
    const blocks = [
      heading('Manual', 1, 1),
      paragraph('It fills in 38 minutes.', 2),
      heading('Winter', 3),
      paragraph('Keep dry.', 3),
    ]
    expect(chunk(blocks)).toEqual([
      ['page=2', 'It fills in 38 minutes.'],
      ['page=3', 'Keep dry.'],
    ])
  })

  it('join the last words of a page to the next one, and link to the page with most of the text', () => {
    expect(chunk([paragraph('See below.', 1), paragraph(words(40, 'oil'), 2)])).toEqual([
      ['page=2', `See below.\n${words(40, 'oil')}`],
    ])
    expect(chunk([paragraph('These are four words.', 1), paragraph('And two.', 2)])).toEqual([
      ['page=1', 'These are four words.\nAnd two.'],
    ])
  })

  it('link to the page of their text, not to that of headings without text', () => {
    const blocks = [heading('Parts', 1), heading('Care', 1), paragraph('Wipe it.', 2)]
    expect(chunk(blocks)).toEqual([['page=2', 'Parts\nWipe it.']])
  })
})
