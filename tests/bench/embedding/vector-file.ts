import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'

const modelDimensions = 384
const bytes = modelDimensions * 4
const spare = 500
/** How far the added numbers are from a linear function of the model's: they saturate at 1 and -1. */
const saturation = 1.2

/** Vectors of 384 32-bit floats, one after another. */
export function vectorFile(folder: string): string {
  return join(folder, 'vectors.f32')
}

export interface VectorSource {
  dimensions: number
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

/**
 * Reads the vectors. With another number of dimensions than the model's, each vector is put through a layer of random weights
 * with the hyperbolic tangent, which keeps neighbours near and spreads the differences over all numbers.
 */
export function readVectors(folder: string, dimensions = modelDimensions): VectorSource {
  const file = vectorFile(folder)
  const all = Math.floor(statSync(file).size / bytes)
  const numbers = new Float32Array((all * bytes) / 4)
  const descriptor = openSync(file, 'r')
  for (let start = 0; start < all * bytes; start += 2 ** 26)
    readSync(descriptor, new Uint8Array(numbers.buffer), start, Math.min(2 ** 26, all * bytes - start), start)
  closeSync(descriptor)
  const real = all - spare
  const original = (place: number) => numbers.subarray(place * modelDimensions, (place + 1) * modelDimensions)
  const stored = dimensions === modelDimensions ? original : widened(original, dimensions)
  const queries = Array.from({ length: spare }, (_, n) => stored(real + n).slice())
  const nearestDistance = medianDistance(queries.slice(0, 100), Math.min(real, 20_000), stored)
  const share = nearestDistance / Math.sqrt(dimensions)
  const random = createRandom()

  return {
    dimensions,
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
      for (let n = 0; n < vector.length; n++) cosine += (vector[n] ?? 0) * (second[n] ?? 0)
      highest = Math.max(highest, cosine)
    }
    return Math.sqrt(Math.max(0, 2 - 2 * highest))
  })
  return distances.sort((a, b) => a - b)[distances.length >> 1] ?? 0
}

/** Computes each vector once. */
function widened(original: (place: number) => Float32Array, dimensions: number): (place: number) => Float32Array {
  const widen = createLayer(dimensions)
  const known = new Map<number, Float32Array>()
  return (place) => {
    const wide = known.get(place) ?? widen(original(place))
    known.set(place, wide)
    return wide
  }
}

function createLayer(dimensions: number): (vector: Float32Array) => Float32Array {
  const random = createRandom(11)
  const weights = Float32Array.from({ length: dimensions * modelDimensions }, random.normal)
  return (vector) => {
    const wide = new Float32Array(dimensions)
    for (let row = 0; row < dimensions; row++) {
      let sum = 0
      for (let n = 0; n < modelDimensions; n++) sum += (weights[row * modelDimensions + n] ?? 0) * (vector[n] ?? 0)
      wide[row] = Math.tanh(saturation * sum)
    }
    const length = Math.hypot(...wide)
    return wide.map((value) => value / length)
  }
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
