import { describe, expect, it } from 'vitest'
import { block, chunk, heading, page, sentences, tokenizer, tokensOf } from '../../../tests/support/sites/chunked-page'
import type { Block } from '../ports/extractor'
import type { Tokenizer } from '../ports/search-index'
import { chunkDocument, createChunker } from './chunk'
import { createHeadingPath } from './heading-path'
import { memoizeCounts } from './split/units'

describe('chunkDocument', () => {
  it('stays within the limit and keeps all words of any text', () => {
    const long = [
      'x'.repeat(5000),
      sentences(200),
      'word '.repeat(900),
      '\u{1f600}'.repeat(600),
      '这是一个没有空格的长句子'.repeat(80),
    ]
    const title = 'A very long title '.repeat(40)
    for (const text of long) {
      for (const kind of ['paragraph', 'code', 'list', 'table'] as const) {
        const blocks = [
          heading(1, title),
          heading(2, 'deep '.repeat(100)),
          heading(7, `term(${'argument, '.repeat(60)})`),
          block(text.trim(), kind),
        ]
        const fragments = chunkDocument(page(blocks, title), tokenizer)
        expect(fragments.length).toBeGreaterThan(1)
        for (const fragment of fragments) expect(tokensOf(fragment)).toBeLessThanOrEqual(254)
        const chunked = fragments.map((fragment) => fragment.text).join('')
        // Equal fragments are omitted, so only distinct words can be checked.
        if (text === long[1])
          for (let index = 0; index < 200; index++) expect(chunked).toContain(`number ${index} hums`)
      }
    }
  })

  it('fills fragments to about 200 tokens', () => {
    const blocks = Array.from({ length: 60 }, (_, index) => block(sentences(4, `lamp${index}`)))
    const fragments = chunk(...blocks)
    const mean = fragments.reduce((sum, { tokens }) => sum + tokens, 0) / fragments.length
    expect(mean).toBeGreaterThan(140)
    expect(mean).toBeLessThanOrEqual(200)
  })

  it('keeps a term with its definition, and in the headings of what follows', () => {
    const fragments = chunk(
      heading(7, 'dump(obj, fp)', 'json.dump'),
      block(sentences(20)),
      block(sentences(20, 'cell')),
    )
    expect(fragments[0]).toMatchObject({ headings: [], innerHeadings: ['dump(obj, fp)'], anchor: 'json.dump' })
    expect(fragments[0]?.text).toMatch(/^dump\(obj, fp\)\nThe lamp/)
    expect(fragments[1]).toMatchObject({ headings: ['dump(obj, fp)'], innerHeadings: [], anchor: 'json.dump' })
    expect(chunk(heading(7, 'lonely(term)'))[0]?.text).toBe('lonely(term)')
  })

  it('omits a passage that only repeats the title', () => {
    const page = [
      heading(1, 'Borders'),
      block('Draw a line around a cell.'),
      heading(1, 'See'),
      block('Title is: Borders'),
    ]
    const textsOf = (blocks: Block[], title: string) =>
      chunkDocument({ title, language: 'en', blocks }, tokenizer).map(({ text }) => text)
    expect(textsOf(page, 'Borders')).toEqual(['Draw a line around a cell.'])
    expect(textsOf([heading(1, 'Borders'), block('Title is: Borders')], 'Borders')).toEqual(['Title is: Borders'])
    expect(textsOf([block('Borders'), block('Borders')], 'Borders')).toEqual(['Borders\nBorders'])
    expect(textsOf([block('Borders')], 'Borders')).toEqual(['Borders'])
    expect(textsOf([block('Not in this edition: Borders')], 'Borders')).toEqual(['Not in this edition: Borders'])
  })

  it('does not divide code up to the limit of the model', () => {
    const code = Array.from({ length: 37 }, (_, index) => `  call(${index}) + more`).join('\n')
    expect(tokenizer.count(code)).toBeGreaterThan(200)
    expect(chunk(block('Before.'), block(code, 'code')).some((fragment) => fragment.text.includes(code))).toBe(true)
  })

  it('does not divide a small table up to the limit of the model', () => {
    const rows = Array.from({ length: 36 }, (_, row) => `Lamp ${row} | ${row} euros`)
    const table = ['Name | Price', ...rows].join('\n')
    expect(tokenizer.count(table)).toBeGreaterThan(200)
    expect(tokenizer.count(table)).toBeLessThan(250)
    expect(chunk(block(table, 'table')).map(({ text }) => text)).toEqual([table])
  })

  it('ends at an outermost heading, even if it is short', () => {
    const parts = (level: number) =>
      chunk(
        block('Before.'),
        heading(level, 'Storm'),
        block('It hums.'),
        heading(level + 1, 'Care'),
        block('Wipe it.'),
        heading(level, 'Desk'),
        block('It shines.'),
      ).map(({ text, headings }) => ({ text, headings }))
    const expected = [
      { text: 'Before.', headings: [] },
      { text: 'It hums.\nCare\nWipe it.', headings: ['Storm'] },
      { text: 'It shines.', headings: ['Desk'] },
    ]
    expect(parts(1)).toEqual(expected)
    expect(parts(3)).toEqual(expected)
  })

  it('does not treat terms as a heading level', () => {
    const terms = chunk(heading(7, 'wick'), block('It burns.'), heading(7, 'glass'), block('It shields.'))
    expect(terms.map(({ text }) => text)).toEqual(['wick\nIt burns.\nglass\nIt shields.'])
  })

  it('gives a block marked standalone a fragment of its own', () => {
    const summary: Block = { kind: 'paragraph', text: 'Two lamps.', anchor: 'sheet=A', standalone: true }
    const fragments = chunk(block('Before.'), heading(2, 'A'), summary, block('Row one.'), block('Row two.'))
    expect(fragments.map(({ text, headings }) => ({ text, headings }))).toEqual([
      { text: 'Before.', headings: [] },
      { text: 'Two lamps.', headings: ['A'] },
      { text: 'Row one.\nRow two.', headings: ['A'] },
    ])
  })

  it('limits the length of a word that the model counts as one token', () => {
    const once: Tokenizer = { count: (text) => text.split(/\s+/).filter((word) => word !== '').length }
    const word = Array.from({ length: 40_000 }, (_, index) => `x${index}`).join('')
    const fragments = chunkDocument(page([block(word)]), once)
    expect(fragments.map(({ text }) => text).join('') === word).toBe(true)
    for (const { text } of fragments) expect(text.length).toBeLessThan(20_000)
  })

  it('counts words of any language as the tokenizer does', () => {
    const texts = [
      'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft. ',
      'kısaltılamayabilecekmişsiniz, ',
      'ประเทศไทยมีประชากรหกสิบล้านคน ',
      '这是一个没有空格的长句子。',
      'https://lamps.example/a/very/long/address/that/nobody/ever/reads?and=its&many=parts#too ',
      '\u0906\u092a\u0915\u093e \u0938\u094d\u0935\u093e\u0917\u0924 \u0939\u0948\u0964 ',
    ]
    for (const text of texts) {
      const bounded = memoizeCounts(tokenizer)
      for (const times of [1, 3, 50]) {
        expect(bounded.count(text.repeat(times)), text).toBe(tokenizer.count(text.repeat(times)))
      }
    }
  })

  it('repeats the header row of a long table', () => {
    const rows = Array.from({ length: 100 }, (_, index) => `Lamp ${index} | ${index} euros`)
    const fragments = chunk(block(['Name | Price', ...rows].join('\n'), 'table'))
    expect(fragments.length).toBeGreaterThan(2)
    for (const fragment of fragments) expect(fragment.text).toMatch(/^Name \| Price\nLamp \d+ \| \d+ euros/)
  })

  it('divides lists between items and paragraphs between sentences', () => {
    const items = Array.from({ length: 60 }, (_, index) => `- item ${index} of the list`).join('\n')
    for (const { text } of chunk(block(items, 'list'))) expect(text).toMatch(/^(- item \d+ of the list\n?)+$/)
    for (const { text } of chunk(block(sentences(80)))) expect(text).toMatch(/^(The lamp number \d+ hums\. ?)+$/)
  })

  it('gives equal fragments equal hashes, and different ones different hashes', () => {
    const [first] = chunk(heading(2, 'A'), block('One text.'))
    const [again] = chunk(block(''), heading(2, 'A', 'moved'), block('One text.'))
    const [moved] = chunk(heading(2, 'B'), block('One text.'))
    expect(first?.hash).toMatch(/^[\da-f]{64}$/)
    expect(again?.hash).toBe(first?.hash)
    expect(first?.hash).not.toBe(moved?.hash)
  })

  it('omits repeated passages', () => {
    const same = block(sentences(22))
    expect(chunk(same, same, same).map(({ ordinal }) => ordinal)).toEqual([0])
  })
})

it('divides a very long paragraph between sentences in linear time', () => {
  const fragments = chunk(block(sentences(40_000)))
  expect(fragments.length).toBeGreaterThan(1_000)
  expect(fragments.every(({ text }) => text.endsWith('hums.'))).toBe(true)
}, 20_000)

describe('createChunker', () => {
  const blocks = Array.from({ length: 90 }, (_, index) =>
    index % 9 === 0 ? heading(2 + (index % 2), `Part ${index}`, `p${index}`) : block(sentences(index % 7, `w${index}`)),
  )

  it('returns each fragment once it is complete, and the same ones as for the whole document', () => {
    const chunker = createChunker({ title: 'Lamps', language: 'en' }, tokenizer)
    const counts: number[] = []
    const fragments = blocks.flatMap((block) => {
      const batch = chunker.push([block])
      counts.push(batch.length)
      return batch
    })
    expect(Math.max(...counts)).toBeLessThanOrEqual(2)
    expect([...fragments, ...chunker.end()]).toEqual(chunk(...blocks))
  })

  it('makes smaller fragments for a model with shorter passages', () => {
    const small = { ...tokenizer, maxPassageTokens: 120 }
    const blocks = [heading(1, 'Lamps '.repeat(60)), block(sentences(60)), block(sentences(60, 'bulb'), 'code')]
    const sizes = chunkDocument(page(blocks), small).map(tokensOf)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(120)
    expect(Math.max(...sizes)).toBeGreaterThan(80)
    expect(chunkDocument(page(blocks), { ...tokenizer, maxPassageTokens: 510 })).toEqual(chunk(...blocks))
  })

  it('detects the outermost level on the way', () => {
    const chunker = createChunker({ title: '', language: '' }, tokenizer)
    const deep = chunker.push([heading(3, 'A'), block('One.'), heading(3, 'B'), block('Two.')])
    const high = chunker.push([heading(2, 'C'), block('Three.'), heading(3, 'D'), block('Four.')])
    expect([...deep, ...high, ...chunker.end()].map(({ text }) => text)).toEqual(['One.', 'Two.', 'Three.\nD\nFour.'])
  })

  it('continues the ordinals, and omits repeated passages across calls', () => {
    const chunker = createChunker({ title: '', language: '' }, tokenizer)
    const ordinals: number[] = []
    for (let round = 0; round < 300; round++) {
      for (const { ordinal } of chunker.push([
        heading(1, 'A'),
        block(`Number ${round}.`),
        heading(1, 'A'),
        block('Again.'),
      ]))
        ordinals.push(ordinal)
    }
    ordinals.push(...chunker.end().map(({ ordinal }) => ordinal))
    expect(ordinals).toEqual(Array.from({ length: 301 }, (_, index) => index))
  })

  it('limits the number of pending headings', () => {
    const chunker = createChunker({ title: '', language: '' }, tokenizer)
    const headings = createHeadingPath()
    let lines = 0
    for (let count = 0; count < 400_000; count++) {
      const next = heading(1 + (count % 6), `Heading ${count} ${'w '.repeat(9)}`)
      headings.push(next)
      for (const { text } of chunker.push([next])) lines += text.split('\n').length
    }
    expect(lines).toBeGreaterThan(399_000)
    expect([headings.path.length, headings.pending.length]).toEqual([4, 256])
    chunker.push([block('The text.')])
    const fragment = chunker.end().at(-1)
    expect(fragment?.text).toMatch(/The text\.$/)
    expect(fragment && tokensOf(fragment)).toBeLessThanOrEqual(254)
  })
})
