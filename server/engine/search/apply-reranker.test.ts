import { describe, expect, test } from 'vitest'
import { applyReranker } from './apply-reranker'
import type { DroppedHit, SelectedHit } from './ranking/select-hits'

interface Fragment {
  title: string
  headings: string
  innerHeadings: string
  text: string
  addressId: string
}
type Hit = SelectedHit<Fragment>

/** Hits in the order of the names. The first letter is the address. */
const hitsOf = (...names: string[]) => names.map((name, n) => hitOf(name, n))

function hitOf(name: string, n: number): Hit {
  const fragment = { title: `Title ${name}`, headings: '', innerHeadings: '', text: name, addressId: name.charAt(0) }
  const relevance = { similarity: 1 - n / 100, coverage: 1, weightedCoverage: 1, headingMatch: 0, lineMatch: 'none' }
  return {
    ...{ key: n, fragment, fusionScore: 1 - n / 100, rerankScore: 1 - n / 100, bm25: 1, cosine: null },
    ...{ ranks: { keyword: n + 1, vector: null }, ...relevance, isBackfilled: false },
  } as unknown as Hit
}

interface Read {
  query: string
  texts: string[]
  budgetMs: number
}

function rerankerOf(scores: number[] | Error) {
  const read: Read[] = []
  const score = async (query: string, texts: string[], budgetMs: number) => {
    read.push({ query, texts, budgetMs })
    if (scores instanceof Error) throw scores
    return scores
  }
  return { reranker: { model: 'lamps', score }, read }
}

async function apply(
  scores: number[] | Error,
  hits: Hit[],
  rules: { limit?: number; maxPerAddress?: number; maxDropped?: number } = {},
  dropped: DroppedHit<Fragment>[] = [],
) {
  const { reranker, read } = rerankerOf(scores)
  const all = { limit: 3, maxPerAddress: 5, maxDropped: 10, ...rules }
  const found = await applyReranker(reranker, 'the query', { hits, dropped }, all)
  return { ...found, read, names: found.hits.map(({ fragment }) => fragment.text) }
}

describe('the reranker', () => {
  test('orders the hits by its scores, before the limit', async () => {
    const { names, hits, dropped, read, report } = await apply([1, 4, 2, 3], hitsOf('a', 'b', 'c', 'd'))
    expect(names).toEqual(['b', 'd', 'c'])
    expect(hits.map(({ rerankerScore }) => rerankerScore)).toEqual([4, 3, 2])
    expect(dropped).toMatchObject([{ fragment: { text: 'a' }, reason: 'over-limit', rerankerScore: 1 }])
    expect(read).toEqual([
      { query: 'the query', texts: ['Title a\na', 'Title b\nb', 'Title c\nc', 'Title d\nd'], budgetMs: 150 },
    ])
    expect(report).toMatchObject({ model: 'lamps', candidates: 4, scored: 4, isApplied: true })
  })

  test('keeps the order of equal scores', async () => {
    expect((await apply([1, 1, 2], hitsOf('a', 'b', 'c'))).names).toEqual(['c', 'a', 'b'])
  })

  test('reads twenty hits at most, which come before the others', async () => {
    const names = [...'abcdefghijklmnopqrstuvwxy']
    const scores = names.slice(0, 20).map((_, n) => n)
    const found = await apply(scores, hitsOf(...names), { limit: 25 })
    expect(found.read[0]?.texts).toHaveLength(20)
    expect(found.names).toEqual([...names.slice(0, 20).reverse(), ...names.slice(20)])
  })

  test('puts the hits that it did not read in time after the others, in their order', async () => {
    const { names, hits, report } = await apply([1, 2], hitsOf('a', 'b', 'c', 'd'), { limit: 4 })
    expect(names).toEqual(['b', 'a', 'c', 'd'])
    expect(hits.map(({ rerankerScore }) => rerankerScore)).toEqual([2, 1, undefined, undefined])
    expect(report).toMatchObject({ candidates: 4, scored: 2, isApplied: true })
  })

  test.each([0, 1])('is left out if it read %i hits in time', async (count) => {
    const { names, report } = await apply([9].slice(0, count), hitsOf('a', 'b', 'c', 'd'))
    expect(names).toEqual(['a', 'b', 'c'])
    expect(report).toMatchObject({ candidates: 4, scored: count, isApplied: false })
  })

  test('is not asked about a single hit', async () => {
    const { names, read, report } = await apply([9], hitsOf('a'))
    expect([names, read, report?.isApplied]).toEqual([['a'], [], false])
  })

  test('is left out if it fails', async () => {
    const { names, report, error } = await apply(new Error('no'), hitsOf('a', 'b', 'c', 'd'))
    expect([names, report]).toEqual([['a', 'b', 'c'], null])
    expect(error).toEqual(new Error('no'))
  })

  test('does not exceed the limit per address, unless no other fills the place', async () => {
    const { names, hits, dropped } = await apply([1, 5, 4, 3, 2], hitsOf('b1', 'a1', 'a2', 'a3', 'c1'), {
      limit: 4,
      maxPerAddress: 1,
    })
    expect(names).toEqual(['a1', 'c1', 'b1', 'a2'])
    expect(hits.map(({ isBackfilled }) => isBackfilled)).toEqual([false, false, false, true])
    expect(dropped).toMatchObject([{ fragment: { text: 'a3' }, reason: 'same-address' }])
  })

  test('reports the hits that it left out before those that were dropped earlier', async () => {
    const earlier = hitsOf('x', 'y').map((hit) => ({ ...hit, reason: 'duplicate' as const, duplicateOf: null }))
    const { dropped } = await apply([1, 2, 3], hitsOf('a', 'b', 'c'), { limit: 2, maxDropped: 2 }, earlier)
    expect(dropped.map(({ fragment, reason }) => [fragment.text, reason])).toEqual([
      ['a', 'over-limit'],
      ['x', 'duplicate'],
    ])
  })
})
