import { expect, it } from 'vitest'
import { changes } from './changes.server'

it('ends on abort without waiting for the next poll', async () => {
  const leaving = new AbortController()
  const found: number[] = []
  let looks = 0
  for await (const value of changes(async () => ++looks, 0, leaving.signal)) {
    found.push(value)
    leaving.abort()
  }
  expect(found).toEqual([0])
})
