import { expect, test } from 'vitest'
import { score } from './metrics'

test('scores by hand', () => {
  const gold = new Set(['a', 'b'])
  const { queries, ndcg10, recall5, mrr10 } = score([
    { found: ['x', 'a', 'y', 'z', 'w', 'b'], gold },
    { found: [], gold },
  ])
  expect(queries).toBe(2)
  expect(ndcg10).toBeCloseTo((1 / Math.log2(3) + 1 / Math.log2(7)) / (1 + 1 / Math.log2(3)) / 2, 10)
  expect(recall5).toBe(0.25)
  expect(mrr10).toBe(0.25)
  expect(score([{ found: ['a', 'b'], gold }])).toEqual({ queries: 1, ndcg10: 1, recall5: 1, mrr10: 1 })
})
