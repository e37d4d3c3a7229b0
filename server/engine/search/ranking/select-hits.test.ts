import { describe, expect, it } from 'vitest'
import { type RankableFragment, type SelectionRules, selectHits } from './select-hits'

const rules: SelectionRules = {
  limit: 10,
  threshold: 0.3,
  maxPerAddress: 3,
  preferredLanguage: null,
  maxDropped: 0,
}
const words = Array.from({ length: 30 }, (_, n) => `word${n}`)
const text = words.join(' ')

function fragment(key: number, input: Partial<RankableFragment> = {}): RankableFragment {
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
    tokensPerWord: 1,
    ...input,
  }
}

/** Fusion scores decrease by .1 and similarities are .5, unless given. */
function select(
  fragments: (RankableFragment & { score?: number; similarity?: number })[],
  input: Partial<SelectionRules> = {},
) {
  const fused = fragments
    .map(({ key, score }, n) => ({
      key,
      fusionScore: score ?? 1 - n / 10,
      bm25: 1,
      cosine: 0.5,
      ranks: { keyword: n + 1, vector: null },
    }))
    .sort((a, b) => b.fusionScore - a.fusionScore)
  return selectHits({
    fused,
    fragments: fragments.toReversed(),
    query: { words: ['lamp'], isEnglish: true },
    rules: { ...rules, ...input },
    scoreRelevance: (_: number | null, { text: of }: { text: string }) => {
      const { similarity = 0.5 } = fragments.find((item) => item.text === of) ?? {}
      return { similarity, coverage: 0.5, weightedCoverage: 0.5, headingMatch: 0, startsLine: false, rowShare: 0 }
    },
  })
}

const keysOf = (hits: { key: number }[]) => hits.map(({ key }) => key)
const dropsOf = (dropped: { key: number; reason: string }[]) => dropped.map(({ key, reason }) => [key, reason])

describe('dropped hits', () => {
  it('have a reason, in the order of their scores', () => {
    const fragments = [
      fragment(1, { text, addressId: 'one' }),
      fragment(2, { text, url: 'https://lamps.example/print/1' }),
      { ...fragment(3), similarity: 0.29 },
      fragment(4, { addressId: 'one' }),
      fragment(5, { addressId: 'one' }),
      fragment(6),
      fragment(7),
    ]
    const { hits, dropped } = select(fragments, { limit: 3, maxPerAddress: 2, maxDropped: 50 })
    expect(keysOf(hits)).toEqual([1, 4, 6])
    expect(dropsOf(dropped)).toEqual([
      [2, 'duplicate'],
      [3, 'below-threshold'],
      [5, 'same-address'],
      [7, 'over-limit'],
    ])
    expect(dropped[0]?.duplicateOf?.key).toBe(1)
    expect(dropped[1]).toMatchObject({ duplicateOf: null, similarity: 0.29, fusionScore: 0.8 })
  })

  it('are reported up to the maximum, and not by default', () => {
    const fragments = Array.from({ length: 9 }, (_, n) => ({ ...fragment(n + 1), similarity: n < 6 ? 0.1 : 0.9 }))
    expect(dropsOf(select(fragments, { maxDropped: 2 }).dropped)).toHaveLength(2)
    const { hits, dropped } = select(fragments)
    expect(keysOf(hits)).toEqual([7, 8, 9])
    expect(dropped).toEqual([])
  })

  it('do not reduce the number of hits', () => {
    const fragments = Array.from({ length: 9 }, (_, n) => fragment(n + 1))
    expect(keysOf(select(fragments, { limit: 2, maxDropped: 50 }).hits)).toEqual([1, 2])
  })
})

describe('backfilling', () => {
  const ofOne = (count: number) => Array.from({ length: count }, (_, n) => fragment(n + 1, { addressId: 'manual' }))
  const backfilledOf = (hits: { key: number; isBackfilled: boolean }[]) =>
    keysOf(hits.filter(({ isBackfilled }) => isBackfilled))

  it('fills remaining places with hits of the same address, in order', () => {
    const { hits, dropped } = select(ofOne(9), { limit: 7, maxDropped: 50 })
    expect(keysOf(hits)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(backfilledOf(hits)).toEqual([4, 5, 6, 7])
    expect(dropsOf(dropped)).toEqual([
      [8, 'same-address'],
      [9, 'same-address'],
    ])
  })

  it('prefers other addresses', () => {
    const { hits } = select([...ofOne(6), fragment(7), fragment(8)], { limit: 6 })
    expect(keysOf(hits)).toEqual([1, 2, 3, 7, 8, 4])
    expect(backfilledOf(hits)).toEqual([4])
    expect(backfilledOf(select([...ofOne(6), fragment(7), fragment(8)], { limit: 5 }).hits)).toEqual([])
  })

  it('skips duplicates and hits below the threshold', () => {
    const fragments = [
      ...ofOne(3),
      fragment(4, { addressId: 'manual', text: 'Text 1.' }),
      { ...fragment(5, { addressId: 'manual' }), similarity: 0.2 },
    ]
    const { hits, dropped } = select(fragments, { maxDropped: 50 })
    expect(keysOf(hits)).toEqual([1, 2, 3])
    expect(dropsOf(dropped)).toEqual([
      [4, 'duplicate'],
      [5, 'below-threshold'],
    ])
    expect(dropped[0]?.duplicateOf?.key).toBe(1)
  })
})

it('knows whether further hits would change the selection', () => {
  const fragments = Array.from({ length: 9 }, (_, n) => fragment(n + 1))
  expect(select(fragments, { limit: 5 }).isComplete).toBe(true)
  expect(select(fragments, { limit: 5, maxDropped: 4 }).isComplete).toBe(true)
  expect(select(fragments, { limit: 5, maxDropped: 5 }).isComplete).toBe(false)
  expect(select(fragments).isComplete).toBe(false)
  const ofOneAddress = fragments.map((item) => ({ ...item, addressId: 'manual' }))
  expect(select(ofOneAddress, { limit: 5 })).toMatchObject({ isComplete: false, hits: { length: 5 } })
})

describe('equal hits', () => {
  const german = { ...fragment(1, { language: 'de-at' }), score: 0.8 }
  const english = { ...fragment(2, { language: 'en' }), score: 0.805 }
  const unknown = { ...fragment(3), score: 0.802 }

  it('are ordered by the preferred language', () => {
    expect(keysOf(select([german, english, unknown], { preferredLanguage: 'de' }).hits)).toEqual([1, 2, 3])
    expect(keysOf(select([german, english, unknown], { preferredLanguage: 'en' }).hits)).toEqual([2, 3, 1])
    expect(keysOf(select([german, english, unknown]).hits)).toEqual([2, 3, 1])
  })

  it('do not include a better one', () => {
    const better = { ...english, score: 0.96 }
    expect(keysOf(select([german, better], { preferredLanguage: 'de' }).hits)).toEqual([2, 1])
  })

  it('keeps the hit with the shorter URL of hits with the same text', () => {
    const copies = [
      { ...fragment(1, { text, url: 'https://lamps.example/care?print=1' }), score: 0.8 },
      { ...fragment(2, { text, url: 'https://lamps.example/care' }), score: 0.8 },
    ]
    const { hits, dropped } = select(copies, { maxDropped: 9 })
    expect(keysOf(hits)).toEqual([2])
    expect(dropsOf(dropped)).toEqual([[1, 'duplicate']])
  })
})
