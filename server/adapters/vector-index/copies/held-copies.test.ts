import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createHeapTrimmer } from '../../extraction/thread-heap'
import { createHeldCopies, type HeldCopies } from './held-copies'

const megabyte = 2 ** 20
const options = { collectionId: 'here', dimensions: 384, blocks: 4, mostBytes: 128 * megabyte }
let one: HeldCopies
let other: HeldCopies

// Two threads would do the same; a channel reaches its own thread, too.
beforeEach(() => {
  const channel = crypto.randomUUID()
  one = createHeldCopies(channel, 2)
  other = createHeldCopies(channel, 2)
})
afterEach(() => {
  one.close()
  other.close()
})

test('what one makes the others have', async () => {
  one.make({ ...options, id: 1 }).copy.setRevision(7)
  const found = await other.find(1)
  expect(found?.collectionId).toBe('here')
  expect(found?.copy.revision()).toBe(7)
  expect(found?.bytes()).toBeGreaterThan(4 * 99_000)
  expect(await other.find(2)).toBeNull()
})

test('what is dropped before it arrives is not held', async () => {
  one.make({ ...options, id: 1 })
  other.drop([1])
  await sleep(20)
  expect(await other.find(1)).toBeNull()
  expect(await one.find(1)).not.toBeNull()
})

test('memory is given back when nobody holds it', async () => {
  const trim = createHeapTrimmer()
  const collect = () => trim(Number.NEGATIVE_INFINITY)
  collect()
  const before = process.memoryUsage().rss
  fillMemory()
  await other.find(1)
  const held = process.memoryUsage().rss
  expect(held - before).toBeGreaterThan(80 * megabyte)
  one.drop([1])
  other.drop([1])
  for (let round = 0; round < 20; round++) {
    await sleep(10)
    collect()
  }
  expect(process.memoryUsage().rss).toBeLessThan(held - 60 * megabyte)

  /** A function of its own, so that nothing here refers to the copy. */
  function fillMemory(): void {
    const { copy } = one.make({ ...options, id: 1, blocks: 1_000 })
    copy.views().floats.fill(1, copy.layout.start / 4)
  }
})
