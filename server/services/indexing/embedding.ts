import { and, asc, eq, isNotNull, isNull, notInArray, or } from 'drizzle-orm'
import type { Database, Transaction } from '../../../db/database'
import { fragments } from '../../../db/schema/addresses'
import { collections, modelChanges, sources } from '../../../db/schema/collections'
import { type Embedder, type VectorSlot, vectorSetId } from '../../engine/ports/search-index'
import { type TokenCounter, tokensPerWordOf } from '../../engine/search/query/token-counter'
import { RetryLater } from '../../errors'
import type { Indexes } from '../fragments/fragments'
import { hasDueJobs } from '../jobs/jobs'
import { addCounts } from '../runs/run-stats'
import { newestFirst } from '../runs/runs'
import { embeddingBatchSize, embedTexts } from './embed-texts'
import { createEmbeddingModels, type EmbeddingState, type LoadedModel, type LoadOutcome } from './embedding-models'
import type { EmbeddingRate } from './embedding-rate'
import { enqueueEmbedding } from './enqueue-embedding'
import { beginChange } from './model-changes/begin-change'

type Row = typeof fragments.$inferSelect
type CountedRow = Pick<Row, 'sourceId' | 'createdAt'>

interface Deps {
  db: Database
  indexes: Indexes
  rate: Pick<EmbeddingRate, 'add'>
  /** Of the default model. */
  tokenizer: TokenCounter
  /** The name of the model of new collections. */
  defaultModel: string
  /** Whether a model is known to be made for several languages. */
  isMultilingual(name: string): boolean
  load(name: string): Promise<LoadOutcome>
  retryMs: number
  /** Whether other processes, which may have other files of a model, embed the same fragments. */
  isShared: boolean
  stopping: AbortSignal
  log: { warn(details: object, message: string): void; error(details: object, message: string): void }
}

/** What semantic search in a collection needs. */
export interface VectorSearch {
  /** Identity of the model of its vectors; null before the first. */
  vectorModel: string | null
  setId: string
  tokenizer: TokenCounter
  /** Null while the model is unavailable. */
  embedder: Pick<Embedder, 'model' | 'embedQuery'> | null
}

/**
 * Embeds fragments in batches with the models of their collections, after they are in the text index. Models are loaded in
 * the background; without that of a collection, search uses the text index alone.
 */
export function createEmbedding(deps: Deps) {
  const { db, indexes, rate, defaultModel, isShared, retryMs, log } = deps
  const models = createEmbeddingModels({ ...deps, onReady })

  /** Loads the default model. From now on, the others are loaded when they are needed. */
  async function start(): Promise<void> {
    models.start()
    await models.open(defaultModel)
  }

  /** Loads the models of all collections, so that no search has to do without one. Never rejects. */
  async function loadAll(): Promise<void> {
    try {
      for (const name of await namesInUse()) await models.open(name)
    } catch (error) {
      log.error({ err: error }, 'The models of the collections could not be listed.')
    }
  }

  /** Resolves when the model of a collection is loaded, or known to be unavailable. */
  async function load(collectionId: string): Promise<void> {
    await models.open(await modelNameOf(collectionId))
  }

  /** Closes models that no collection has any more. */
  async function closeUnused(): Promise<void> {
    await models.keepOnly(await namesInUse())
  }

  async function namesInUse(): Promise<Set<string>> {
    const [chosen, next] = await Promise.all([
      db.read
        .selectDistinct({ name: collections.embeddingModel })
        .from(collections)
        .where(isNull(collections.deletedAt)),
      db.read.selectDistinct({ name: modelChanges.model }).from(modelChanges),
    ])
    return new Set([defaultModel, ...[...chosen, ...next].flatMap(({ name }) => name ?? [])])
  }

  /**
   * Enqueues a job for each collection of the model that has fragments without a vector. A collection whose vectors are of
   * other files of the model gets new ones, unless another process may have those files.
   */
  async function onReady(name: string, { embedder }: LoadedModel): Promise<void> {
    const isOfModel = eq(collections.embeddingModel, name)
    const rows = await db.read
      .select({
        id: collections.id,
        organizationId: collections.organizationId,
        vectorModel: collections.vectorModel,
      })
      .from(collections)
      .where(
        and(
          isNull(collections.deletedAt),
          name === defaultModel ? or(isOfModel, isNull(collections.embeddingModel)) : isOfModel,
        ),
      )
    const waiting = await db.read
      .selectDistinct({ collectionId: fragments.collectionId })
      .from(fragments)
      .where(isNull(fragments.vectorModel))
    // Collections of a version without models of their own keep the one that they have when the default changes.
    const isUnnamed = and(isNull(collections.embeddingModel), eq(collections.vectorModel, embedder.model))
    if (name === defaultModel)
      await db.write((tx) => tx.update(collections).set({ embeddingModel: name }).where(isUnnamed))
    const hasWaiting = new Set(waiting.map(({ collectionId }) => collectionId))
    for (const { id: collectionId, organizationId, vectorModel } of rows) {
      const isCurrent = vectorModel === null || vectorModel === embedder.model
      if (!isCurrent && isShared)
        log.warn(
          { collectionId, vectorModel, model: embedder.model },
          'This process has other files of the model than those that embedded the collection, which is searched by keywords.',
        )
      if (!isCurrent && !isShared)
        await db.write((tx) => beginChange(tx, { collectionId, organizationId, model: name, createdBy: null }))
      else if (hasWaiting.has(collectionId))
        await db.write((tx) => enqueueEmbedding(tx, { collectionId, organizationId }))
    }
  }

  /**
   * Embeds the next batch of a collection's fragments without a vector and stores the vectors in one transaction. Skips
   * fragments that are deleted meanwhile, and those of sources whose indexing is paused. Returns the size of the batch; 0 at
   * the end or without the model.
   */
  async function embedNext(collectionId: string, signal: AbortSignal): Promise<number> {
    const [collection] = await db.read.select().from(collections).where(eq(collections.id, collectionId))
    if (!collection || collection.deletedAt) return 0
    const name = collection.embeddingModel ?? defaultModel
    const model = await models.open(name)
    // Another process may have the model.
    if (!model && isShared && models.state(name).kind === 'unavailable') throw new RetryLater(retryMs)
    if (!model) return 0
    const { embedder, tokenizer } = model
    // A change of the model embeds its fragments.
    if (collection.vectorModel !== null && collection.vectorModel !== embedder.model) return 0
    const rows = await withoutVector(collectionId)
    if (rows.length === 0) return 0
    const vectors = await vectorsOf(rows, collection.vectorSlot, embedder, signal)
    const measured = rows.map(({ key, text }) => ({ key, tokensPerWord: tokensPerWordOf(text, tokenizer) }))
    await db.write(async (tx) => {
      if (!(await isModelOf(tx, collection, { name, identity: embedder.model }))) return
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
      const additions = rows.flatMap(({ key }) => {
        const vector = vectors.get(key)
        return vector && present.has(key) ? [{ key, vector }] : []
      })
      await indexes.vectors.add(tx, vectorSetId(collectionId, collection.vectorSlot), additions)
      await countInRuns(
        tx,
        rows.filter(({ key }) => present.has(key)),
      )
    })
    rate.add(collectionId, rows.length)
    return rows.length
  }

  async function withoutVector(collectionId: string): Promise<Row[]> {
    const paused = await db.read
      .select({ id: sources.id })
      .from(sources)
      .where(and(eq(sources.collectionId, collectionId), isNotNull(sources.indexingPausedAt)))
    const pausedIds = paused.map(({ id }) => id)
    const waiting = and(
      eq(fragments.collectionId, collectionId),
      isNull(fragments.vectorModel),
      pausedIds.length > 0 ? notInArray(fragments.sourceId, pausedIds) : undefined,
    )
    return db.read.select().from(fragments).where(waiting).orderBy(asc(fragments.key)).limit(embeddingBatchSize)
  }

  /** Vectors by key. A change of the model may have stored some of them already. */
  async function vectorsOf(
    rows: Row[],
    slot: VectorSlot,
    embedder: Embedder,
    signal: AbortSignal,
  ): Promise<Map<number, Float32Array>> {
    const keys = rows.map(({ key }) => key)
    const known = new Map((await indexes.vectors.read(slot, keys)).map(({ key, vector }) => [key, vector]))
    const missing = rows.filter(({ key }) => !known.has(key))
    const embedded = await embedTexts({ queries: db.read, indexes }, missing, embedder, signal)
    return new Map(
      rows.flatMap(({ key, hash }) => {
        const vector = known.get(key) ?? embedded.get(hash)
        return vector ? [[key, vector]] : []
      }),
    )
  }

  /** Whether vectors of the model may be added to the set; false after a change. Assigns the first model of a collection. */
  async function isModelOf(
    tx: Transaction,
    { id, vectorSlot }: { id: string; vectorSlot: VectorSlot },
    { name, identity }: { name: string; identity: string },
  ): Promise<boolean> {
    const [now] = await tx.select().from(collections).where(eq(collections.id, id))
    if (!now || now.vectorSlot !== vectorSlot || (now.embeddingModel ?? defaultModel) !== name) return false
    if (now.vectorModel === null)
      await tx.update(collections).set({ embeddingModel: name, vectorModel: identity }).where(eq(collections.id, id))
    return now.vectorModel === null || now.vectorModel === identity
  }

  /** Adds to the embedded fragments of the runs that created the rows, which may be earlier than the current run. */
  async function countInRuns(tx: Transaction, rows: CountedRow[]): Promise<void> {
    for (const sourceId of new Set(rows.map((row) => row.sourceId))) {
      const runs = await newestFirst(tx, sourceId)
      const counts = new Map<string, number>()
      for (const { createdAt } of rows.filter((row) => row.sourceId === sourceId)) {
        // A source has one run at a time, so the last one that had started created the row.
        const run = runs.find(({ startedAt }) => startedAt <= createdAt)
        if (run) counts.set(run.id, (counts.get(run.id) ?? 0) + 1)
      }
      for (const [runId, embedded] of counts) await addCounts(tx, { runId }, { embedded })
    }
  }

  /** Whether the job of another collection is due. */
  function hasQueuedCollections(): Promise<boolean> {
    return hasDueJobs(db.read, 'embed-fragments')
  }

  /** How a collection is searched. A service embeds with the key of the collection's organization. */
  async function vectorSearchOf(collectionId: string): Promise<VectorSearch> {
    const [row] = await db.read
      .select({
        organizationId: collections.organizationId,
        name: collections.embeddingModel,
        vectorModel: collections.vectorModel,
        slot: collections.vectorSlot,
      })
      .from(collections)
      .where(eq(collections.id, collectionId))
    const { organizationId = '', vectorModel = null, slot = 0 } = row ?? {}
    const model = models.find(row?.name ?? defaultModel)
    const shared = {
      vectorModel,
      setId: vectorSetId(collectionId, slot),
      tokenizer: model?.tokenizer ?? deps.tokenizer,
    }
    const embedder = model?.embedder
    // Vectors of different models are never compared.
    if (!embedder || (vectorModel !== null && vectorModel !== embedder.model)) return { ...shared, embedder: null }
    return {
      ...shared,
      embedder: { model: embedder.model, embedQuery: (text) => embedder.embedQuery(text, organizationId) },
    }
  }

  async function modelNameOf(collectionId: string): Promise<string> {
    const [row] = await db.read
      .select({ name: collections.embeddingModel })
      .from(collections)
      .where(eq(collections.id, collectionId))
    return row?.name ?? defaultModel
  }

  /** State of the model of a collection. */
  async function stateOf(collectionId: string): Promise<EmbeddingState> {
    return models.state(await modelNameOf(collectionId))
  }

  async function isMultilingual(collectionId: string): Promise<boolean> {
    return deps.isMultilingual(await modelNameOf(collectionId))
  }

  return {
    start,
    loadAll,
    load,
    models,
    closeUnused,
    embedNext,
    hasQueuedCollections,
    vectorSearchOf,
    stateOf,
    isMultilingual,
    defaultModel,
    /** Begins to use an embedder as the default model. */
    ready: (embedder: Embedder) => models.ready(defaultModel, { embedder, tokenizer: deps.tokenizer }),
    /** Of the model of that name; by default, of new collections. */
    state: (name: string | null = null): EmbeddingState => models.state(name ?? defaultModel),
    embedder: () => models.find(defaultModel)?.embedder ?? null,
    close: () => models.close(),
  }
}

export type Embedding = ReturnType<typeof createEmbedding>
