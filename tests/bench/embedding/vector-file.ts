import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'

const dimensions = 384
const bytes = dimensions * 4
const spare = 500

/** Vectors of 384 32-bit floats, one after another. */
export function vectorFile(folder: string): string {
  return join(folder, 'vectors.f32')
}

export interface VectorSource {
  /** Number of vectors of the model, without those held out. */
  real: number
  /** Held out: `at` returns none of them. */
  queries: Float32Array[]
  /** Median distance of a vector to its nearest neighbour. */
  nearestDistance: number
  /**
   * Returns a vector by index. Beyond the real ones they repeat, moved in a random direction by the distance to the nearest
   * neighbour and normalized.
   */
  at(place: number): Float32Array
}

export function readVectors(folder: string): VectorSource {
  const file = vectorFile(folder)
  const all = Math.floor(statSync(file).size / bytes)
  const numbers = new Float32Array((all * bytes) / 4)
  const descriptor = openSync(file, 'r')
  for (let start = 0; start < all * bytes; start += 2 ** 26)
    readSync(descriptor, new Uint8Array(numbers.buffer), start, Math.min(2 ** 26, all * bytes - start), start)
  closeSync(descriptor)
  const real = all - spare
  const stored = (place: number) => numbers.subarray(place * dimensions, (place + 1) * dimensions)
  const queries = Array.from({ length: spare }, (_, n) => stored(real + n).slice())
  const nearestDistance = medianDistance(queries.slice(0, 100), real, stored)
  const share = nearestDistance / Math.sqrt(dimensions)
  const random = createRandom()

  return {
    real,
    queries,
    nearestDistance,
    at(place) {
      const vector = stored(place % real).slice()
      if (place < real) return vector
      const moved = vector.map((value) => value + share * random.normal())
      const length = Math.hypot(...moved)
      return moved.map((value) => value / length)
    },
  }
}

function medianDistance(batch: Float32Array[], count: number, stored: (place: number) => Float32Array): number {
  const distances = batch.map((vector) => {
    let highest = -1
    for (let place = 0; place < count; place++) {
      const second = stored(place)
      let cosine = 0
      for (let n = 0; n < dimensions; n++) cosine += (vector[n] ?? 0) * (second[n] ?? 0)
      highest = Math.max(highest, cosine)
    }
    return Math.sqrt(Math.max(0, 2 - 2 * highest))
  })
  return distances.sort((a, b) => a - b)[distances.length >> 1] ?? 0
}

/** A fixed pseudo-random sequence. */
export function createRandom(seed = 42) {
  let state = seed
  const next = () => {
    state = (state * 16_807) % 2_147_483_647
    return state / 2_147_483_647
  }
  return {
    next,
    /** Normally distributed with mean 0 and variance 1 (Box and Muller, 1958). */
    normal: () => Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next()),
  }
}
