import { describe, expect, test } from 'vitest'
import type { KeyScore } from '../ports/search-index'
import type { FragmentFilter } from './candidates'
import { type IndexedFragment, type SearchIndex, search } from './hybrid-search'
import { rankFragments } from './rank-fragments'

const fragments: IndexedFragment[] = Array.from({ length: 60 }, (_, n) => ({
  key: n + 1,
  addressId: `page-${Math.floor(n / 10)}`,
  url: `https://lamps.example/${Math.floor(n / 10)}`,
  title: `Number ${n}`,
  headings: '',
  innerHeadings: '',
  text: n % 2 === 0 ? 'alpha beta' : 'gamma',
  language: '',
}))

interface Setting {
  keywords?: KeyScore[]
  vectors?: KeyScore[]
  cosines?: Record<number, number>
  embedder?: 'works' | 'fails' | null
  tokensPerWord?: number
  deleted?: number[]
}

function indexOf({
  keywords = [],
  vectors = [],
  cosines = {},
  embedder = 'works',
  tokensPerWord = 1,
  deleted = [],
}: Setting) {
  const calls: {
    cosines: number[][]
    loaded: number[][]
    models: (string | null)[]
    among: unknown[]
  } = {
    among: [],
    cosines: [],
    loaded: [],
    models: [],
  }
  const index: SearchIndex<IndexedFragment> = {
    textIndex: {
      search: async (_, __, limit, among) => {
        calls.among.push(among)
        return { hits: keywords.filter(({ key }) => !among || among.has(key)).slice(0, limit), expansions: new Map() }
      },
    },
    vectorIndex: {
      search: async (_, __, limit, among) => {
        calls.among.push(among)
        return vectors.filter(({ key }) => !among || among.has(key)).slice(0, limit)
      },
      cosines: async (_, __, keys) => {
        calls.cosines.push(keys)
        return keys.flatMap((key) => (cosines[key] === undefined ? [] : { key, score: cosines[key] }))
      },
    },
    embedder: embedder && {
      model: 'test@1',
      embedQuery: async () => {
        if (embedder === 'fails') throw new Error('broken')
        return new Float32Array(4)
      },
    },
    languages: [],
    tokenizer: { count: (text) => tokensPerWord * text.split(' ').length },
    loadFragments: async (keys) => {
      calls.loaded.push(keys)
      return fragments.filter(({ key }) => keys.includes(key) && !deleted.includes(key)).reverse()
    },
    ranker: { rank: async (request) => structuredClone(rankFragments(structuredClone(request))) },
    countPendingEmbeddings: async (_, model) => {
      calls.models.push(model)
      return 7
    },
  }
  return { index, calls }
}

const filterOf = (keys: number[], isNarrowing: boolean): FragmentFilter => ({
  isNarrowing,
  select: async (batch) => new Set(batch.filter((key) => keys.includes(key))),
  selectAll: async () => new Set(keys),
})
const unusedFilter: FragmentFilter = {
  isNarrowing: false,
  select: () => Promise.reject(new Error('No fragment was missing.')),
  selectAll: () => Promise.reject(new Error('No fragment was missing.')),
}
const request = { collectionId: 'c', query: 'alpha beta?', limit: 5, threshold: 0 }
const keysOf = (found: { hits: { key: number }[] }) => found.hits.map(({ key }) => key)

describe('search', () => {
  test('fuses keyword and vector hits, with the cosines of all keyword hits', async () => {
    const { index, calls } = indexOf({
      keywords: [
        { key: 1, score: 8 },
        { key: 11, score: 4 },
      ],
      vectors: [
        { key: 21, score: 0.9 },
        { key: 11, score: 0.8 },
      ],
      cosines: { 1: 0.45 },
    })
    const found = await search(index, request)
    expect(calls.cosines).toEqual([[1]])
    // .4 + .6 / 2 = .7, .4 / 2 + .6 x 8 / 9 = .733, .6
    expect(keysOf(found)).toEqual([11, 1, 21])
    expect(found.hits[1]).toMatchObject({
      similarity: 0.7 * 0.45 + 0.3,
      bm25: 8,
      cosine: 0.45,
      ranks: { keyword: 1, vector: null },
    })
    expect(found).toMatchObject({ mode: 'hybrid', pendingEmbeddings: 7 })
    expect(calls.models).toEqual(['test@1'])
  })

  test('applies the threshold to the similarity rather than to the fusion score', async () => {
    const { index } = indexOf({
      keywords: [
        { key: 2, score: 8 },
        { key: 12, score: 7.9 },
      ],
      vectors: [{ key: 12, score: 0.301 }],
      cosines: { 2: 0.299 },
    })
    expect(keysOf(await search(index, { ...request, threshold: 0.3 }))).toEqual([12])
    expect(keysOf(await search(index, { ...request, threshold: 0.29 }))).toEqual([2, 12])
    expect(keysOf(await search(index, { ...request, threshold: undefined }))).toEqual([12])
  })

  test('loads the best hits, and the others only if they are needed', async () => {
    const vectors = fragments.map(({ key }) => ({ key, score: 0.9 - key / 1_000 }))
    const keys = fragments.map(({ key }) => key)
    const first = indexOf({ vectors })
    expect(keysOf(await search(first.index, request))).toHaveLength(5)
    expect(first.calls.loaded).toEqual([keys.slice(0, 40)])
    const all = indexOf({ vectors })
    const everything = { ...request, limit: 6, maxPerAddress: 1 }
    expect(keysOf(await search(all.index, everything))).toEqual([1, 11, 21, 31, 41, 51])
    expect(all.calls.loaded).toEqual([keys.slice(0, 40), keys.slice(40)])
    const explained = indexOf({ vectors })
    expect((await search(explained.index, { ...request, explain: true })).dropped).toHaveLength(50)
    expect(explained.calls.loaded).toEqual([keys.slice(0, 55)])
  })

  test('counts the tokens of a fragment only if it has a cosine', async () => {
    const counted: string[] = []
    const tokenizer = { count: (text: string) => counted.push(text) }
    const keywords = [{ key: 2, score: 8 }]
    await search({ ...indexOf({ keywords }).index, tokenizer }, request)
    expect(counted).not.toContain('gamma')
    await search({ ...indexOf({ keywords, cosines: { 2: 0.5 } }).index, tokenizer }, request)
    expect(counted).toContain('gamma')
  })

  test('chooses passages if they are requested', async () => {
    const { index } = indexOf({ keywords: [{ key: 1, score: 8 }] })
    expect((await search(index, request)).hits[0]?.passage).toBeNull()
    const { hits } = await search(index, { ...request, withPassages: true })
    expect(hits[0]?.passage).toMatchObject({
      text: 'alpha beta',
      highlights: [
        [0, 5],
        [6, 10],
      ],
    })
  })

  test('scores by term coverage if the model does not know the language', async () => {
    const { index } = indexOf({
      keywords: [{ key: 1, score: 8 }],
      vectors: [{ key: 2, score: 0.9 }],
      cosines: { 1: 0.1 },
      tokensPerWord: 3,
    })
    const found = await search(index, { ...request, threshold: 0.3 })
    expect(found.hits.map(({ key, similarity }) => [key, similarity])).toEqual([[1, 2.5 / 3]])
  })

  test('limits hits per address, and still returns the full number', async () => {
    const keywords = Array.from({ length: 60 }, (_, n) => ({ key: n + 1, score: 100 - n }))
    const { index } = indexOf({ keywords })
    const delta = { ...request, query: 'delta', limit: 7 }
    expect(keysOf(await search(index, delta))).toEqual([1, 2, 3, 4, 5, 11, 12])
    expect(keysOf(await search(index, { ...delta, limit: 5, maxPerAddress: 1 }))).toEqual([1, 11, 21, 31, 41])
    expect(keysOf(await search(index, { ...delta, maxPerAddress: 10 }))).toEqual([1, 2, 3, 4, 5, 6, 7])
  })

  test('skips fragments deleted during the search', async () => {
    const { index } = indexOf({
      keywords: [
        { key: 1, score: 3 },
        { key: 2, score: 2 },
        { key: 99, score: 1 },
      ],
      deleted: [1],
    })
    expect(keysOf(await search(index, request))).toEqual([2])
  })

  test('uses keywords only without an embedder, with a failing one and without embeddings', async () => {
    const keywords = [
      { key: 1, score: 3 },
      { key: 2, score: 2 },
    ]
    const without = indexOf({ keywords, embedder: null })
    const found = await search(without.index, { ...request, threshold: 0.3 })
    expect(found).toMatchObject({
      hits: [{ key: 1, similarity: 2.5 / 3, cosine: null }],
      mode: 'keyword',
      pendingEmbeddings: 7,
    })
    expect(without.calls.models).toEqual([null])

    const failing = await search(indexOf({ keywords, embedder: 'fails' }).index, request)
    expect(keysOf(failing)).toEqual([1, 2])
    expect(failing.embeddingError).toEqual(new Error('broken'))
    expect(await search(indexOf({ keywords }).index, request)).toMatchObject({ mode: 'keyword' })
  })

  test('applies a filter, even one that excludes everything', async () => {
    const setting = {
      keywords: [
        { key: 1, score: 3 },
        { key: 2, score: 2 },
      ],
      vectors: [
        { key: 11, score: 0.9 },
        { key: 12, score: 0.8 },
      ],
    }
    const { index } = indexOf(setting)
    const found = await search(index, { ...request, filter: filterOf([2, 12], true) })
    expect(keysOf(found).sort()).toEqual([12, 2])
    const none = indexOf(setting)
    expect(await search(none.index, { ...request, filter: filterOf([], true) })).toMatchObject({
      hits: [],
      mode: 'hybrid',
      pendingEmbeddings: 7,
    })
    expect(none.calls.loaded).toEqual([])
    expect(keysOf(await search(index, request)).length).toBe(4)
  })

  test('searches again if fragments of the best hits are hidden', async () => {
    const keywords = Array.from({ length: 60 }, (_, n) => ({ key: n + 1, score: 100 - n }))
    const hidden = keywords.slice(0, 50).map(({ key }) => key)
    const visible = keywords.slice(50).map(({ key }) => key)
    const { index } = indexOf({ keywords, deleted: hidden })
    const found = await search(index, { ...request, filter: filterOf(visible, false), explain: true })
    expect(keysOf(found)).toEqual([51, 53, 55, 57, 59])
    expect(found.hits[0]).toMatchObject({ fusionScore: 1, ranks: { keyword: 1 } })
    expect(found.explanation?.counts).toEqual({ keyword: 10, vector: 0, fused: 10 })
    expect(keysOf(await search(indexOf({ keywords }).index, { ...request, filter: unusedFilter }))).toHaveLength(5)
  })

  test('returns the same hits with an explanation, even if dropped fragments are hidden', async () => {
    const keywords = Array.from({ length: 60 }, (_, n) => ({ key: n + 1, score: 100 - n }))
    const { index } = indexOf({ keywords, deleted: [55, 57] })
    const plain = await search(index, { ...request, filter: unusedFilter })
    const explained = await search(index, { ...request, filter: unusedFilter, explain: true })
    expect(keysOf(plain)).toHaveLength(5)
    expect(explained.hits).toEqual(plain.hits)
  })

  test('explains the search if requested', async () => {
    const keywords = Array.from({ length: 60 }, (_, n) => ({ key: n + 1, score: 100 - n }))
    const { index } = indexOf({ keywords, cosines: { 1: 0.5 } })
    const { hits, explanation } = await search(index, { ...request, threshold: 0.3, maxPerAddress: 3, explain: true })
    expect(hits[0]).toMatchObject({ key: 1, bm25: 100, cosine: 0.5, coverage: 1, weightedCoverage: 1 })
    expect(explanation).toMatchObject({ threshold: 0.3, counts: { keyword: 60, vector: 0, fused: 60 } })
    expect(explanation?.vectorWeight).toBeCloseTo(0.6, 10)
    expect(explanation?.words).toEqual(['alpha', 'beta'])
    expect(explanation?.dropped).toHaveLength(50)
    expect(new Set(explanation?.dropped.map(({ reason }) => reason))).toEqual(
      new Set(['below-threshold', 'same-address', 'over-limit']),
    )
    expect(await search(index, request)).not.toHaveProperty('explanation')
  })

  test('reports expansions in the spelling of the texts', async () => {
    const { index } = indexOf({ tokensPerWord: 3, embedder: null })
    const text = 'Ein Bücherkasten'
    index.textIndex.search = async () => ({
      hits: [{ key: 1, score: 1 }],
      expansions: new Map([['buche', { words: ['bucherkasten'], reason: 'prefix' }]]),
    })
    index.loadFragments = async () => fragments.slice(0, 1).map((fragment) => ({ ...fragment, text }))
    const { hits, explanation } = await search(index, { ...request, query: 'Büche', threshold: 0.3, explain: true })
    expect(hits).toHaveLength(1)
    expect(explanation?.words).toEqual(['bücherkasten'])
  })

  test('embeds the corrected query, and discounts its cosine', async () => {
    const { index } = indexOf({})
    const embedded: string[] = []
    index.embedder = {
      model: 'test@1',
      embedQuery: async (text) => {
        embedded.push(text)
        return new Float32Array([text === 'the warranty?' ? 1 : 0])
      },
    }
    index.textIndex.search = async () => ({
      hits: [{ key: 1, score: 1 }],
      expansions: new Map([['waranty', { words: ['warranty'], reason: 'misspelling' }]]),
    })
    const cosineOf = (vector: Float32Array) => (vector[0] === 1 ? 0.5 : 0.05)
    index.vectorIndex.search = async (_, vector) => [{ key: 2, score: cosineOf(vector) }]
    index.vectorIndex.cosines = async (_, vector, keys) => keys.map((key) => ({ key, score: cosineOf(vector) }))
    index.loadFragments = async (keys) =>
      fragments.filter(({ key }) => keys.includes(key)).map((fragment) => ({ ...fragment, text: 'Warranty' }))
    const { hits } = await search(index, { ...request, query: 'the waranty?', threshold: 0.3, maxPerAddress: 5 })
    expect(embedded).toEqual(['the waranty?', 'the warranty?'])
    expect(hits.map(({ key }) => key)).toEqual([1, 2])
    expect(hits[0]?.cosine).toBe(0.5)
    expect(hits[0]?.similarity).toBeCloseTo(0.7 * 0.45 + 0.3 * 0.6, 10)
  })

  test('does not search for a query without words', async () => {
    const { index, calls } = indexOf({ keywords: [{ key: 1, score: 3 }] })
    const found = await search(index, { ...request, query: '?!' })
    expect(found).toMatchObject({ hits: [], mode: 'hybrid', pendingEmbeddings: 7, correctedQuery: '?!' })
    expect(calls.loaded).toEqual([])
  })
})
