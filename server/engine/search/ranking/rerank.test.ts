import { expect, it } from 'vitest'
import { rerank } from './rerank'

const english = { isEnglish: true }
const foreign = { isEnglish: false }

function hit(
  key: number,
  fusionScore: number,
  {
    bm25 = 0,
    weightedCoverage = 0,
    headingMatch = 0,
    startsLine = false,
    rowShare = 0,
    addressId = `page-${key}`,
    headings = '',
  } = {},
) {
  return {
    key,
    fusionScore,
    bm25,
    weightedCoverage,
    headingMatch,
    startsLine,
    rowShare,
    cosine: null,
    ranks: { keyword: null, vector: null },
    fragment: { addressId, headings },
  }
}

const ranked = (hits: { key: number; rerankScore: number }[]) =>
  hits.map(({ key, rerankScore }) => [key, Number(rerankScore.toFixed(4))])

it('prefers a heading that is the query to one that is nearly, and counts it once with a line', () => {
  const hits = [
    hit(1, 0.8, { headingMatch: 0.9 }),
    hit(2, 0.7, { headingMatch: 1 }),
    hit(3, 0.7, { headingMatch: 1, startsLine: true }),
  ]
  expect(ranked(rerank(hits, english))).toEqual([
    [2, 0.9],
    [3, 0.9],
    [1, 0.8729],
  ])
})

it('prefers hits with more terms of the query', () => {
  const hits = [hit(1, 0.8), hit(2, 0.75, { weightedCoverage: 0.5 }), hit(3, 0.7, { weightedCoverage: 1 })]
  expect(ranked(rerank(hits, english))).toEqual([
    [3, 0.85],
    [2, 0.825],
    [1, 0.8],
  ])
})

it('prefers a hit under a heading that is the query, and hardly one under a similar heading', () => {
  const hits = [hit(1, 0.8), hit(2, 0.75, { headingMatch: 0.6 }), hit(3, 0.72, { headingMatch: 1 })]
  expect(ranked(rerank(hits, english))).toEqual([
    [3, 0.92],
    [1, 0.8],
    [2, 0.7716],
  ])
})

it('prefers a hit with a line that starts with the query', () => {
  const hits = [hit(1, 0.8), hit(2, 0.75, { startsLine: true })]
  expect(ranked(rerank(hits, english))).toEqual([
    [2, 0.85],
    [1, 0.8],
  ])
})

it('prefers a table row for a part number to a page that names it often', () => {
  const hits = [hit(1, 1), hit(2, 0.75, { rowShare: 1 })]
  expect(ranked(rerank(hits, english))).toEqual([
    [2, 1.05],
    [1, 1],
  ])
})

it('ranks boilerplate below equal hits', () => {
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

it('adds the best BM25 of the same address in languages other than English', () => {
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
  expect(ranked(rerank(hits, english))).toEqual(
    ranked(hits.map((item) => ({ ...item, rerankScore: item.fusionScore }))),
  )
})

it('accepts hits without BM25, and no hits', () => {
  expect(ranked(rerank([hit(2, 0.5), hit(1, 0.5)], foreign))).toEqual([
    [1, 0.5],
    [2, 0.5],
  ])
  expect(rerank([], foreign)).toEqual([])
})
