import { describe, expect, it } from 'vitest'
import type { TermForm } from '../ranking/term-coverage'
import { choosePassages, type PassageSource } from './choose-passages'
import type { Passage } from './passage'

function passageOf(source: Partial<PassageSource> & { text: string }, forms: (TermForm | string)[]): Passage {
  const query = forms.map((item) => {
    const form = typeof item === 'string' ? { word: item } : item
    return { ...form, tokens: Math.ceil(form.word.length / 4) }
  })
  const [passage] = choosePassages([{ innerHeadings: '', language: 'en', ...source }], query)
  if (!passage) throw new Error('No passage was returned.')
  return passage
}

const marked = ({ text, highlights }: Passage) => highlights.map(([start, end]) => text.slice(start, end))
const filler = 'The workshop lies at the harbour and has been run by the same family for a long time. '

describe('a passage of sentences', () => {
  it('is the window in which the words of the query occur most densely', () => {
    const text = `${filler.repeat(4)}A battery costs money. ${filler.repeat(3)}Every battery has a warranty of two years. Keep the receipt. ${filler.repeat(4)}`
    const passage = passageOf({ text }, ['warranty', 'battery'])
    expect(passage.text).toMatch(/^Every battery has a warranty of two years\. Keep the receipt\. The workshop/)
    expect(passage.text).toMatch(/\.$/)
    expect(passage.text.length).toBeLessThanOrEqual(450)
    expect(marked(passage)).toEqual(['battery', 'warranty'])
    expect(text).toContain(passage.text)
  })

  it('is the whole text if that is short', () => {
    const text = 'Visit us\nMonday to Friday 9 to 17\nPhone: +48 22 123 45 67'
    expect(passageOf({ text }, ['phone']).text).toBe(text)
  })

  it('marks a Latin word within a script without spaces', () => {
    const passage = passageOf({ text: 'USB端子は充電に使います。' }, ['usb'])
    expect(marked(passage)).toEqual(['USB'])
  })

  it('marks forms and corrections of the words', () => {
    const repaired = passageOf({ text: 'We repaired both lamps.' }, ['repair', 'lamp'])
    expect(marked(repaired)).toEqual(['repaired', 'lamps'])
    const corrected = passageOf({ text: 'The warranty is two years.' }, [{ word: 'warranty', weight: 0.6 }])
    expect(marked(corrected)).toEqual(['warranty'])
    const inflected = passageOf({ text: 'Okres gwarancji wynosi dwa lata.', language: 'pl' }, ['gwarancja'])
    expect(marked(inflected)).toEqual(['gwarancji'])
  })

  it('marks longer words that start with a word, and none that only share its first letters', () => {
    const completed = passageOf({ text: 'The warranty is two years.' }, [{ word: 'warr', isPrefix: true }])
    expect(marked(completed)).toEqual(['warranty'])
    const text = 'Eine Taschenlampe, ein Schrank und eine Schraube.'
    expect(marked(passageOf({ text, language: 'de' }, ['tasche', 'schrauben']))).toEqual(['Taschenlampe', 'Schraube'])
    expect(marked(passageOf({ text, language: 'de' }, ['schranke']))).toEqual(['Schrank'])
    expect(marked(passageOf({ text, language: 'de' }, ['schraubendreher']))).toEqual([])
  })

  it('marks characters of scripts without spaces', () => {
    const passage = passageOf({ text: 'このランプは安いです。', language: 'ja' }, ['ランプ'])
    expect(marked(passage)).toEqual(['ランプ'])
  })

  it('starts at the heading above its first match, and ends before the next section', () => {
    const section = `Warranty\nAll lamps have a warranty of five years. ${filler}${filler}`
    const text = `${filler.repeat(5)}\n${section}\nReturns\n${filler.repeat(5)}`
    const passage = passageOf({ text, innerHeadings: 'Warranty / Returns' }, ['warranty'])
    expect(passage.text).toBe(section.trim())
  })

  it('contains all words that fit, even if they are in two sections', () => {
    const intro = 'A file can be a source of its own: a price list, a manual or a contract. '
    const text = `${intro}${filler}\nTypes and size\nYou can upload files of these types.\n${filler.repeat(9)}`
    const passage = passageOf({ text, innerHeadings: 'Types and size' }, ['file', 'types', 'upload'])
    expect(passage.text).toMatch(/^Types and size\nYou can upload files of these types\.\nThe workshop/)
    const both = passageOf({ text, innerHeadings: 'Types and size' }, ['contract', 'types', 'upload'])
    expect(both.text).toContain('contract')
    expect(both.text).toContain('You can upload')
  })

  it('shows the first of equal sentences', () => {
    const text = `${filler.repeat(3)}The warranty is long. ${filler.repeat(5)}The warranty is short. ${filler.repeat(5)}`
    expect(passageOf({ text }, ['warranty']).text).toMatch(/^The warranty is long\./)
  })

  it('shortens a sentence that is too long, around its matches', () => {
    const long = Array.from({ length: 120 }, (_, n) => `word${n}`).join(' ')
    const passage = passageOf({ text: `${long} warranty years ${long}` }, ['warranty', 'years'])
    expect(passage.text).toMatch(/^… word\d+ .* warranty years .* word\d+ …$/)
    expect(passage.text.length).toBeLessThanOrEqual(450)
    expect(passageOf({ text: 'x'.repeat(5_000) }, ['y']).text.length).toBeLessThanOrEqual(450)
  })
})

it('prefers a line that says it to a paragraph about it', () => {
  const stay = 'Animals stay with us for the night after an operation. A nurse looks after them all night. '
  const text = `${stay}${filler}${filler}${stay}${filler}\nPrices\n- Night stay: 38 €\n- Night stay with a nurse: 62 €`
  expect(passageOf({ text, innerHeadings: 'Prices' }, ['night', 'stay']).text).toContain(
    'Night stay with a nurse: 62 €',
  )
})

describe('a passage of a table', () => {
  const rows = Array.from({ length: 40 }, (_, n) => `Lamp ${n} | ${n + 10}.00 € | 2 years`)
  const text = ['Product | Price | Warranty', ...rows, 'Storm lantern | 89.00 € | 5 years'].join('\n')

  it('has the header and the rows that match', () => {
    const passage = passageOf({ text }, ['storm', 'lantern', 'price'])
    expect(passage.text).toBe('Product | Price | Warranty\nStorm lantern | 89.00 € | 5 years')
    expect(marked(passage)).toEqual(['Price', 'Storm', 'lantern'])
  })

  it('has the header and the first rows if only the header matches', () => {
    const { text: shown } = passageOf({ text }, ['price'])
    expect(shown).toMatch(/^Product \| Price \| Warranty\nLamp 0 \|.*\nLamp 1 \|/)
    expect(shown.length).toBeLessThanOrEqual(450)
  })
})

it('is the start of the text without a word in common', () => {
  const text = `${filler.repeat(4)}We refund what you paid within a fortnight. ${filler.repeat(4)}`
  const passage = passageOf({ text }, ['money', 'back'])
  expect(text.startsWith(passage.text)).toBe(true)
  expect(passage.text.length).toBeLessThanOrEqual(450)
  expect(passage.highlights).toEqual([])
})

it('a fragment without text has an empty passage', () => {
  expect(passageOf({ text: '' }, ['lamp'])).toEqual({ text: '', highlights: [] })
})
