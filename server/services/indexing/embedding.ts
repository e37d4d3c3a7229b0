import { and, asc, eq, inArray, isNull, ne } from 'drizzle-orm'
import type { Database, Transaction } from '../../../db/database'
import { fragments } from '../../../db/schema/addresses'
import { collections } from '../../../db/schema/collections'
import { embeddingText } from '../../engine/chunking/embedding-text'
import type { Embedder } from '../../engine/ports'
import { addCounts } from '../crawling/runs/run-stats'
import { newestFirst } from '../crawling/runs/runs'
import type { Indexes } from '../fragments/fragments'
import { othersWait } from '../jobs/jobs'
import { vectorsOfTexts } from './embedded-texts'
import { wantVectors } from './enqueue-embedding'

type Row = typeof fragments.$inferSelect
type Made = Pick<Row, 'sourceId' | 'createdAt'>

export type EmbeddingState =
  | { kind: 'starting' }
  | { kind: 'ready'; model: string }
  | { kind: 'unavailable'; reason: string }

const atOnce = 64
/** Numbers of a vector in the table of the index; a model that gives others needs a migration first. */
const storedDimensions = 384

/**
 * Gives fragments their vectors, in batches, behind the words. The embedder is loaded in the background of the start;
 * where its runtime cannot load, the product goes on with words alone and says so.
 */
export function createEmbedding({ db, indexes }: { db: Database; indexes: Indexes }) {
  let state: EmbeddingState = { kind: 'starting' }
  let current: Embedder | null = null

  /**
   * From now on texts become vectors; collections that wait for some get their job. Vectors of another model say
   * nothing to this one and are removed first. An embedder that cannot be used is closed.
   */
  async function ready(embedder: Embedder): Promise<void> {
    const { model, dimensions } = embedder
    if (dimensions !== storedDimensions) {
      await embedder.close()
      return unavailable(
        `The model ${model} gives ${dimensions} numbers a vector; this version stores ${storedDimensions}.`,
      )
    }
    try {
      await removeOthers(model)
    } catch (error) {
      await embedder.close()
      throw error
    }
    current = embedder
    state = { kind: 'ready', model: embedder.model }
    const waiting = await db.read
      .selectDistinct({ collectionId: fragments.collectionId, organizationId: fragments.organizationId })
      .from(fragments)
      .innerJoin(collections, eq(collections.id, fragments.collectionId))
      .where(and(isNull(fragments.vectorModel), isNull(collections.deletedAt)))
    if (waiting.length === 0) return
    await db.write(async (tx) => {
      for (const collection of waiting) await wantVectors(tx, collection)
    })
  }

  async function removeOthers(model: string): Promise<void> {
    const stale = await db.read
      .selectDistinct({ collectionId: fragments.collectionId, model: fragments.vectorModel })
      .from(fragments)
      .where(ne(fragments.vectorModel, model))
    for (const { collectionId, model: other } of stale) {
      if (other === null) continue
      while ((await removeSome(collectionId, other)) > 0);
    }
  }

  /** One transaction of a few rows, so that others may write in between. Returns how many it was. */
  function removeSome(collectionId: string, model: string): Promise<number> {
    return db.write(async (tx) => {
      const of = and(eq(fragments.collectionId, collectionId), eq(fragments.vectorModel, model))
      const { key, sourceId, createdAt } = fragments
      const rows = await tx.select({ key, sourceId, createdAt }).from(fragments).where(of).limit(atOnce)
      const keys = rows.map((row) => row.key)
      if (keys.length === 0) return 0
      await indexes.vectors.remove(tx, collectionId, keys)
      await tx.update(fragments).set({ vectorModel: null }).where(inArray(fragments.key, keys))
      await countInRuns(tx, rows, -1)
      return keys.length
    })
  }

  function unavailable(reason: string): void {
    state = { kind: 'unavailable', reason }
  }

  /**
   * Gives the next fragments of the collection that have no vector theirs, and stores them in one transaction. Returns
   * how many; 0 when none is left or no embedder runs. Fragments that went away meanwhile are passed over.
   */
  async function embedNext(collectionId: string, signal: AbortSignal): Promise<number> {
    const embedder = current
    if (!embedder) return 0
    const waiting = and(eq(fragments.collectionId, collectionId), isNull(fragments.vectorModel))
    const rows = await db.read.select().from(fragments).where(waiting).orderBy(asc(fragments.key)).limit(atOnce)
    if (rows.length === 0) return 0
    const vectors = await vectorsOf(rows, embedder, signal)
    const keys = rows.map((row) => row.key)
    await db.write(async (tx) => {
      const there = await tx.select({ key: fragments.key }).from(fragments).where(inArray(fragments.key, keys))
      const present = new Set(there.map((row) => row.key))
      const additions = rows.flatMap(({ key, hash }) => {
        const vector = vectors.get(hash)
        return vector && present.has(key) ? [{ key, vector }] : []
      })
      await indexes.vectors.add(tx, collectionId, additions)
      await tx
        .update(fragments)
        .set({ vectorModel: embedder.model })
        .where(inArray(fragments.key, [...present]))
      await countInRuns(
        tx,
        rows.filter(({ key }) => present.has(key)),
        1,
      )
    })
    return rows.length
  }

  /** By hash: the model is asked for a text once, and not for one that has its vector somewhere already. */
  async function vectorsOf(rows: Row[], embedder: Embedder, signal: AbortSignal): Promise<Map<string, Float32Array>> {
    const { model } = embedder
    const texts = new Map(rows.map((row) => [row.hash, row]))
    const organizationId = rows[0]?.organizationId ?? ''
    const vectors = await vectorsOfTexts(db.read, indexes, { organizationId, model, hashes: [...texts.keys()] })
    const others = [...texts.values()].filter(({ hash }) => !vectors.has(hash))
    const made = await embedder.embedPassages(others.map(embeddingText), signal)
    for (const [index, { hash }] of others.entries()) {
      const vector = made[index]
      if (!vector) throw new Error('The embedder gave fewer vectors than it was given texts.')
      vectors.set(hash, vector)
    }
    return vectors
  }

  /** Says in each run how many of the fragments that it made have their vector, whichever run is under way now. */
  async function countInRuns(tx: Transaction, some: Made[], sign: 1 | -1): Promise<void> {
    for (const sourceId of new Set(some.map((row) => row.sourceId))) {
      const runs = await newestFirst(tx, sourceId)
      const counts = new Map<string, number>()
      for (const { createdAt } of some.filter((row) => row.sourceId === sourceId)) {
        // A source has one run at a time: what was made was made by the last that had begun.
        const run = runs.find(({ startedAt }) => startedAt <= createdAt)
        if (run) counts.set(run.id, (counts.get(run.id) ?? 0) + sign)
      }
      for (const [runId, embedded] of counts) await addCounts(tx, { runId }, { embedded })
    }
  }

  /** Whether another collection waits for its vectors. */
  function isAwaited(): Promise<boolean> {
    return othersWait(db.read, 'embed-fragments')
  }

  return { ready, unavailable, embedNext, isAwaited, state: () => state, embedder: () => current }
}

export type Embedding = ReturnType<typeof createEmbedding>
