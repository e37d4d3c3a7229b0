import { expect, it } from 'vitest'
import { inOrder, nearestOfEach } from './insert-addresses'

const found = (url: string, depth: number) => ({ url, depth, discoveredFrom: 'https://x.example/' })

it('rows keep their order by their ids', () => {
  const rows = inOrder(Array.from({ length: 50 }, (_, number) => ({ number })))
  const ids = rows.map(({ id = '' }) => id)
  expect(new Set(ids).size).toBe(50)
  expect(ids).toEqual([...ids].sort())
  expect(rows.map(({ number }) => number)).toEqual(Array.from(rows.keys()))
})

it('of an address that was found twice the shorter way is kept, where it was found first', () => {
  expect(nearestOfEach([found('a', 2), found('b', 1), found('a', 1), found('b', 1)])).toEqual([
    found('a', 1),
    found('b', 1),
  ])
})
