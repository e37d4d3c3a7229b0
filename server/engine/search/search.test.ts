import { describe, expect, test } from 'vitest'
import type { KeyScore } from '../ports'
import type { Admission } from './candidates'
import type { ReadQuery } from './parse-query'
import { type RetrieveDeps, retrieve } from './search'
import type { RetrievableFragment } from './select-hits'

const fragments: RetrievableFragment[] = Array.from({ length: 60 }, (_, n) => ({
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
  words?: KeyScore[]
  vectors?: KeyScore[]
  cosines?: Record<number, number>
  embedder?: 'works' | 'fails' | null
  read?: Partial<ReadQuery>
  deleted?: number[]
}

function depsOf({ words = [], vectors = [], cosines = {}, embedder = 'works', read = {}, deleted = [] }: Setting) {
  const asked: {
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
  const deps: RetrieveDeps<RetrievableFragment> = {
    textIndex: {
      search: async (_, __, limit, among) => {
        asked.among.push(among)
        return { hits: words.filter(({ key }) => !among || among.has(key)).slice(0, limit), instead: new Map() }
      },
    },
    vectorIndex: {
      search: async (_, __, limit, among) => {
        asked.among.push(among)
        return vectors.filter(({ key }) => !among || among.has(key)).slice(0, limit)
      },
      cosines: async (_, __, keys) => {
        asked.cosines.push(keys)
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
    tokenizer: { count: () => 1 },
    readQuery: () => ({ words: ['alpha', 'beta'], english: true, piecesPerWord: 1, ...read }),
    loadFragments: async (keys) => {
      asked.loaded.push(keys)
      return fragments.filter(({ key }) => keys.includes(key) && !deleted.includes(key)).reverse()
    },
    countWithoutVector: async (_, model) => {
      asked.models.push(model)
      return 7
    },
  }
  return { deps, asked }
}

const admissionOf = (keys: number[]): Admission => ({
  of: async (some) => new Set(some.filter((key) => keys.includes(key))),
  all: async () => new Set(keys),
})
const forbidden: Admission = {
  of: () => Promise.reject(new Error('Nothing was missing.')),
  all: () => Promise.reject(new Error('Nothing was missing.')),
}
const query = { collectionId: 'c', query: 'alpha beta', limit: 5, threshold: 0 }
const keysOf = (found: { hits: { key: number }[] }) => found.hits.map(({ key }) => key)

describe('retrieve', () => {
  test('fuses both lists and asks the cosines of the word hits that lack one', async () => {
    const { deps, asked } = depsOf({
      words: [
        { key: 1, score: 8 },
        { key: 11, score: 4 },
      ],
      vectors: [
        { key: 21, score: 0.9 },
        { key: 11, score: 0.8 },
      ],
      cosines: { 1: 0.45 },
    })
    const found = await retrieve(deps, query)
    expect(asked.cosines).toEqual([[1]])
    // .4 + .6 / 2 = .7, .4 / 2 + .6 x 8 / 9 = .733, .6
    expect(keysOf(found)).toEqual([11, 1, 21])
    expect(found.hits[1]).toMatchObject({
      similarity: 0.7 * 0.45 + 0.3,
      bm25: 8,
      cosine: 0.45,
      ranks: { words: 1, vectors: null },
    })
    expect(found).toMatchObject({ by: 'words-and-meaning', withoutVector: 7 })
    expect(asked.models).toEqual(['test@1'])
  })

  test('applies the threshold to the similarity, never to the fused score', async () => {
    const { deps } = depsOf({
      words: [
        { key: 2, score: 8 },
        { key: 12, score: 7.9 },
      ],
      vectors: [{ key: 12, score: 0.301 }],
      cosines: { 2: 0.299 },
    })
    expect(keysOf(await retrieve(deps, { ...query, threshold: 0.3 }))).toEqual([12])
    expect(keysOf(await retrieve(deps, { ...query, threshold: 0.29 }))).toEqual([2, 12])
    expect(keysOf(await retrieve(deps, { ...query, threshold: undefined }))).toEqual([12])
  })

  test('counts word evidence where the model does not know the language', async () => {
    const { deps } = depsOf({
      words: [{ key: 1, score: 8 }],
      vectors: [{ key: 2, score: 0.9 }],
      cosines: { 1: 0.1 },
      read: { piecesPerWord: 2.5 },
    })
    deps.tokenizer.count = (text) => 3 * text.split(' ').length
    const found = await retrieve(deps, { ...query, threshold: 0.3 })
    expect(found.hits.map(({ key, similarity }) => [key, similarity])).toEqual([[1, 2.5 / 3]])
  })

  test('gives at most so many fragments of one address, and still the whole number', async () => {
    const words = Array.from({ length: 60 }, (_, n) => ({ key: n + 1, score: 100 - n }))
    const { deps } = depsOf({ words, read: { words: ['delta'] } })
    expect(keysOf(await retrieve(deps, query))).toEqual([1, 2, 3, 11, 12])
    expect(keysOf(await retrieve(deps, { ...query, perAddress: 1 }))).toEqual([1, 11, 21, 31, 41])
    expect(keysOf(await retrieve(deps, { ...query, perAddress: 10 }))).toEqual([1, 2, 3, 4, 5])
  })

  test('passes over fragments that were deleted meanwhile', async () => {
    const { deps } = depsOf({
      words: [
        { key: 1, score: 3 },
        { key: 2, score: 2 },
        { key: 99, score: 1 },
      ],
      deleted: [1],
    })
    expect(keysOf(await retrieve(deps, query))).toEqual([2])
  })

  test('finds by words alone without an embedder, with a failing one and without vectors', async () => {
    const words = [
      { key: 1, score: 3 },
      { key: 2, score: 2 },
    ]
    const without = depsOf({ words, embedder: null })
    const found = await retrieve(without.deps, { ...query, threshold: 0.3 })
    expect(found).toEqual({
      hits: [expect.objectContaining({ key: 1, similarity: 2.5 / 3, cosine: null })],
      by: 'words',
      withoutVector: 7,
    })
    expect(without.asked.models).toEqual([null])

    const failing = await retrieve(depsOf({ words, embedder: 'fails' }).deps, query)
    expect(keysOf(failing)).toEqual([1, 2])
    expect(failing.failure).toEqual(new Error('broken'))
    expect(await retrieve(depsOf({ words }).deps, query)).toMatchObject({ by: 'words' })
  })

  test('looks only at what is admitted, and for nothing where that is nothing', async () => {
    const setting = {
      words: [
        { key: 1, score: 3 },
        { key: 2, score: 2 },
      ],
      vectors: [
        { key: 11, score: 0.9 },
        { key: 12, score: 0.8 },
      ],
    }
    const { deps } = depsOf(setting)
    const found = await retrieve(deps, { ...query, admission: admissionOf([2, 12]), isNarrowed: true })
    expect(keysOf(found).sort()).toEqual([12, 2])
    const none = depsOf(setting)
    expect(await retrieve(none.deps, { ...query, admission: admissionOf([]), isNarrowed: true })).toMatchObject({
      hits: [],
      by: 'words-and-meaning',
      withoutVector: 7,
    })
    expect(none.asked.loaded).toEqual([])
    expect(keysOf(await retrieve(deps, query)).length).toBe(4)
  })

  test('looks for others where some of what was found may not be found', async () => {
    const words = Array.from({ length: 60 }, (_, n) => ({ key: n + 1, score: 100 - n }))
    const hidden = words.slice(0, 50).map(({ key }) => key)
    const left = words.slice(50).map(({ key }) => key)
    const { deps } = depsOf({ words, deleted: hidden })
    const found = await retrieve(deps, { ...query, admission: admissionOf(left), explain: true })
    expect(keysOf(found)).toEqual([51, 53, 55, 57, 59])
    expect(found.hits[0]).toMatchObject({ score: 1, ranks: { words: 1 } })
    expect(found.explanation?.found).toEqual({ words: 10, vectors: 0, fused: 10 })
    expect(keysOf(await retrieve(depsOf({ words }).deps, { ...query, admission: forbidden }))).toHaveLength(5)
  })

  test('finds the same when it is to explain itself, though what is only told may be missing', async () => {
    const words = Array.from({ length: 60 }, (_, n) => ({ key: n + 1, score: 100 - n }))
    const { deps } = depsOf({ words, deleted: [55, 57] })
    const plain = await retrieve(deps, { ...query, admission: forbidden })
    const explained = await retrieve(deps, { ...query, admission: forbidden, explain: true })
    expect(keysOf(plain)).toHaveLength(5)
    expect(explained.hits).toEqual(plain.hits)
  })

  test('explains what it did, where that is asked for', async () => {
    const words = Array.from({ length: 60 }, (_, n) => ({ key: n + 1, score: 100 - n }))
    const { deps } = depsOf({ words, cosines: { 1: 0.5 } })
    const { hits, explanation } = await retrieve(deps, { ...query, threshold: 0.3, explain: true })
    expect(hits[0]).toMatchObject({ key: 1, bm25: 100, cosine: 0.5, evidence: 1, weighted: 1 })
    expect(explanation).toMatchObject({ threshold: 0.3, found: { words: 60, vectors: 0, fused: 60 } })
    expect(explanation?.denseShare).toBeCloseTo(0.6, 10)
    expect(explanation?.read.words).toEqual(['alpha', 'beta'])
    expect(explanation?.dropped).toHaveLength(50)
    expect(new Set(explanation?.dropped.map(({ reason }) => reason))).toEqual(
      new Set(['below-threshold', 'same-address', 'over-limit']),
    )
    expect(await retrieve(deps, query)).not.toHaveProperty('explanation')
  })

  test('tells what was looked for in place of a word as the texts write it', async () => {
    const { deps } = depsOf({ read: { words: ['kasten'], english: false, piecesPerWord: 3 }, embedder: null })
    const text = 'Ein Bücherkasten'
    deps.textIndex.search = async () => ({
      hits: [{ key: 1, score: 1 }],
      instead: new Map([['kasten', { words: ['bucherkasten'], ends: ['kasten'], because: 'compounds' }]]),
    })
    deps.loadFragments = async () => fragments.slice(0, 1).map((one) => ({ ...one, text }))
    const { hits, explanation } = await retrieve(deps, { ...query, threshold: 0.3, explain: true })
    expect(hits).toHaveLength(1)
    expect(explanation?.read.words).toEqual(['bücherkasten'])
  })

  test('tells a word beside its compounds as it was typed', async () => {
    const { deps } = depsOf({ read: { words: ['säge'], english: false, piecesPerWord: 3 }, embedder: null })
    deps.textIndex.search = async () => ({
      hits: [{ key: 1, score: 1 }],
      instead: new Map([['sage', { words: ['sage', 'motorsage'], ends: ['sage'], because: 'compounds' }]]),
    })
    deps.loadFragments = async () => fragments.slice(0, 1).map((one) => ({ ...one, text: 'Eine Motorsäge' }))
    const { explanation } = await retrieve(deps, { ...query, explain: true })
    expect(explanation?.read.words).toEqual(['säge', 'motorsäge'])
  })

  test('looks by meaning for the words that were meant, and is a little less sure of them', async () => {
    const { deps } = depsOf({ read: { words: ['waranty'] } })
    const embedded: string[] = []
    deps.embedder = {
      model: 'test@1',
      embedQuery: async (text) => {
        embedded.push(text)
        return new Float32Array([text === 'the warranty?' ? 1 : 0])
      },
    }
    deps.textIndex.search = async () => ({
      hits: [{ key: 1, score: 1 }],
      instead: new Map([['waranty', { words: ['warranty'], because: 'misspelt' }]]),
    })
    const likeness = (vector: Float32Array) => (vector[0] === 1 ? 0.5 : 0.05)
    deps.vectorIndex.search = async (_, vector) => [{ key: 2, score: likeness(vector) }]
    deps.vectorIndex.cosines = async (_, vector, keys) => keys.map((key) => ({ key, score: likeness(vector) }))
    deps.loadFragments = async (keys) =>
      fragments.filter(({ key }) => keys.includes(key)).map((one) => ({ ...one, text: 'Warranty' }))
    const { hits } = await retrieve(deps, { ...query, query: 'the waranty?', threshold: 0.3, perAddress: 5 })
    expect(embedded).toEqual(['the waranty?', 'the warranty?'])
    expect(hits.map(({ key }) => key)).toEqual([1, 2])
    expect(hits[0]?.cosine).toBe(0.5)
    expect(hits[0]?.similarity).toBeCloseTo(0.7 * 0.45 + 0.3 * 0.6, 10)
  })

  test('asks nothing for a query without a word', async () => {
    const { deps, asked } = depsOf({ words: [{ key: 1, score: 3 }], read: { words: [] } })
    expect(await retrieve(deps, query)).toEqual({ hits: [], by: 'words-and-meaning', withoutVector: 7 })
    expect(asked.loaded).toEqual([])
  })
})
