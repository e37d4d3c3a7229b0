import { expect, it } from 'vitest'
import { rerank } from './rerank'

const english = { english: true }
const foreign = { english: false }

function hit(
  key: number,
  score: number,
  { bm25 = 0, weighted = 0, heading = 0, addressId = `page-${key}`, headings = '' } = {},
) {
  return {
    key,
    score,
    bm25,
    weighted,
    heading,
    cosine: null,
    ranks: { words: null, vectors: null },
    fragment: { addressId, headings },
  }
}

const ranked = (hits: { key: number; rank: number }[]) => hits.map(({ key, rank }) => [key, Number(rank.toFixed(4))])

it('lifts what holds more words of the query', () => {
  const hits = [hit(1, 0.8), hit(2, 0.75, { weighted: 0.5 }), hit(3, 0.7, { weighted: 1 })]
  expect(ranked(rerank(hits, english))).toEqual([
    [3, 0.85],
    [2, 0.825],
    [1, 0.8],
  ])
})

it('lifts what stands under the question itself, and hardly what stands under something alike', () => {
  const hits = [hit(1, 0.8), hit(2, 0.75, { heading: 0.6 }), hit(3, 0.72, { heading: 1 })]
  expect(ranked(rerank(hits, english))).toEqual([
    [3, 0.82],
    [1, 0.8],
    [2, 0.7716],
  ])
})

it('puts what stands on several pages behind what fits as well, and nowhere else', () => {
  const hits = [hit(1, 0.8, { headings: 'On several pages / Visit us' }), hit(2, 0.78), hit(3, 0.76)]
  expect(ranked(rerank(hits, english))).toEqual([
    [2, 0.78],
    [1, 0.77],
    [3, 0.76],
  ])
  expect(ranked(rerank([hit(1, 0.8, { headings: 'On several pages of this book' }), hit(2, 0.79)], english))).toEqual([
    [1, 0.8],
    [2, 0.79],
  ])
})

it('lifts fragments by the best other one of their address, in other languages than English', () => {
  const hits = [
    hit(1, 0.8, { bm25: 8 }),
    hit(2, 0.78, { bm25: 10, addressId: 'page' }),
    hit(3, 0.5, { bm25: 5, addressId: 'page' }),
    hit(4, 0.4, { bm25: 4, addressId: 'page' }),
  ]
  expect(ranked(rerank(hits, foreign))).toEqual([
    [2, 0.83],
    [1, 0.8],
    [3, 0.6],
    [4, 0.5],
  ])
  expect(ranked(rerank(hits, english))).toEqual(ranked(hits.map((one) => ({ ...one, rank: one.score }))))
})

it('stands hits that no word found, and none', () => {
  expect(ranked(rerank([hit(2, 0.5), hit(1, 0.5)], foreign))).toEqual([
    [1, 0.5],
    [2, 0.5],
  ])
  expect(rerank([], foreign)).toEqual([])
})
