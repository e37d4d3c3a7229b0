import { describe, expect, it } from 'vitest'
import { createLikeness, type ReadPassage } from './relevance'

const words = ['lamp', 'price']
const english = { words, piecesPerWord: 1 }
const foreign = { words, piecesPerWord: 3 }
const even = () => 1
const nothingElse = new Map()
/** Pieces of a text whose words fall into so many each. */
const perWord = (count: (word: string) => number) => (text: string) =>
  text.split(' ').reduce((sum, word) => sum + count(word), 0)

const passage = (text: string, other: Partial<ReadPassage> = {}) => ({
  title: '',
  headings: '',
  innerHeadings: '',
  text,
  ...other,
})
const create = (read: typeof english, countPieces: (word: string) => number = even) => {
  const likeness = createLikeness('What is the price of a lamp?', read, nothingElse, perWord(countPieces))
  return (cosine: number | null, text: string) => likeness(cosine, passage(text))
}

describe('similarity', () => {
  it('is made of cosine and words where the model knows the language', () => {
    const likeness = create(english)
    expect(likeness(0.5, 'Nothing of it').similarity).toBeCloseTo(0.5, 10)
    expect(likeness(0.5, 'A lamp').similarity).toBeCloseTo(0.7 * 0.5 + 0.3 * 0.5, 10)
    expect(likeness(0.2, 'Lamp: Meadow; Price: 52').similarity).toBeCloseTo(0.7 * 0.2 + 0.3, 10)
    expect(likeness(1, 'The price of a lamp').similarity).toBe(1)
  })

  it('keeps the row of a table, whose cosine is low, and a paraphrase, which holds no word', () => {
    const likeness = create(english)
    expect(likeness(-0.05, 'Lamp: Meadow; Price: 52').similarity).toBeGreaterThanOrEqual(0.3)
    expect(likeness(0.36, 'What a light costs').similarity).toBeGreaterThan(0.3)
  })

  it('is the share of words where it does not know it, and without a vector', () => {
    expect(create(foreign, () => 3)(0.9, 'Ein lamp').similarity).toBe(0.5)
    expect(create(english)(null, 'A lamp')).toEqual({ similarity: 0.5, evidence: 0.5, weighted: 0.5, heading: 0 })
  })

  it('is between both for a language that it half knows', () => {
    expect(create({ words, piecesPerWord: 1.675 }, () => 1.675)(0.8, 'Een lamp').similarity).toBeCloseTo(
      0.5 * 0.8 + 0.5 * 0.5,
      10,
    )
  })

  it('goes by the language of the text where a query is too short to tell its own', () => {
    const kayak = (ofText: number) =>
      createLikeness(
        'kayak',
        { words: ['kayak'], piecesPerWord: 2 },
        nothingElse,
        perWord(() => ofText),
      )
    const rented = passage('We rent out a kayak by the hour')
    expect(kayak(1.1)(0.4, rented).similarity).toBeCloseTo(0.7 * 0.4 + 0.3, 10)
    expect(kayak(1.1)(0.1, rented).similarity).toBeLessThan(kayak(1.1)(0.5, rented).similarity)
    expect(kayak(2.4)(0.4, rented).similarity).toBe(0.75)
    expect(kayak(1.1)(0.2, passage('12 + 30')).similarity).toBe(0)
  })

  it('takes all of one word for less than all of many', () => {
    const all = (many: string[]) =>
      createLikeness('', { words: many, piecesPerWord: 3 }, nothingElse, perWord(even))(null, passage(many.join(' ')))
    expect(all(['rechnung']).similarity).toBe(0.75)
    expect(all(['rechnung', 'zahlen', 'binnen', 'tagen']).similarity).toBeCloseTo(0.9, 10)
    expect(all(['rechnung']).evidence).toBe(1)
  })

  it('keeps what holds all words but an incomplete one', () => {
    const likeness = (query: string[]) =>
      createLikeness(
        '',
        { words: query, piecesPerWord: 3 },
        nothingElse,
        perWord(() => 3),
      )(0.05, passage('Ihre Rechnung kommt'))
    expect(likeness(['rechnun']).similarity).toBeGreaterThanOrEqual(0.3)
    expect(likeness(['rechnung', 'bezah']).similarity).toBeGreaterThanOrEqual(0.3)
    expect(likeness(['rechnung', 'kommt', 'spä']).similarity).toBeGreaterThanOrEqual(0.3)
  })

  it('counts compounds and guesses for less than the words themselves', () => {
    const instead = new Map([
      ['kasten', { words: ['werkzeugkasten'], ends: ['kasten'], because: 'compounds' as const }],
      ['stahk', { words: ['stahl'], because: 'misspelt' as const }],
    ])
    const held = (query: string[], text: string) =>
      createLikeness('', { words: query, piecesPerWord: 3 }, instead, perWord(even))(null, passage(text)).evidence
    expect(held(['kasten'], 'Ein Werkzeugkasten')).toBe(0.8)
    expect(held(['kasten'], 'Ein Kasten')).toBe(1)
    expect(held(['kasten'], 'Ein Kastenwagen')).toBe(0.7)
    expect(held(['kasten'], 'Werkzeugkastendeckel')).toBe(0)
    expect(held(['stahk'], 'Aus Stahl')).toBe(0.6)
    expect(held(['stahk', 'kasten'], 'Aus Stahl')).toBe(0.3)
  })

  it('counts a word once and as a whole, where the query has it with a slip as well', () => {
    const instead = new Map([['stahk', { words: ['stahl'], because: 'misspelt' as const }]])
    const held = (query: string[], text: string) =>
      createLikeness('', { words: query, piecesPerWord: 3 }, instead, perWord(even))(null, passage(text)).evidence
    expect(held(['stahl', 'stahk'], 'Aus Stahl')).toBe(1)
    expect(held(['stahk', 'stahl'], 'Aus Stahl')).toBe(1)
    expect(held(['stahk', 'holz', 'stahl'], 'Aus Stahl')).toBe(0.5)
  })

  it('counts a word of several pieces more', () => {
    const likeness = create(english, (word) => (word === 'lamp' ? 3 : 1))
    expect(likeness(0.2, 'A lamp')).toMatchObject({ evidence: 0.5, weighted: 0.75 })
    expect(likeness(0.2, 'A price').weighted).toBe(0.25)
  })

  it('finds words in the title and the headings, too', () => {
    const likeness = createLikeness('lamp price', english, nothingElse, perWord(even))
    expect(likeness(null, passage('52 euros', { title: 'Lamp', headings: 'Price' })).evidence).toBe(1)
  })

  it('stays within 0 and 1, and stands a query without words', () => {
    expect(create(english)(-0.4, 'Nothing').similarity).toBe(0)
    expect(create(english)(1.0000002, 'Nothing').similarity).toBe(1)
    const none = create({ words: [], piecesPerWord: 1 })
    expect(none(0.5, 'text')).toEqual({ similarity: 0.5, evidence: 0, weighted: 0, heading: 0 })
  })
})

describe('a heading', () => {
  const heading = (other: Partial<ReadPassage>) =>
    createLikeness('What is the price of a lamp?', english, nothingElse, perWord(even))(0.5, passage('', other)).heading

  it('is the query itself, as a title, in force or inside of the text', () => {
    expect(heading({ title: 'What is the price of a lamp?' })).toBe(1)
    expect(heading({ headings: 'Shop / Price of a lamp' })).toBe(1)
    expect(heading({ headings: 'Shop', innerHeadings: 'Opening hours / Lamp price' })).toBe(1)
  })

  it('is less of it where it says more, or less', () => {
    expect(heading({ title: 'Lamp' })).toBeCloseTo(2 / 3, 10)
    expect(heading({ title: 'Lamp price, delivery, returns' })).toBeCloseTo(2 / 3, 10)
    expect(heading({ title: 'Delivery', headings: 'Returns' })).toBe(0)
    expect(heading({})).toBe(0)
  })
})
