import { chunkBytes } from './segment-chunks'

/** Reads a chunk from the database. */
export type LoadChunk = (place: number) => Uint8Array

/** Chunks of segments in memory that all search threads share. */
export interface ChunkCache {
  /** A chunk, which stays as it is until `release`. */
  read(place: number): Uint8Array
  /** Ends the use of all chunks that were read. */
  release(): void
}

/** Slots in which a chunk may be; the one that was read least recently is reused. */
const waysPerSet = 8
/** Integers per slot: readers, or -1 while it is filled, and when it was last read. */
const slotInts = 2
const [readers, readAt] = [0, 1]
/** A counter of reads, and padding. */
const clockBytes = 8
/** A chunk, its place, and the integers of its slot. */
const slotBytes = chunkBytes + 8 + 4 * slotInts
const multiplier = 0x9e3779b1

/** Memory for a cache of at most this size. The system provides it as it is filled. */
export function createChunkMemory(maxBytes: number): SharedArrayBuffer {
  const sets = Math.floor(maxBytes / (waysPerSet * slotBytes))
  return new SharedArrayBuffer(clockBytes + sets * waysPerSet * slotBytes)
}

/**
 * Opens the cache in a thread. Chunks never change, and their places are never used again, so nothing is ever removed but
 * for room. A chunk for which there is no room is read for this thread alone.
 */
export function openChunkCache(memory: SharedArrayBuffer, load: LoadChunk): ChunkCache {
  const slots = (memory.byteLength - clockBytes) / slotBytes
  const sets = slots / waysPerSet
  const clock = new Int32Array(memory, 0, 1)
  const places = new Float64Array(memory, clockBytes, slots)
  const states = new Int32Array(memory, clockBytes + 8 * slots, slots * slotInts)
  const start = memory.byteLength - slots * chunkBytes
  /** Chunks in use by this thread, with their slots; -1 for those of its own. */
  const used = new Map<number, { bytes: Uint8Array; slot: number }>()

  return {
    read(place) {
      const known = used.get(place)
      if (known) return known.bytes
      const slot = sets === 0 ? -1 : find(place)
      const bytes = slot < 0 ? load(place) : viewOf(slot)
      used.set(place, { bytes, slot })
      return bytes
    },

    release() {
      for (const { slot } of used.values()) if (slot >= 0) Atomics.sub(states, slot * slotInts + readers, 1)
      used.clear()
    },
  }

  function viewOf(slot: number): Uint8Array {
    return new Uint8Array(memory, start + slot * chunkBytes, chunkBytes)
  }

  function find(place: number): number {
    const first = (Math.imul(place % 2 ** 32, multiplier) >>> 0) % sets
    for (let slot = first * waysPerSet; slot < (first + 1) * waysPerSet; slot++) {
      if (places[slot] !== place || !pin(slot)) continue
      // Another thread may have filled it with another chunk before it was pinned.
      if (places[slot] === place) return touch(slot)
      Atomics.sub(states, slot * slotInts + readers, 1)
    }
    return fill(first, place)
  }

  function pin(slot: number): boolean {
    const index = slot * slotInts + readers
    for (;;) {
      const count = Atomics.load(states, index)
      if (count < 0) return false
      if (Atomics.compareExchange(states, index, count, count + 1) === count) return true
    }
  }

  function touch(slot: number): number {
    states[slot * slotInts + readAt] = Atomics.add(clock, 0, 1)
    return slot
  }

  /** Fills the slot that was read least recently, with this thread as its first reader. -1 if all are in use. */
  function fill(set: number, place: number): number {
    const now = Atomics.load(clock, 0)
    const age = (slot: number) => (now - (states[slot * slotInts + readAt] ?? 0)) >>> 0
    const order = Array.from({ length: waysPerSet }, (_, n) => set * waysPerSet + n)
      .filter((slot) => Atomics.load(states, slot * slotInts + readers) === 0)
      .sort((slot, other) => Number(places[slot] !== 0) - Number(places[other] !== 0) || age(other) - age(slot))
    for (const slot of order) {
      const index = slot * slotInts + readers
      if (Atomics.compareExchange(states, index, 0, -1) !== 0) continue
      places[slot] = 0
      try {
        viewOf(slot).set(load(place))
        places[slot] = place
        touch(slot)
      } catch (error) {
        Atomics.store(states, index, 0)
        throw error
      }
      Atomics.store(states, index, 1)
      return slot
    }
    return -1
  }
}
