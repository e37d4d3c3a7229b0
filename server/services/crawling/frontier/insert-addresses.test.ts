import { expect, it } from 'vitest'
import { shortestPaths, withOrderedIds } from './insert-addresses'

const found = (url: string, depth: number) => ({ url, depth, discoveredFrom: 'https://x.example/' })

it('orders rows by their ids', () => {
  const rows = withOrderedIds(Array.from({ length: 50 }, (_, number) => ({ number })))
  const ids = rows.map(({ id = '' }) => id)
  expect(new Set(ids).size).toBe(50)
  expect(ids).toEqual([...ids].sort())
  expect(rows.map(({ number }) => number)).toEqual(Array.from(rows.keys()))
})

it('keeps the shortest path to a URL, in the position of the first', () => {
  expect(shortestPaths([found('a', 2), found('b', 1), found('a', 1), found('b', 1)])).toEqual([
    found('a', 1),
    found('b', 1),
  ])
})
