import { describe, expect, test } from 'vitest'
import { denseShareOf, familiarity, fuse } from './fusion'

const hits = (...pairs: [number, number][]) => pairs.map(([key, score]) => ({ key, score }))

describe('denseShareOf', () => {
  test.each([
    [1, 0.6],
    [1.35, 0.6],
    [1.675, 0.5],
    [2, 0.4],
    [5, 0.4],
  ])('%d pieces a word: %d', (pieces, share) => {
    expect(denseShareOf(pieces)).toBeCloseTo(share, 10)
  })

  test('follows how well the language is known', () => {
    expect([1, 1.35, 2, 9].map(familiarity)).toEqual([1, 1, 0, 0])
  })
})

describe('fuse', () => {
  test('adds the shares of the best of both lists, with exact cosines for word hits', () => {
    const fused = fuse({
      words: hits([1, 10], [2, 5]),
      vectors: hits([3, 0.8], [2, 0.6]),
      cosines: hits([1, 0.2]),
      denseShare: 0.6,
      depth: 100,
    })
    expect(fused.map(({ key }) => key)).toEqual([2, 3, 1])
    expect(fused[0]).toMatchObject({ bm25: 5, cosine: 0.6, ranks: { words: 2, vectors: 2 } })
    expect(fused[0]?.score).toBeCloseTo(0.4 * 0.5 + 0.6 * 0.75, 10)
    expect(fused[1]).toMatchObject({ bm25: 0, cosine: 0.8, ranks: { words: null, vectors: 1 } })
    expect(fused[1]?.score).toBeCloseTo(0.6, 10)
    expect(fused[2]?.score).toBeCloseTo(0.4 + 0.6 * 0.25, 10)
  })

  test('takes both lists to their depth; words behind it only lend their BM25', () => {
    const words = hits([1, 9], [2, 8], [3, 7])
    const fused = fuse({ words, vectors: hits([3, 0.5]), cosines: [], denseShare: 0.6, depth: 1 })
    expect(fused.map(({ key }) => key).sort()).toEqual([1, 3])
    expect(fused.find(({ key }) => key === 3)).toMatchObject({ bm25: 7, ranks: { words: null, vectors: 1 } })
  })

  test('orders by words alone without vectors, and by meaning alone without words', () => {
    const words = fuse({ words: hits([1, 4], [2, 2]), vectors: [], cosines: [], denseShare: 0.6, depth: 9 })
    expect(words.map(({ key, score, cosine }) => [key, score, cosine])).toEqual([
      [1, 1, null],
      [2, 0.5, null],
    ])
    const meaning = fuse({ words: [], vectors: hits([1, 0.5], [2, 0.25]), cosines: [], denseShare: 0.6, depth: 9 })
    expect(meaning.map(({ key, score }) => [key, score])).toEqual([
      [1, 1],
      [2, 0.5],
    ])
  })

  test('takes a fragment without a vector for an average one', () => {
    const fused = fuse({
      words: hits([1, 10], [2, 10], [3, 10]),
      vectors: hits([2, 0.9], [3, 0.1], [4, 0.5]),
      cosines: [],
      denseShare: 0.6,
      depth: 9,
    })
    expect(fused.map(({ key }) => key)).toEqual([2, 1, 3, 4])
    expect(fused[1]?.cosine).toBeNull()
  })

  test('gives the same order for equal scores, and nothing for nothing', () => {
    expect(
      fuse({ words: hits([9, 1], [4, 1]), vectors: [], cosines: [], denseShare: 0.6, depth: 9 }).map(({ key }) => key),
    ).toEqual([4, 9])
    expect(fuse({ words: [], vectors: [], cosines: [], denseShare: 0.6, depth: 9 })).toEqual([])
  })

  test('stands cosines below zero', () => {
    const fused = fuse({ words: [], vectors: hits([1, -0.1], [2, -0.5]), cosines: [], denseShare: 0.6, depth: 9 })
    expect(fused.every(({ score }) => score === 0)).toBe(true)
  })
})
