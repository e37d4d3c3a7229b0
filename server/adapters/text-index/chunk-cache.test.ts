import { expect, test } from 'vitest'
import { createChunkMemory, openChunkCache } from './chunk-cache'
import { chunkBytes, placeOf } from './segment-chunks'

const slotBytes = chunkBytes + 16

/** A chunk that says its place throughout; counts how often it is read. */
function loader() {
  const loaded: number[] = []
  return {
    loaded,
    load(place: number): Uint8Array {
      loaded.push(place)
      return new Uint8Array(chunkBytes).fill(place % 251)
    },
  }
}

const places = (count: number) => Array.from({ length: count }, (_, n) => placeOf(1 + Math.floor(n / 3), n % 3))

test('reads a chunk once for all that share the memory', () => {
  const memory = createChunkMemory(64 * slotBytes)
  const [first, second] = [loader(), loader()]
  const caches = [openChunkCache(memory, first.load), openChunkCache(memory, second.load)]
  for (const cache of caches) {
    for (const place of places(5)) expect(cache.read(place)[chunkBytes - 1]).toBe(place % 251)
    cache.release()
  }
  expect(first.loaded).toEqual(places(5))
  expect(second.loaded).toEqual([])
})

test('keeps to its size, and reads again what had no room', () => {
  const memory = createChunkMemory(16 * slotBytes)
  expect(memory.byteLength).toBeLessThanOrEqual(16 * slotBytes + 8)
  const { load, loaded } = loader()
  const cache = openChunkCache(memory, load)
  for (let round = 0; round < 3; round++) {
    for (const place of places(100)) {
      expect(cache.read(place)[0]).toBe(place % 251)
      cache.release()
    }
  }
  expect(loaded.length).toBeGreaterThan(100)
})

test('never replaces a chunk that is in use', () => {
  const memory = createChunkMemory(8 * slotBytes)
  const [holder, others] = [openChunkCache(memory, loader().load), openChunkCache(memory, loader().load)]
  const held = places(6).map((place) => ({ place, bytes: holder.read(place) }))
  for (const place of places(200)) others.read(place)
  others.release()
  for (const { place, bytes } of held) expect([bytes[0], bytes[chunkBytes - 1]]).toEqual([place % 251, place % 251])
  holder.release()
})

test('without memory, reads every chunk for the search at hand', () => {
  const { load, loaded } = loader()
  const cache = openChunkCache(createChunkMemory(0), load)
  for (let round = 0; round < 2; round++) {
    expect(cache.read(placeOf(3, 1))[0]).toBe(placeOf(3, 1) % 251)
    cache.read(placeOf(3, 1))
    cache.release()
  }
  expect(loaded).toHaveLength(2)
})

test('a chunk that cannot be read leaves its place free', () => {
  const memory = createChunkMemory(8 * slotBytes)
  const failing = openChunkCache(memory, () => {
    throw new Error('The file is damaged.')
  })
  for (let n = 0; n < 20; n++) expect(() => failing.read(placeOf(1, 0))).toThrow('damaged')
  const { load } = loader()
  expect(openChunkCache(memory, load).read(placeOf(1, 0))[0]).toBe(placeOf(1, 0) % 251)
})
