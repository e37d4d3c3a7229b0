import { afterEach, beforeEach, expect, test } from 'vitest'
import { until } from '../../../../tests/support/until'
import { createHeapTrimmer } from '../../extraction/thread-heap'
import { createHeldCopies, type HeldCopies, type HeldCopy } from './held-copies'

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
  // It arrives before the next one does.
  one.make({ ...options, id: 2 })
  await until(() => other.find(2))
  expect(await other.find(1)).toBeNull()
  expect(await one.find(1)).not.toBeNull()
})

test('memory is given back when nobody holds it', async () => {
  const trim = createHeapTrimmer()
  const memories = [memoryOf(one.make({ ...options, id: 1 })), memoryOf(await other.find(1))]
  one.drop([1])
  other.drop([1])
  await until(() => {
    trim(Number.NEGATIVE_INFINITY)
    return memories.every((memory) => memory.deref() === undefined)
  })

  function memoryOf(held: HeldCopy | null): WeakRef<ArrayBufferLike> {
    if (!held) throw new Error('There is no copy.')
    return new WeakRef(held.copy.views().floats.buffer)
  }
})
