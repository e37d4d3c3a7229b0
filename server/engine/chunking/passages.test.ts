import { describe, expect, it } from 'vitest'
import { block, chunk, heading, sentences, tokenizer } from '../../../tests/support/sites/chunked-page'
import { extractPage } from '../html/extract-page'
import { chunkDocument } from './chunk'

/** Runs a check with texts of many lengths before what is checked, so that fragments end everywhere. */
function atEveryLength(check: (length: number) => void): void {
  for (let length = 1; length < 24; length++) check(length)
}

const words = (count: number, word: string) => Array.from({ length: count }, (_, index) => `${word}${index}`).join(' ')

describe('a line that announces something', () => {
  const lead = 'Start the lantern with:'
  const code = (lines: number) =>
    block(Array.from({ length: lines }, (_, line) => `lantern --light ${line}`).join('\n'), 'code')

  it('stays with code of any length, which is divided if necessary', () => {
    atEveryLength((length) => {
      for (const lines of [2, 20, 34, 38, 42, 80]) {
        const texts = chunk(block(sentences(length)), block(lead), code(lines)).map(({ text }) => text)
        expect(texts.filter((text) => text.endsWith(lead))).toEqual([])
        expect(texts.filter((text) => text.includes(`${lead}\nlantern --light 0`))).toHaveLength(1)
      }
    })
  })

  it('is the last sentence of a long paragraph', () => {
    atEveryLength((length) => {
      const texts = chunk(block(`${sentences(length)} ${lead}`), code(30)).map(({ text }) => text)
      expect(texts.filter((text) => text.endsWith(lead))).toEqual([])
    })
  })

  it('takes its headings along', () => {
    atEveryLength((length) => {
      const fragments = chunk(
        heading(2, 'Lanterns'),
        block(sentences(length)),
        heading(3, 'Lighting'),
        block(lead),
        code(20),
      )
      const found = fragments.find(({ text }) => text.includes(lead))
      expect([...(found?.headings ?? []), ...(found?.innerHeadings ?? [])]).toContain('Lighting')
      expect(fragments.filter(({ text }) => text.endsWith('Lighting') || text.endsWith(lead))).toEqual([])
    })
  })

  it('goes before the term that it announces, unless it is in the definition of another one', () => {
    atEveryLength((length) => {
      const list = 'The lantern has these methods:'
      const methods = chunk(block(sentences(length)), block(list), heading(7, 'light()'), block(sentences(4, 'wick')))
      expect(methods.filter(({ text }) => text.endsWith(list))).toEqual([])
      const [first, second] = [heading(7, 'light()'), heading(7, 'dim()')]
      const terms = chunk(first, block(sentences(length)), block(list), second, block(sentences(4, 'wick')))
      expect(terms.find(({ text }) => text.includes('dim()'))?.text).not.toMatch(/^The lantern has these methods/)
    })
  })

  it.each(['Note', 'Warnung:', 'See also', '注意'])('is the label of a box, too: %s', (label) => {
    atEveryLength((length) => {
      const texts = chunk(block(sentences(length)), block(label), block(sentences(3, 'oil'))).map(({ text }) => text)
      expect(texts.filter((text) => text.endsWith(label))).toEqual([])
    })
  })
})

describe('a signature', () => {
  const signature = `class Lantern(${Array.from({ length: 40 }, (_, index) => `part_${index}=None`).join(', ')})`

  it('is complete where its definition begins, and closed where it is cut', () => {
    const fragments = chunk(heading(7, signature), block(sentences(60)))
    const text = fragments.map((fragment) => fragment.text).join('\n')
    for (let index = 0; index < 40; index++) expect(text).toContain(`part_${index}=None`)
    const paths = fragments.flatMap(({ headings }) => headings)
    expect(paths.length).toBeGreaterThan(2)
    for (const path of paths) expect(path).toMatch(/^class Lantern\(.* …\)$/)
  })

  it('is not divided if it fits', () => {
    const short = `def light(${words(12, 'argument')})`
    atEveryLength((length) => {
      const texts = chunk(block(sentences(length)), heading(7, short), block(sentences(2, 'wick'))).map(
        ({ text }) => text,
      )
      expect(texts.filter((text) => text.includes(short))).toHaveLength(1)
    })
  })
})

it('does not put text after a list of terms under the last one', () => {
  atEveryLength((length) => {
    const terms = `<dl><dt>light()</dt><dd><p>${sentences(length)}</p><dl><dt>oil</dt><dd>${sentences(2, 'drop')}</dd></dl></dd></dl>`
    const page = extractPage(
      `<title>Lamps</title><main><h1>Lamps</h1><h2>Use</h2>${terms}<p>${sentences(9, 'night')}</p><p>${sentences(9, 'day')}</p></main>`,
      'https://site.example/lamps',
    )
    const fragments = chunk(...page.blocks)
    for (const { headings, text } of fragments.filter(({ text }) => /night|day/.test(text) && !/drop/.test(text))) {
      expect(headings).not.toContain('light()')
      expect(headings).not.toContain('oil')
      expect(text).not.toMatch(/^(?:light\(\)|oil)$/m)
    }
    expect(fragments.some(({ text }) => /day/.test(text))).toBe(true)
  })
})

describe('a passage that says nothing', () => {
  it.each([
    '© 2026 Lumen Lamps. All rights reserved.',
    'Copyright 2019, 2026 Lumen',
    'Created using Sphinx 7.2.6.',
    'Note',
    'Hinweis:',
    '[12]',
    '[1]\n- 2',
    '†',
    'Table of Contents',
    'Inhalt',
  ])('is no fragment: %s', (text) => {
    expect(chunk(heading(1, 'Lamps'), block(sentences(3)), heading(1, 'End'), block(text))).toHaveLength(1)
    const alone = { title: 'Lamps', language: 'en', blocks: [block(text)] }
    expect(chunkDocument(alone, tokenizer)).toHaveLength(1)
    expect(chunkDocument({ ...alone, part: 'Around the text' }, tokenizer)).toEqual([])
  })

  it.each([
    'Copyright lasts for seventy years after the death of the author, and then the text is free.\nIn some countries longer.',
    'Note that the lantern gets hot.',
    '2026 was a good year.',
    'Created by hand in Leiden, with brass of the old ships, and polished for a day before it is sold to you by our people.',
  ])('is not every short one: %s', (text) => {
    expect(chunk(heading(1, 'Lamps'), block(sentences(3)), heading(1, 'End'), block(text))).toHaveLength(2)
  })
})
