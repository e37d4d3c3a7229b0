import { describe, expect, it } from 'vitest'
import { block, chunk, heading, sentences, tokenizer, tokensOf } from '../../../tests/support/sites/chunked-page'
import type { Block } from '../ports/extractor'
import { createChunker } from './chunk'

describe('chunkDocument: headings', () => {
  it('keeps a short page in one fragment, with its headings as lines', () => {
    const [fragment, ...others] = chunk(
      heading(1, 'Lamps'),
      block('They shine.'),
      heading(2, 'Care', 'care'),
      block('Wipe them.'),
    )
    expect(others).toEqual([])
    expect(fragment).toMatchObject({
      ordinal: 0,
      title: 'Lamps',
      headings: [],
      innerHeadings: ['Care'],
      text: 'They shine.\nCare\nWipe them.',
      language: 'en',
    })
    expect(fragment?.tokens).toBe(fragment && tokensOf(fragment))
  })

  it('has the common path of all sections of a fragment as headings, and the rest as lines', () => {
    const faq = chunk(
      heading(1, 'Lamps'),
      heading(2, 'Care', 'care'),
      heading(3, 'Do they rust?', 'rust'),
      block('Not the ones of brass.'),
      heading(3, 'Do they float?', 'float'),
      block('The Storm does.'),
      heading(2, 'Price', 'price'),
      heading(3, 'Later', 'later'),
      heading(3, 'Now', 'now'),
      block('Twelve euros.'),
    )
    expect(faq).toMatchObject([
      {
        headings: [],
        innerHeadings: ['Care', 'Do they rust?', 'Do they float?', 'Price', 'Later', 'Now'],
        text: 'Care\nDo they rust?\nNot the ones of brass.\nDo they float?\nThe Storm does.\nPrice\nLater\nNow\nTwelve euros.',
        anchor: 'rust',
      },
    ])
    const [first, second] = chunk(
      heading(1, 'Care of lamps', 'care'),
      heading(2, 'Rust', 'rust'),
      heading(3, 'None', 'none'),
      heading(3, 'Brass', 'brass'),
      block('It does not.'),
      heading(3, 'Iron', 'iron'),
      block('It does.'),
      heading(1, 'Prices'),
      block(sentences(3)),
    )
    expect(first).toMatchObject({
      headings: ['Care of lamps', 'Rust'],
      innerHeadings: ['None', 'Brass', 'Iron'],
      text: 'None\nBrass\nIt does not.\nIron\nIt does.',
      anchor: 'brass',
    })
    expect(second).toMatchObject({ headings: ['Prices'], innerHeadings: [] })
    for (const fragment of [...faq, first, second]) expect(fragment?.tokens).toBe(fragment && tokensOf(fragment))
  })

  it('repeats the heading of a continued section as a line if another section follows', () => {
    const fragments = chunk(
      heading(1, 'Lamps'),
      heading(2, 'Storm'),
      block(sentences(20)),
      block(sentences(10, 'wick')),
      heading(2, 'Desk'),
      block('It shines.'),
    )
    expect(fragments.map(({ headings, innerHeadings }) => ({ headings, innerHeadings }))).toEqual([
      { headings: ['Storm'], innerHeadings: [] },
      { headings: [], innerHeadings: ['Storm', 'Desk'] },
    ])
    expect(fragments[1]?.text).toBe(`Storm\n${sentences(10, 'wick')}\nDesk\nIt shines.`)
  })

  it('ends a half-full fragment at a heading', () => {
    const fragments = chunk(
      heading(1, 'Lamps'),
      heading(2, 'Storm', 'storm'),
      block(sentences(18)),
      heading(3, 'Battery', 'battery'),
      block(sentences(3, 'cell')),
    )
    expect(fragments.map(({ headings, anchor }) => ({ headings, anchor }))).toEqual([
      { headings: ['Storm'], anchor: 'storm' },
      { headings: ['Storm', 'Battery'], anchor: 'battery' },
    ])
    expect(fragments[1]?.text).toBe(sentences(3, 'cell'))
  })

  it('keeps headings without text as lines of the next fragment', () => {
    const fragments = chunk(
      block(sentences(22)),
      heading(2, 'Empty'),
      heading(2, 'Full'),
      block(sentences(22)),
      heading(2, 'Last'),
    )
    expect(fragments).toHaveLength(2)
    expect(fragments[1]?.headings).toEqual(['Full'])
    expect(fragments[1]?.text).toMatch(/^Empty\nThe lamp/)
  })

  it('adds headings after the last text to its fragment, at any level', () => {
    const call = heading(2, 'Call us at 555 123 456')
    const texts = (...blocks: Block[]) => chunk(...blocks).map(({ text }) => text)
    expect(texts(heading(1, 'Storm'), block('It hums.'), call)).toEqual(['It hums.\nCall us at 555 123 456'])
    expect(texts(heading(2, 'Storm'), block('It hums.'), call)).toEqual(['It hums.\nCall us at 555 123 456'])
    expect(texts(block('It hums.'), heading(3, 'Contact'), call)).toEqual(['It hums.\nContact\nCall us at 555 123 456'])
    expect(texts(heading(1, 'Storm'), block('It hums.'), call, heading(1, 'Desk'), block('It shines.'))).toEqual([
      'It hums.\nCall us at 555 123 456',
      'It shines.',
    ])
    const chunker = createChunker({ title: 'Lamps', language: 'en' }, tokenizer)
    const found = [...chunker.push([block('It hums.')]), ...chunker.push([heading(4, 'Call us')]), ...chunker.end()]
    expect(found.map(({ text, innerHeadings }) => [text, innerHeadings])).toEqual([['It hums.\nCall us', ['Call us']]])
    for (const fragment of chunk(block(sentences(24)), heading(2, 'long '.repeat(90)))) {
      expect(tokensOf(fragment)).toBeLessThanOrEqual(254)
    }
  })

  it('makes fragments of headings for a document without other text', () => {
    const only = chunk(heading(1, 'Lamps'), heading(2, 'Only', 'only'), heading(2, 'Headings'))
    expect(only).toMatchObject([
      { text: 'Only\nHeadings', headings: [], innerHeadings: ['Only', 'Headings'], anchor: 'only' },
    ])
    expect(chunk(heading(1, 'Lamps'))).toEqual([])
    const count = chunk(...Array.from({ length: 120 }, (_, index) => heading(2, `Lamp number ${index}`)))
    expect(count.length).toBeGreaterThan(1)
    for (const fragment of count) expect(tokensOf(fragment)).toBeLessThanOrEqual(254)
    const lines = count.map(({ text }) => text).join('\n')
    for (let index = 0; index < 120; index++) expect(lines).toContain(`Lamp number ${index}`)
  })

  it('makes fragments of consecutive headings that leave no room for text', () => {
    const people = Array.from({ length: 60 }, (_, index) =>
      heading(3, `Doctor ${index} of ward ${index}`, `doctor-${index}`),
    )
    const team = [heading(1, 'Practice'), block('We are many.'), heading(2, 'Team'), ...people]
    const history = [heading(2, 'History', 'history'), block(sentences(18))]
    for (const blocks of [team, [...team, ...history]]) {
      const fragments = chunk(...blocks)
      for (const fragment of fragments) expect(fragment.tokens).toBe(tokensOf(fragment))
      for (const fragment of fragments) expect(fragment.tokens).toBeLessThanOrEqual(254)
      const lines = fragments.flatMap(({ text }) => text.split('\n'))
      expect(lines.slice(0, 62)).toEqual(['We are many.', 'Team', ...people.map(({ text }) => text)])
      const rows = fragments.filter(({ text }) => text.includes('Doctor'))
      expect(rows.map(({ headings }) => headings)).toEqual(rows.map(() => ['Practice']))
    }
    expect(chunk(...team, ...history).at(-1)).toMatchObject({ headings: ['Practice', 'History'], text: sentences(18) })
  })
})
