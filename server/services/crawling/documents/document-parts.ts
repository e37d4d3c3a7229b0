import { eq, max } from 'drizzle-orm'
import type { Database, Transaction } from '../../../../db/database'
import { addresses, fragments } from '../../../../db/schema/addresses'
import type { Fragment } from '../../../engine/ports/extractor'
import { deleteFragments, fragmentBatchSize } from '../../fragments/delete-fragments'
import { type Move, moveFragment } from '../../fragments/fragment-diff'
import { type Indexes, mergeFragments } from '../../fragments/fragments'
import { enqueueEmbedding } from '../../indexing/enqueue-embedding'
import type { AddressRow, RunContext } from '../../runs/run-context'
import { addCounts } from '../../runs/run-stats'
import { findClaimed, type Visit } from '../frontier/frontier'

/** A document that is stored in parts, each in a short transaction. */
export interface StagedDocument {
  /** Adds the next fragments. False when the run lost its claim of the address. */
  add(fragments: Fragment[]): Promise<boolean>
  /**
   * Moves the fragments of the earlier version that the document still has, and deletes the others; until then they are
   * unchanged. Returns the number of fragments.
   */
  commit(): Promise<number>
  /** Deletes all fragments. */
  clear(): Promise<void>
}

/** Starts to store a document in parts, or continues after an interruption. */
export async function stageDocument(indexes: Indexes, run: RunContext, visit: Visit): Promise<StagedDocument> {
  const { db } = run
  const { address } = visit
  if (address.committedThroughKey === null) await markCommitted(db, address)
  const keyByOrdinal: number[] = []
  /** Fragments of the earlier version that change their position, by key. */
  const moves = new Map<number, Move>()

  async function addPart(tx: Transaction, part: Fragment[]) {
    if (!(await findClaimed(tx, run, visit))) return null
    const isTaken = ({ key, ordinal }: { key: number; ordinal: number }) =>
      keyByOrdinal[ordinal] === key || moves.has(key)
    const merged = await mergeFragments(tx, indexes, address, part, isTaken)
    if (merged.added > 0) {
      await addCounts(tx, run, { fragments: merged.added })
      await enqueueEmbedding(tx, address)
    }
    return merged
  }

  async function applyMoves(batch: Move[]): Promise<void> {
    await db.write(async (tx) => {
      for (const move of batch) await moveFragment(tx, move)
    })
  }

  return {
    async add(added) {
      for (let start = 0; start < added.length; start += fragmentBatchSize) {
        const part = added.slice(start, start + fragmentBatchSize)
        const merged = await db.write((tx) => addPart(tx, part))
        if (merged === null) return false
        for (const [index, { ordinal }] of part.entries()) keyByOrdinal[ordinal] = merged.keys[index] ?? 0
        for (const move of merged.moves) moves.set(move.key, move)
      }
      return true
    },
    async commit() {
      let batch: Move[] = []
      for (const move of moves.values()) {
        batch.push(move)
        if (batch.length < fragmentBatchSize) continue
        await applyMoves(batch)
        batch = []
      }
      await applyMoves(batch)
      await deleteFragments(db, indexes, address, ({ key, ordinal }) => keyByOrdinal[ordinal] !== key)
      return keyByOrdinal.length
    },
    async clear() {
      await deleteFragments(db, indexes, address, () => true)
    },
  }
}

/** Fragments with larger keys are hidden until the document is stored. */
async function markCommitted(db: Database, { id }: AddressRow): Promise<void> {
  const [last] = await db.read.select({ key: max(fragments.key) }).from(fragments)
  await db.write((tx) =>
    tx
      .update(addresses)
      .set({ committedThroughKey: last?.key ?? 0 })
      .where(eq(addresses.id, id)),
  )
}

/** Deletes the parts of a document that is not stored to its end; the earlier version stays. */
export async function rollbackDocument(
  { db, indexes }: { db: Database; indexes: Indexes },
  address: AddressRow,
): Promise<void> {
  const condition = eq(addresses.id, address.id)
  const [row] = await db.read
    .select({ committedThroughKey: addresses.committedThroughKey })
    .from(addresses)
    .where(condition)
  const lastKey = row?.committedThroughKey ?? null
  if (lastKey !== null) await deleteFragments(db, indexes, address, ({ key }) => key > lastKey)
  await db.write((tx) => tx.update(addresses).set({ committedThroughKey: null }).where(condition))
}
