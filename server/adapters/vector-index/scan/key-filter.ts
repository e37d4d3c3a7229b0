/** Whether a key belongs to a set. */
export type KeyFilter = (key: number) => boolean

const maxBitmapBytes = 64 * 2 ** 20

/** A bitmap from the lowest key to the highest, because keys of one collection are dense; a set if it would be too large. */
export function createKeyFilter(keys: Float64Array): KeyFilter {
  let lowest = Number.POSITIVE_INFINITY
  let highest = 0
  for (const key of keys) {
    if (key < lowest) lowest = key
    if (key > highest) highest = key
  }
  if ((highest - lowest) / 8 > maxBitmapBytes) {
    const set = new Set(keys)
    return (key) => set.has(key)
  }
  const bits = new Uint8Array(keys.length === 0 ? 0 : Math.floor((highest - lowest) / 8) + 1)
  for (const key of keys) {
    const position = key - lowest
    bits[position >> 3] = (bits[position >> 3] ?? 0) | (1 << (position & 7))
  }
  return (key) => {
    const position = key - lowest
    return position >= 0 && key <= highest && ((bits[position >> 3] ?? 0) & (1 << (position & 7))) !== 0
  }
}
