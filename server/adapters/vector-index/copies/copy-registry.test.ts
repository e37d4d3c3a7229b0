import { afterEach, beforeEach, expect, test } from 'vitest'
import { until } from '../../../../tests/support/until'
import { createHeapTrimmer } from '../../extraction/thread-heap'
import { type CopyRegistry, createCopyRegistry, type RegisteredCopy } from './copy-registry'

const megabyte = 2 ** 20
const options = {
  setId: 'here',
  dimensions: 384,
  blocks: 4,
  maxBytes: 128 * megabyte,
  matrix: null,
  leadingWidth: null,
}
let copyRegistry: CopyRegistry
let otherCopyRegistry: CopyRegistry

// Simulates two threads, because a channel also delivers within one thread.
beforeEach(() => {
  const channel = crypto.randomUUID()
  copyRegistry = createCopyRegistry(channel, 2)
  otherCopyRegistry = createCopyRegistry(channel, 2)
})
afterEach(() => {
  copyRegistry.close()
  otherCopyRegistry.close()
})

test('shares a created copy with the other threads', async () => {
  copyRegistry.create({ ...options, id: 1 }).copy.setRevision(7)
  const found = await otherCopyRegistry.find(1)
  expect(found?.setId).toBe('here')
  expect(found?.copy.revision()).toBe(7)
  expect(found?.bytes()).toBeGreaterThan(4 * 99_000)
  expect(await otherCopyRegistry.find(2)).toBeNull()
})

test('releases a copy that is dropped before it arrives', async () => {
  copyRegistry.create({ ...options, id: 1 })
  otherCopyRegistry.drop([1])
  // Messages arrive in order, so the first copy arrives before the second.
  copyRegistry.create({ ...options, id: 2 })
  await until(() => otherCopyRegistry.find(2))
  expect(await otherCopyRegistry.find(1)).toBeNull()
  expect(await copyRegistry.find(1)).not.toBeNull()
})

test('frees the memory of a dropped copy', async () => {
  const trim = createHeapTrimmer()
  const memories = [memoryOf(copyRegistry.create({ ...options, id: 1 })), memoryOf(await otherCopyRegistry.find(1))]
  copyRegistry.drop([1])
  otherCopyRegistry.drop([1])
  await until(() => {
    trim(Number.NEGATIVE_INFINITY)
    return memories.every((memory) => memory.deref() === undefined)
  })

  function memoryOf(registered: RegisteredCopy | null): WeakRef<ArrayBufferLike> {
    if (!registered) throw new Error('There is no copy.')
    return new WeakRef(registered.copy.views().floats.buffer)
  }
})
