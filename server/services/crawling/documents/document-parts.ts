import { eq, max } from 'drizzle-orm'
import type { Database, Transaction } from '../../../../db/database'
import { addresses, fragments } from '../../../../db/schema/addresses'
import type { Fragment } from '../../../engine/ports'
import { fragmentsAtOnce, sweepFragments } from '../../fragments/delete-fragments'
import { type Move, moveFragment } from '../../fragments/fragment-diff'
import { type Indexes, mergeFragments } from '../../fragments/fragments'
import { wantVectors } from '../../indexing/enqueue-embedding'
import { stillClaimed } from '../pages/claim'
import type { AddressRow, RunContext } from '../runs/run-context'
import { addCounts } from '../runs/run-stats'

/** A document that is stored in pieces, each in a short transaction of its own. */
export interface DocumentParts {
  /** The next fragments. False when the address is no longer ours. */
  add(some: Fragment[]): Promise<boolean>
  /**
   * Only now what was there before changes: what stays is put where it belongs, what is gone is taken away. Returns how
   * many fragments the document has.
   */
  end(): Promise<number>
  /** Takes everything away. */
  clear(): Promise<void>
}

/** Begins to store a document in pieces, or goes on with what was cut off. */
export async function stageDocument(
  { db, indexes }: { db: Database; indexes: Indexes },
  work: RunContext,
  address: AddressRow,
): Promise<DocumentParts> {
  if (address.committedThroughKey === null) await markWhole(db, address)
  /** By ordinal: what is kept of a document of any length. */
  const keys: number[] = []
  /** By key: those that were there before, and stand elsewhere at the end. */
  const moves = new Map<number, Move>()

  async function addPiece(tx: Transaction, piece: Fragment[]) {
    if (!(await stillClaimed(tx, address))) return null
    const isTaken = ({ key, ordinal }: { key: number; ordinal: number }) => keys[ordinal] === key || moves.has(key)
    const merged = await mergeFragments(tx, indexes, address, piece, isTaken)
    if (merged.added > 0) {
      await addCounts(tx, work, { fragments: merged.added })
      await wantVectors(tx, address)
    }
    return merged
  }

  async function put(some: Move[]): Promise<void> {
    await db.write(async (tx) => {
      for (const move of some) await moveFragment(tx, move)
    })
  }

  return {
    async add(some) {
      for (let start = 0; start < some.length; start += fragmentsAtOnce) {
        const piece = some.slice(start, start + fragmentsAtOnce)
        const stored = await db.write((tx) => addPiece(tx, piece))
        if (stored === null) return false
        for (const [index, { ordinal }] of piece.entries()) keys[ordinal] = stored.keys[index] ?? 0
        for (const move of stored.moves) moves.set(move.key, move)
      }
      return true
    },
    async end() {
      let waiting: Move[] = []
      for (const move of moves.values()) {
        waiting.push(move)
        if (waiting.length < fragmentsAtOnce) continue
        await put(waiting)
        waiting = []
      }
      await put(waiting)
      await sweepFragments(db, indexes, address, ({ key, ordinal }) => keys[ordinal] !== key)
      return keys.length
    },
    async clear() {
      await sweepFragments(db, indexes, address, () => true)
    },
  }
}

/** What is there now is whole; what comes behind it is not until the document is stored to its end. */
async function markWhole(db: Database, { id }: AddressRow): Promise<void> {
  const [last] = await db.read.select({ key: max(fragments.key) }).from(fragments)
  await db.write((tx) =>
    tx
      .update(addresses)
      .set({ committedThroughKey: last?.key ?? 0 })
      .where(eq(addresses.id, id)),
  )
}

/** Takes away what was added of a document that is not to be read on; what it had before stays. */
export async function discardStaged(
  { db, indexes }: { db: Database; indexes: Indexes },
  address: AddressRow,
): Promise<void> {
  const here = eq(addresses.id, address.id)
  const [row] = await db.read.select({ committedThroughKey: addresses.committedThroughKey }).from(addresses).where(here)
  const committedThroughKey = row?.committedThroughKey ?? null
  if (committedThroughKey !== null) await sweepFragments(db, indexes, address, ({ key }) => key > committedThroughKey)
  const nothing = { readDone: null, readTotal: null, committedThroughKey: null }
  await db.write((tx) => tx.update(addresses).set(nothing).where(here))
}
