import { describe, expect, test } from 'vitest'
import { fuse } from './fusion'

const hits = (...pairs: [number, number][]) => pairs.map(([key, score]) => ({ key, score }))

describe('fuse', () => {
  test('weighs scores by the best of each list, with exact cosines for keyword hits', () => {
    const fused = fuse({
      keywordHits: hits([1, 10], [2, 5]),
      vectorHits: hits([3, 0.8], [2, 0.6]),
      cosines: hits([1, 0.2]),
      vectorWeight: 0.6,
      depth: 100,
    })
    expect(fused.map(({ key }) => key)).toEqual([2, 3, 1])
    expect(fused[0]).toMatchObject({ bm25: 5, cosine: 0.6, ranks: { keyword: 2, vector: 2 } })
    expect(fused[0]?.fusionScore).toBeCloseTo(0.4 * 0.5 + 0.6 * 0.75, 10)
    expect(fused[1]).toMatchObject({ bm25: 0, cosine: 0.8, ranks: { keyword: null, vector: 1 } })
    expect(fused[1]?.fusionScore).toBeCloseTo(0.6, 10)
    expect(fused[2]?.fusionScore).toBeCloseTo(0.4 + 0.6 * 0.25, 10)
  })

  test('fuses both lists up to the depth; keyword hits after it only contribute their BM25', () => {
    const keywordHits = hits([1, 9], [2, 8], [3, 7])
    const fused = fuse({ keywordHits, vectorHits: hits([3, 0.5]), cosines: [], vectorWeight: 0.6, depth: 1 })
    expect(fused.map(({ key }) => key).sort()).toEqual([1, 3])
    expect(fused.find(({ key }) => key === 3)).toMatchObject({ bm25: 7, ranks: { keyword: null, vector: 1 } })
  })

  test('orders by one list if the other is empty', () => {
    const byKeyword = fuse({
      keywordHits: hits([1, 4], [2, 2]),
      vectorHits: [],
      cosines: [],
      vectorWeight: 0.6,
      depth: 9,
    })
    expect(byKeyword.map(({ key, fusionScore, cosine }) => [key, fusionScore, cosine])).toEqual([
      [1, 1, null],
      [2, 0.5, null],
    ])
    const byVector = fuse({
      keywordHits: [],
      vectorHits: hits([1, 0.5], [2, 0.25]),
      cosines: [],
      vectorWeight: 0.6,
      depth: 9,
    })
    expect(byVector.map(({ key, fusionScore }) => [key, fusionScore])).toEqual([
      [1, 1],
      [2, 0.5],
    ])
  })

  test('scores a fragment without an embedding as an average one', () => {
    const fused = fuse({
      keywordHits: hits([1, 10], [2, 10], [3, 10]),
      vectorHits: hits([2, 0.9], [3, 0.1], [4, 0.5]),
      cosines: [],
      vectorWeight: 0.6,
      depth: 9,
    })
    expect(fused.map(({ key }) => key)).toEqual([2, 1, 3, 4])
    expect(fused[1]?.cosine).toBeNull()
  })

  test('orders equal scores by key, and returns nothing for nothing', () => {
    expect(
      fuse({ keywordHits: hits([9, 1], [4, 1]), vectorHits: [], cosines: [], vectorWeight: 0.6, depth: 9 }).map(
        ({ key }) => key,
      ),
    ).toEqual([4, 9])
    expect(fuse({ keywordHits: [], vectorHits: [], cosines: [], vectorWeight: 0.6, depth: 9 })).toEqual([])
  })

  test('accepts negative cosines', () => {
    const fused = fuse({
      keywordHits: [],
      vectorHits: hits([1, -0.1], [2, -0.5]),
      cosines: [],
      vectorWeight: 0.6,
      depth: 9,
    })
    expect(fused.every(({ fusionScore }) => fusionScore === 0)).toBe(true)
  })
})
