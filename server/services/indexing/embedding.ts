import { and, asc, eq, inArray, isNotNull, isNull, ne, notInArray } from 'drizzle-orm'
import type { Database, Transaction } from '../../../db/database'
import { fragments } from '../../../db/schema/addresses'
import { collections, sources } from '../../../db/schema/collections'
import { embeddingText } from '../../engine/chunking/embedding-text'
import type { Embedder } from '../../engine/ports/search-index'
import { type TokenCounter, tokensPerWordOf } from '../../engine/search/query/token-counter'
import type { Indexes } from '../fragments/fragments'
import { hasDueJobs } from '../jobs/jobs'
import { addCounts } from '../runs/run-stats'
import { newestFirst } from '../runs/runs'
import { vectorsOfTexts } from './embedded-texts'
import type { EmbeddingRate } from './embedding-rate'
import { enqueueEmbedding } from './enqueue-embedding'
import { agreeOnModel } from './installation-model'

type Row = typeof fragments.$inferSelect
type CountedRow = Pick<Row, 'sourceId' | 'createdAt'>

export type EmbeddingState =
  | { kind: 'starting' }
  | { kind: 'ready'; model: string }
  | { kind: 'unavailable'; reason: string }

const batchSize = 64
/** Of vectors that an index on one machine stores. */
const minDimensions = 64
const maxDimensions = 4_096

interface Deps {
  db: Database
  indexes: Indexes
  rate: Pick<EmbeddingRate, 'add'>
  tokenizer: TokenCounter
  /** Whether other processes, which may have another model, embed the same fragments. */
  isShared: boolean
  /** Numbers in each vector of the index; null if it stores any. */
  indexedDimensions: number | null
}

/**
 * Embeds fragments in batches, after they are in the text index. The embedder is loaded in the background; if its runtime
 * cannot be loaded, search uses the text index alone.
 */
export function createEmbedding({ db, indexes, rate, tokenizer, isShared, indexedDimensions }: Deps) {
  let state: EmbeddingState = { kind: 'starting' }
  let current: Embedder | null = null

  /**
   * Starts to use the embedder: removes the vectors of other models, then enqueues a job for each collection that has
   * fragments without a vector. Closes an embedder that cannot be used, as one whose model is not that of the installation:
   * processes with two models would remove each other's vectors.
   */
  async function ready(embedder: Embedder): Promise<void> {
    const { model, dimensions } = embedder
    const unfit = reasonAgainst(dimensions)
    if (unfit) {
      await embedder.close()
      return unavailable(`The vectors of the model ${model} have ${dimensions} dimensions; ${unfit}.`)
    }
    const agreed = isShared ? await agreeOnModel(db, model) : model
    if (agreed !== model) {
      await embedder.close()
      return unavailable(
        `This installation uses the model ${agreed}, and this process has ${model}. Run sitelore search-index rebuild to change it.`,
      )
    }
    try {
      await removeOtherModels(model)
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
      for (const collection of waiting) await enqueueEmbedding(tx, collection)
    })
  }

  function reasonAgainst(dimensions: number): string | null {
    if (indexedDimensions !== null)
      return dimensions === indexedDimensions ? null : `the index stores ${indexedDimensions}`
    const isIn = dimensions >= minDimensions && dimensions <= maxDimensions
    return isIn ? null : `the index stores ${minDimensions} to ${maxDimensions.toLocaleString('en')}`
  }

  async function removeOtherModels(model: string): Promise<void> {
    const stale = await db.read
      .selectDistinct({ collectionId: fragments.collectionId, model: fragments.vectorModel })
      .from(fragments)
      .where(ne(fragments.vectorModel, model))
    for (const { collectionId, model: second } of stale) {
      if (second === null) continue
      while ((await removeBatch(collectionId, second)) > 0);
    }
  }

  /** Removes one batch of vectors in a transaction, so that other writers get a turn. Returns their number. */
  function removeBatch(collectionId: string, model: string): Promise<number> {
    return db.write(async (tx) => {
      const isOfModel = and(eq(fragments.collectionId, collectionId), eq(fragments.vectorModel, model))
      const { key, sourceId, createdAt } = fragments
      const rows = await tx.select({ key, sourceId, createdAt }).from(fragments).where(isOfModel).limit(batchSize)
      const keys = rows.map((row) => row.key)
      if (keys.length === 0) return 0
      await indexes.vectors.remove(tx, collectionId, keys)
      await tx.update(fragments).set({ vectorModel: null, tokensPerWord: null }).where(inArray(fragments.key, keys))
      await countInRuns(tx, rows, -1)
      return keys.length
    })
  }

  function unavailable(reason: string): void {
    state = { kind: 'unavailable', reason }
  }

  /**
   * Embeds the next batch of a collection's fragments without a vector and stores the vectors in one transaction. Skips
   * fragments that are deleted meanwhile, and those of sources whose indexing is paused. Returns the size of the batch; 0 at
   * the end or without an embedder.
   */
  async function embedNext(collectionId: string, signal: AbortSignal): Promise<number> {
    const embedder = current
    if (!embedder) return 0
    const paused = await db.read
      .select({ id: sources.id })
      .from(sources)
      .where(and(eq(sources.collectionId, collectionId), isNotNull(sources.indexingPausedAt)))
    const waiting = and(
      eq(fragments.collectionId, collectionId),
      isNull(fragments.vectorModel),
      paused.length > 0
        ? notInArray(
            fragments.sourceId,
            paused.map(({ id }) => id),
          )
        : undefined,
    )
    const rows = await db.read.select().from(fragments).where(waiting).orderBy(asc(fragments.key)).limit(batchSize)
    if (rows.length === 0) return 0
    const vectors = await vectorsOf(rows, embedder, signal)
    const measured = rows.map(({ key, text }) => ({ key, tokensPerWord: tokensPerWordOf(text, tokenizer) }))
    await db.write(async (tx) => {
      // Rows that are deleted meanwhile are skipped; the others cannot be until the end of the transaction.
      const present = new Set<number>()
      for (const { key, tokensPerWord } of measured) {
        const change = { vectorModel: embedder.model, tokensPerWord }
        const changed = await tx
          .update(fragments)
          .set(change)
          .where(eq(fragments.key, key))
          .returning({ key: fragments.key })
        if (changed.length > 0) present.add(key)
      }
      const additions = rows.flatMap(({ key, hash }) => {
        const vector = vectors.get(hash)
        return vector && present.has(key) ? [{ key, vector }] : []
      })
      await indexes.vectors.add(tx, collectionId, additions)
      await countInRuns(
        tx,
        rows.filter(({ key }) => present.has(key)),
        1,
      )
    })
    rate.add(collectionId, rows.length)
    return rows.length
  }

  /** Vectors by hash. Embeds each distinct text once, and reuses the stored vectors of equal texts. */
  async function vectorsOf(rows: Row[], embedder: Embedder, signal: AbortSignal): Promise<Map<string, Float32Array>> {
    const { model } = embedder
    const texts = new Map(rows.map((row) => [row.hash, row]))
    const organizationId = rows[0]?.organizationId ?? ''
    const vectors = await vectorsOfTexts(db.read, indexes, { organizationId, model, hashes: [...texts.keys()] })
    const missing = [...texts.values()].filter(({ hash }) => !vectors.has(hash))
    const embedded = await embedder.embedPassages(missing.map(embeddingText), { signal, organizationId })
    for (const [index, { hash }] of missing.entries()) {
      const vector = embedded[index]
      if (!vector) throw new Error('The embedder returned fewer vectors than texts.')
      vectors.set(hash, vector)
    }
    return vectors
  }

  /** Adds to the embedded fragments of the runs that created the rows, which may be earlier than the current run. */
  async function countInRuns(tx: Transaction, rows: CountedRow[], sign: 1 | -1): Promise<void> {
    for (const sourceId of new Set(rows.map((row) => row.sourceId))) {
      const runs = await newestFirst(tx, sourceId)
      const counts = new Map<string, number>()
      for (const { createdAt } of rows.filter((row) => row.sourceId === sourceId)) {
        // A source has one run at a time, so the last one that had started created the row.
        const run = runs.find(({ startedAt }) => startedAt <= createdAt)
        if (run) counts.set(run.id, (counts.get(run.id) ?? 0) + sign)
      }
      for (const [runId, embedded] of counts) await addCounts(tx, { runId }, { embedded })
    }
  }

  /** Embeds the queries of an organization; null without an embedder. */
  function queryEmbedder(organizationId: string): Pick<Embedder, 'model' | 'embedQuery'> | null {
    const embedder = current
    return embedder && { model: embedder.model, embedQuery: (text) => embedder.embedQuery(text, organizationId) }
  }

  /** Whether the job of another collection is due. */
  function hasQueuedCollections(): Promise<boolean> {
    return hasDueJobs(db.read, 'embed-fragments')
  }

  return {
    ready,
    unavailable,
    embedNext,
    hasQueuedCollections,
    queryEmbedder,
    state: () => state,
    embedder: () => current,
  }
}

export type Embedding = ReturnType<typeof createEmbedding>
