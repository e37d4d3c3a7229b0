import { describe, expect, it } from 'vitest'
import { tokensPerWordOf } from '../query/token-counter'
import { createRelevanceScorer, type PassageText, type RelevanceQuery, searchedForms } from './relevance'

const words = ['lamp', 'price']
const english = { words, identifiers: [], isEnglish: true, isReadByLetters: false, tokensPerWord: 1 }
const foreign = { words, identifiers: [], isEnglish: false, isReadByLetters: false, tokensPerWord: 3 }
const even = () => 1
const noExpansions = new Map()
/** A tokenizer that gives each word this number of tokens. */
const perWord = (count: (word: string) => number) => ({
  count: (text: string) => text.split(' ').reduce((sum, word) => sum + count(word), 0),
})

const passage = (text: string, second: Partial<PassageText> = {}) => ({
  title: '',
  headings: '',
  innerHeadings: '',
  text,
  ...second,
})
const scorerOf = (
  meant: string,
  query: RelevanceQuery,
  expansions: Parameters<typeof searchedForms>[1],
  tokenizer: ReturnType<typeof perWord>,
) => {
  const score = createRelevanceScorer(meant, query, searchedForms(query.words, expansions, tokenizer))
  return (cosine: number | null, read: PassageText) =>
    score(cosine, { ...read, tokensPerWord: tokensPerWordOf(read.text, tokenizer) })
}
const create = (read: typeof english, tokensOf: (word: string) => number = even) => {
  const relevance = scorerOf('What is the price of a lamp?', read, noExpansions, perWord(tokensOf))
  return (cosine: number | null, text: string) => relevance(cosine, passage(text))
}

describe('similarity', () => {
  it('combines cosine and coverage if the model knows the language', () => {
    const relevance = create(english)
    expect(relevance(0.5, 'Nothing of it').similarity).toBeCloseTo(0.5, 10)
    expect(relevance(0.5, 'A lamp').similarity).toBeCloseTo(0.7 * 0.5 + 0.3 * 0.5, 10)
    expect(relevance(0.2, 'Lamp: Meadow; Price: 52').similarity).toBeCloseTo(0.7 * 0.2 + 0.3, 10)
    expect(relevance(1, 'The price of a lamp').similarity).toBe(1)
  })

  it('reaches the threshold for the row of a table and for a paraphrase', () => {
    const relevance = create(english)
    expect(relevance(-0.05, 'Lamp: Meadow; Price: 52').similarity).toBeGreaterThanOrEqual(0.3)
    expect(relevance(0.36, 'What a light costs').similarity).toBeGreaterThan(0.3)
  })

  it('is the coverage if the model does not know the language, and without an embedding', () => {
    expect(create(foreign, () => 3)(0.9, 'Ein lamp').similarity).toBe(0.5)
    expect(create(english)(null, 'A lamp')).toMatchObject({
      similarity: 0.5,
      coverage: 0.5,
      weightedCoverage: 0.5,
      headingMatch: 0,
    })
  })

  it('interpolates for a language the model half knows', () => {
    expect(
      create({ words, identifiers: [], isEnglish: true, isReadByLetters: false, tokensPerWord: 1.675 }, () => 1.675)(
        0.8,
        'Een lamp',
      ).similarity,
    ).toBeCloseTo(0.5 * 0.8 + 0.5 * 0.5, 10)
  })

  it('uses the language of the text if the query is too short', () => {
    const kayak = (ofText: number) =>
      scorerOf(
        'kayak',
        { words: ['kayak'], identifiers: [], isEnglish: true, isReadByLetters: false, tokensPerWord: 2 },
        noExpansions,
        perWord(() => ofText),
      )
    const rented = passage('We rent out a kayak by the hour')
    expect(kayak(1.1)(0.4, rented).similarity).toBeCloseTo(0.7 * 0.4 + 0.3, 10)
    expect(kayak(1.1)(0.1, rented).similarity).toBeLessThan(kayak(1.1)(0.5, rented).similarity)
    expect(kayak(2.4)(0.4, rented).similarity).toBe(0.75)
    expect(kayak(1.1)(0.2, passage('12 + 30')).similarity).toBe(0)
  })

  it('smooths the coverage of few words', () => {
    const all = (count: string[]) =>
      scorerOf(
        '',
        { words: count, identifiers: [], isEnglish: true, isReadByLetters: false, tokensPerWord: 3 },
        noExpansions,
        perWord(even),
      )(null, passage(count.join(' ')))
    expect(all(['rechnung']).similarity).toBe(0.75)
    expect(all(['rechnung', 'zahlen', 'binnen', 'tagen']).similarity).toBeCloseTo(0.9, 10)
    expect(all(['rechnung']).coverage).toBe(1)
  })

  it('reaches the threshold for all words but an incomplete one', () => {
    const relevance = (query: string[]) =>
      scorerOf(
        '',
        { words: query, identifiers: [], isEnglish: true, isReadByLetters: false, tokensPerWord: 3 },
        noExpansions,
        perWord(() => 3),
      )(0.05, passage('Ihre Rechnung kommt'))
    expect(relevance(['rechnun']).similarity).toBeGreaterThanOrEqual(0.3)
    expect(relevance(['rechnung', 'bezah']).similarity).toBeGreaterThanOrEqual(0.3)
    expect(relevance(['rechnung', 'kommt', 'spä']).similarity).toBeGreaterThanOrEqual(0.3)
  })

  it('weighs completions and corrections less than the words themselves', () => {
    const expansions = new Map([
      ['warr', { words: ['warranty'], reason: 'prefix' as const }],
      ['stahk', { words: ['stahl'], reason: 'misspelling' as const }],
    ])
    const held = (query: string[], text: string) =>
      scorerOf(
        '',
        { words: query, identifiers: [], isEnglish: true, isReadByLetters: false, tokensPerWord: 3 },
        expansions,
        perWord(even),
      )(null, passage(text)).coverage
    expect(held(['warr'], 'The warranty')).toBe(0.4)
    expect(held(['kasten'], 'Ein Kasten')).toBe(1)
    expect(held(['kasten'], 'Ein Kastenwagen')).toBe(0.4)
    expect(held(['kasten'], 'Ein Werkzeugkasten')).toBe(0.4)
    expect(held(['phone'], 'By telephone')).toBe(0.8)
    expect(held(['phone'], 'Your hone')).toBe(0)
    expect(held(['stahk'], 'Aus Stahl')).toBe(0.6)
    expect(held(['stahk', 'kasten'], 'Aus Stahl')).toBe(0.3)
  })

  it('counts a word once if the query has it both correct and misspelled', () => {
    const expansions = new Map([['stahk', { words: ['stahl'], reason: 'misspelling' as const }]])
    const held = (query: string[], text: string) =>
      scorerOf(
        '',
        { words: query, identifiers: [], isEnglish: true, isReadByLetters: false, tokensPerWord: 3 },
        expansions,
        perWord(even),
      )(null, passage(text)).coverage
    expect(held(['stahl', 'stahk'], 'Aus Stahl')).toBe(1)
    expect(held(['stahk', 'stahl'], 'Aus Stahl')).toBe(1)
    expect(held(['stahk', 'holz', 'stahl'], 'Aus Stahl')).toBe(0.5)
  })

  it('weighs a word of several tokens more', () => {
    const relevance = create(english, (word) => (word === 'lamp' ? 3 : 1))
    expect(relevance(0.2, 'A lamp')).toMatchObject({ coverage: 0.5, weightedCoverage: 0.75 })
    expect(relevance(0.2, 'A price').weightedCoverage).toBe(0.25)
  })

  it('covers words in the title and the headings', () => {
    const relevance = scorerOf('lamp price', english, noExpansions, perWord(even))
    expect(relevance(null, passage('52 euros', { title: 'Lamp', headings: 'Price' })).coverage).toBe(1)
  })

  it('stays within 0 and 1, and accepts a query without words', () => {
    expect(create(english)(-0.4, 'Nothing').similarity).toBe(0)
    expect(create(english)(1.0000002, 'Nothing').similarity).toBe(1)
    const none = create({ words: [], identifiers: [], isEnglish: true, isReadByLetters: false, tokensPerWord: 1 })
    expect(none(0.5, 'text')).toMatchObject({ similarity: 0.5, coverage: 0, weightedCoverage: 0, headingMatch: 0 })
  })
})

describe('headingMatch', () => {
  const heading = (item: Partial<PassageText>) =>
    scorerOf('What is the price of a lamp?', english, noExpansions, perWord(even))(0.5, passage('', item)).headingMatch

  it('is 1 for the query as title, heading or inner heading', () => {
    expect(heading({ title: 'What is the price of a lamp?' })).toBe(1)
    expect(heading({ headings: 'Shop / Price of a lamp' })).toBe(1)
    expect(heading({ headings: 'Shop', innerHeadings: 'Opening hours / Lamp price' })).toBe(1)
  })

  it('is lower for a heading that says more, or less', () => {
    expect(heading({ title: 'Lamp' })).toBeCloseTo(2 / 3, 10)
    expect(heading({ title: 'Lamp price, delivery, returns' })).toBeCloseTo(2 / 3, 10)
    expect(heading({ title: 'Delivery', headings: 'Returns' })).toBe(0)
    expect(heading({})).toBe(0)
  })
})
