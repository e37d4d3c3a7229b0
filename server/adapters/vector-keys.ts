import { partsOfSetId, type VectorSlot } from '../engine/ports/search-index'

/** The keys under which the vectors of fragments are stored in a slot: a fragment may have a vector in both. */
export function keysInSlot(slot: VectorSlot, keys: number[]): number[] {
  return slot === 0 ? keys : keys.map((key) => -key)
}

/** The same for a set. */
export function keysInSet(setId: string, keys: number[]): number[] {
  return keysInSlot(partsOfSetId(setId).slot, keys)
}
