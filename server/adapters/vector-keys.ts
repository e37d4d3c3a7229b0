import { partsOfSetId, type VectorSlot } from '../engine/ports/search-index'

/** The sign of the keys under which the vectors of a slot are stored: a fragment may have a vector in both. */
export function signOf(slot: VectorSlot): 1 | -1 {
  return slot === 0 ? 1 : -1
}

/** The keys under which the vectors of these fragments are stored. */
export function storedKeys(setId: string, keys: number[]): number[] {
  const sign = signOf(partsOfSetId(setId).slot)
  return keys.map((key) => sign * key)
}
