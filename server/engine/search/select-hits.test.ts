import { describe, expect, it } from 'vitest'
import { type ChoiceRules, chooseHits, type RetrievableFragment } from './select-hits'

const rules: ChoiceRules = {
  limit: 10,
  threshold: 0.3,
  perAddress: 3,
  language: null,
  mostDropped: 0,
}
const words = Array.from({ length: 30 }, (_, n) => `word${n}`)
const text = words.join(' ')

function fragment(key: number, given: Partial<RetrievableFragment> = {}): RetrievableFragment {
  const url = `https://lamps.example/${key}`
  return {
    key,
    addressId: `page-${key}`,
    url,
    title: 'Title',
    headings: '',
    innerHeadings: '',
    text: `Text ${key}.`,
    language: '',
    ...given,
  }
}

/** Their fused scores fall by .1 unless given; `similarity` is .5 unless given. */
function choose(
  fragments: (RetrievableFragment & { score?: number; similarity?: number })[],
  given: Partial<ChoiceRules> = {},
) {
  const loads: number[][] = []
  const fused = fragments
    .map(({ key, score }, n) => ({
      key,
      score: score ?? 1 - n / 10,
      bm25: 1,
      cosine: 0.5,
      ranks: { words: n + 1, vectors: null },
    }))
    .sort((a, b) => b.score - a.score)
  const deps = {
    query: { words: ['lamp'], english: true },
    loadFragments: async (keys: number[]) => {
      loads.push(keys)
      return fragments.filter(({ key }) => keys.includes(key)).reverse()
    },
    likeness: (_: number | null, { text: of }: { text: string }) => {
      const { similarity = 0.5 } = fragments.find((one) => one.text === of) ?? {}
      return { similarity, evidence: 0.5, weighted: 0.5, heading: 0 }
    },
  }
  return chooseHits(deps, fused, { ...rules, ...given }).then((chosen) => ({ ...chosen, loads }))
}

const keysOf = (hits: { key: number }[]) => hits.map(({ key }) => key)
const dropsOf = (dropped: { key: number; reason: string }[]) => dropped.map(({ key, reason }) => [key, reason])

describe('what is dropped', () => {
  it('is told with its reason, in the order of the scores', async () => {
    const fragments = [
      fragment(1, { text, addressId: 'one' }),
      fragment(2, { text, url: 'https://lamps.example/print/1' }),
      { ...fragment(3), similarity: 0.29 },
      fragment(4, { addressId: 'one' }),
      fragment(5, { addressId: 'one' }),
      fragment(6),
      fragment(7),
    ]
    const { hits, dropped } = await choose(fragments, { limit: 3, perAddress: 2, mostDropped: 50 })
    expect(keysOf(hits)).toEqual([1, 4, 6])
    expect(dropsOf(dropped)).toEqual([
      [2, 'duplicate'],
      [3, 'below-threshold'],
      [5, 'same-address'],
      [7, 'over-limit'],
    ])
    expect(dropped[0]?.duplicateOf?.key).toBe(1)
    expect(dropped[1]).toMatchObject({ duplicateOf: null, similarity: 0.29, score: 0.8 })
  })

  it('is told no further than is asked for, and not at all where it is not', async () => {
    const fragments = Array.from({ length: 9 }, (_, n) => ({ ...fragment(n + 1), similarity: n < 6 ? 0.1 : 0.9 }))
    expect(dropsOf((await choose(fragments, { mostDropped: 2 })).dropped)).toHaveLength(2)
    const { hits, dropped } = await choose(fragments)
    expect(keysOf(hits)).toEqual([7, 8, 9])
    expect(dropped).toEqual([])
  })

  it('leaves the number of hits as it is', async () => {
    const fragments = Array.from({ length: 9 }, (_, n) => fragment(n + 1))
    expect(keysOf((await choose(fragments, { limit: 2, mostDropped: 50 })).hits)).toEqual([1, 2])
  })
})

describe('places that would stay empty', () => {
  const ofOne = (many: number) => Array.from({ length: many }, (_, n) => fragment(n + 1, { addressId: 'manual' }))
  const filledOf = (hits: { key: number; fillsPlace: boolean }[]) => keysOf(hits.filter(({ fillsPlace }) => fillsPlace))

  it('are filled with more of one document, in order', async () => {
    const { hits, dropped } = await choose(ofOne(9), { limit: 7, mostDropped: 50 })
    expect(keysOf(hits)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(filledOf(hits)).toEqual([4, 5, 6, 7])
    expect(dropsOf(dropped)).toEqual([
      [8, 'same-address'],
      [9, 'same-address'],
    ])
  })

  it('are those of other addresses first', async () => {
    const { hits } = await choose([...ofOne(6), fragment(7), fragment(8)], { limit: 6 })
    expect(keysOf(hits)).toEqual([1, 2, 3, 7, 8, 4])
    expect(filledOf(hits)).toEqual([4])
    expect(filledOf((await choose([...ofOne(6), fragment(7), fragment(8)], { limit: 5 })).hits)).toEqual([])
  })

  it('stay empty rather than say something again, or something else', async () => {
    const fragments = [
      ...ofOne(3),
      fragment(4, { addressId: 'manual', text: 'Text 1.' }),
      { ...fragment(5, { addressId: 'manual' }), similarity: 0.2 },
    ]
    const { hits, dropped } = await choose(fragments, { mostDropped: 50 })
    expect(keysOf(hits)).toEqual([1, 2, 3])
    expect(dropsOf(dropped)).toEqual([
      [4, 'duplicate'],
      [5, 'below-threshold'],
    ])
    expect(dropped[0]?.duplicateOf?.key).toBe(1)
  })
})

it('loads no more texts than it needs', async () => {
  const fragments = Array.from({ length: 90 }, (_, n) => ({ ...fragment(n + 1), score: 1 - n / 100 }))
  expect((await choose(fragments, { limit: 5 })).loads.map((keys) => keys.length)).toEqual([40])
  const strict = fragments.map((one, n) => ({ ...one, similarity: n < 50 ? 0.1 : 0.9 }))
  expect((await choose(strict, { limit: 5 })).loads.map((keys) => keys.length)).toEqual([40, 40])
})

describe('among equals', () => {
  const german = { ...fragment(1, { language: 'de-at' }), score: 0.8 }
  const english = { ...fragment(2, { language: 'en' }), score: 0.805 }
  const unknown = { ...fragment(3), score: 0.802 }

  it('the language of the visitor comes first', async () => {
    expect(keysOf((await choose([german, english, unknown], { language: 'de' })).hits)).toEqual([1, 2, 3])
    expect(keysOf((await choose([german, english, unknown], { language: 'en' })).hits)).toEqual([2, 3, 1])
    expect(keysOf((await choose([german, english, unknown])).hits)).toEqual([2, 3, 1])
  })

  it('it changes nothing where one is better', async () => {
    expect(keysOf((await choose([german, { ...english, score: 0.82 }], { language: 'de' })).hits)).toEqual([2, 1])
  })

  it('of one text the shorter address is shown', async () => {
    const twins = [
      { ...fragment(1, { text, url: 'https://lamps.example/care?print=1' }), score: 0.8 },
      { ...fragment(2, { text, url: 'https://lamps.example/care' }), score: 0.8 },
    ]
    const { hits, dropped } = await choose(twins, { mostDropped: 9 })
    expect(keysOf(hits)).toEqual([2])
    expect(dropsOf(dropped)).toEqual([[1, 'duplicate']])
  })
})
