import { and, eq, inArray } from 'drizzle-orm'
import type { Database } from '../../../../db/database'
import { fragments } from '../../../../db/schema/addresses'
import { collections, modelChanges } from '../../../../db/schema/collections'
import { type SearchFeed, type VectorSlot, vectorSetId } from '../../../engine/ports/search-index'
import { tokensPerWordOf } from '../../../engine/search/query/token-counter'
import { RetryLater } from '../../../errors'
import type { Indexes } from '../../fragments/fragments'
import { countPendingJobs, hasDueJobs } from '../../jobs/jobs'
import { embeddingBatchSize, embedTexts } from '../embed-texts'
import type { Embedding } from '../embedding'
import type { LoadedModel } from '../embedding-models'
import { enqueueEmbedding } from '../enqueue-embedding'
import { fragmentsAfter, keysDownFrom, vectorModelsOf } from './fragments-by-key'

type Change = typeof modelChanges.$inferSelect
type CollectionRow = typeof collections.$inferSelect

interface Deps {
  db: Database
  indexes: Pick<Indexes, 'vectors'>
  embedding: Pick<Embedding, 'models' | 'closeUnused'>
  /** Null where the index is part of the database. */
  feed: Pick<SearchFeed, 'pending' | 'refresh'> | null
  log: { info(details: object, message: string): void }
}

const removedAtOnce = 500
/** Delay before a model that is unavailable is tried again. */
const retryMs = 30_000
/** Delay before deliveries to the search index are looked at again. */
const deliveryPollMs = 500
/** Searches that began before the swap have ended after this time. */
const searchMs = 5_000

/**
 * Builds the second set of vectors of a collection whose model changes, swaps the sets in one transaction, and removes the
 * former one. Each batch stores its vectors and its place in one transaction, so that an interrupted change continues there.
 */
export function createVectorBuilding({ db, indexes, embedding, feed, log }: Deps) {
  /** When the walk over the fragments of a collection reached their end, in this process. */
  const endReachedAt = new Map<string, number>()

  /** Does the next step of a change. Returns whether there is another; false while it is paused. Throws RetryLater. */
  async function next(collectionId: string, signal: AbortSignal): Promise<boolean> {
    const [row] = await db.read
      .select()
      .from(modelChanges)
      .innerJoin(collections, eq(collections.id, modelChanges.collectionId))
      .where(eq(modelChanges.collectionId, collectionId))
    if (!row || row.collections.deletedAt) return false
    const { model_changes: change, collections: collection } = row
    switch (change.phase) {
      case 'building':
        return build(change, collection, signal)
      case 'paused':
        return false
      case 'swapped':
        return removeFormer(change, collection)
      case 'cancelled':
        return removeBuilt(change, collection)
    }
  }

  async function build(change: Change, collection: CollectionRow, signal: AbortSignal): Promise<boolean> {
    const { collectionId } = change
    const model = await embedding.models.open(change.model)
    signal.throwIfAborted()
    if (!model) {
      const state = embedding.models.state(change.model)
      const message = state.kind === 'unavailable' ? state.reason : null
      await db.write((tx) =>
        tx.update(modelChanges).set({ message }).where(eq(modelChanges.collectionId, collectionId)),
      )
      throw new RetryLater(retryMs)
    }
    const { embedder } = model
    if (embedder.model === collection.vectorModel) return rename(change)
    // The vectors so far are of other files of the model: all are embedded again.
    const throughKey = change.identity === null || change.identity === embedder.model ? change.throughKey : 0
    const rows = await fragmentsAfter(db.read, collectionId, throughKey, embeddingBatchSize)
    const last = rows.at(-1)
    if (!last) return swap({ ...change, throughKey }, collection, embedder.model)
    endReachedAt.delete(collectionId)
    const startedAt = performance.now()
    const vectors = await embedTexts({ queries: db.read, indexes }, rows, embedder, signal)
    await db.write(async (tx) => {
      const [now] = await tx.select().from(modelChanges).where(eq(modelChanges.collectionId, collectionId))
      const isSame = now?.phase === 'building' && now.throughKey === change.throughKey && now.model === change.model
      if (!isSame) return
      const keys = rows.map(({ key }) => key)
      const present = await tx.select({ key: fragments.key }).from(fragments).where(inArray(fragments.key, keys))
      const isPresent = new Set(present.map(({ key }) => key))
      const additions = rows.flatMap(({ key, hash }) => {
        const vector = vectors.get(hash)
        return vector && isPresent.has(key) ? [{ key, vector }] : []
      })
      await indexes.vectors.add(tx, secondSet(collection), additions)
      const isRestart = throughKey !== change.throughKey
      await tx
        .update(modelChanges)
        .set({
          identity: embedder.model,
          throughKey: last.key,
          embedded: (isRestart ? 0 : now.embedded) + rows.length,
          activeMs: (isRestart ? 0 : now.activeMs) + Math.round(performance.now() - startedAt),
          message: null,
        })
        .where(eq(modelChanges.collectionId, collectionId))
    })
    return true
  }

  /** Ends a change to another name of the same model. */
  async function rename({ collectionId, organizationId, model }: Change): Promise<boolean> {
    await db.write(async (tx) => {
      await tx.update(collections).set({ embeddingModel: model }).where(eq(collections.id, collectionId))
      // Vectors of an earlier version of the files may have been built.
      await tx.update(modelChanges).set({ phase: 'cancelled' }).where(eq(modelChanges.collectionId, collectionId))
      await enqueueEmbedding(tx, { collectionId, organizationId })
    })
    return true
  }

  async function swap(change: Change, collection: CollectionRow, identity: string): Promise<boolean> {
    const { collectionId, model, throughKey } = change
    await waitForDelivery(collectionId)
    const isSwapped = await db.write(async (tx) => {
      const [now] = await tx.select().from(modelChanges).where(eq(modelChanges.collectionId, collectionId))
      if (now?.phase !== 'building') return false
      const [added] = await fragmentsAfter(tx, collectionId, throughKey, 1)
      if (added) return false
      const vectorModel = throughKey === 0 ? null : identity
      await tx
        .update(collections)
        .set({ embeddingModel: model, vectorModel, vectorSlot: secondSlot(collection) })
        .where(eq(collections.id, collectionId))
      await tx
        .update(modelChanges)
        .set({ phase: 'swapped', swappedAt: new Date(), identity })
        .where(eq(modelChanges.collectionId, collectionId))
      return true
    })
    endReachedAt.delete(collectionId)
    if (isSwapped)
      log.info({ collectionId, model, embedded: change.embedded }, 'A collection has a new embedding model.')
    return true
  }

  /** Resolves when a search index on a server of its own finds the vectors that were built. */
  async function waitForDelivery(collectionId: string): Promise<void> {
    if (!feed) return
    const reachedAt = endReachedAt.get(collectionId) ?? Date.now()
    endReachedAt.set(collectionId, reachedAt)
    const { oldest } = await feed.pending(collectionId)
    if (oldest && oldest.getTime() <= reachedAt) throw new RetryLater(deliveryPollMs)
    await feed.refresh()
  }

  /** Labels fragments with the new model and removes their former vectors. */
  async function removeFormer(change: Change, collection: CollectionRow): Promise<boolean> {
    const { collectionId, organizationId } = change
    const waitMs = (change.swappedAt?.getTime() ?? 0) + searchMs - Date.now()
    if (waitMs > 0) throw new RetryLater(waitMs)
    const model = await embedding.models.open(change.model)
    if (!model) throw new RetryLater(retryMs)
    const former = (await vectorModelsOf(db.read, collectionId)).find((name) => name !== collection.vectorModel)
    if (former !== undefined) {
      await relabel(collection, former, model)
      return true
    }
    await db.write(async (tx) => {
      await tx.delete(modelChanges).where(eq(modelChanges.collectionId, collectionId))
      await enqueueEmbedding(tx, { collectionId, organizationId })
    })
    await embedding.closeUnused()
    return false
  }

  async function relabel({ id, vectorModel, vectorSlot }: CollectionRow, former: string, { tokenizer }: LoadedModel) {
    const ofFormer = and(eq(fragments.collectionId, id), eq(fragments.vectorModel, former))
    const rows = await db.read
      .select({ key: fragments.key, text: fragments.text })
      .from(fragments)
      .where(ofFormer)
      .limit(embeddingBatchSize)
    const keys = rows.map(({ key }) => key)
    const built = new Set((await indexes.vectors.read(vectorSlot, keys)).map(({ key }) => key))
    await db.write(async (tx) => {
      for (const { key, text } of rows) {
        // One that was added by a transaction that ended after the walk had passed it waits for its vector.
        const isBuilt = built.has(key)
        const tokensPerWord = isBuilt ? tokensPerWordOf(text, tokenizer) : null
        await tx
          .update(fragments)
          .set({ vectorModel: isBuilt ? vectorModel : null, tokensPerWord })
          .where(eq(fragments.key, key))
      }
      await indexes.vectors.remove(tx, vectorSetId(id, vectorSlot === 0 ? 1 : 0), keys)
    })
  }

  /** Removes the vectors that a cancelled change had built. */
  async function removeBuilt({ collectionId, throughKey }: Change, collection: CollectionRow): Promise<boolean> {
    const keys = await keysDownFrom(db.read, collectionId, throughKey, removedAtOnce)
    await db.write(async (tx) => {
      await indexes.vectors.remove(tx, secondSet(collection), keys)
      const ofChange = and(eq(modelChanges.collectionId, collectionId), eq(modelChanges.phase, 'cancelled'))
      if (keys.length === 0) await tx.delete(modelChanges).where(ofChange)
      else
        await tx
          .update(modelChanges)
          .set({ throughKey: (keys.at(-1) ?? 1) - 1 })
          .where(ofChange)
    })
    if (keys.length === 0) await embedding.closeUnused()
    return keys.length > 0
  }

  return {
    next,
    hasQueuedChanges: () => hasDueJobs(db.read, 'change-model'),
    /** Whether new fragments wait for their first vectors. */
    areFragmentsWaiting: async () => (await countPendingJobs(db.read, 'embed-fragments')) > 0,
  }
}

function secondSlot({ vectorSlot }: CollectionRow): VectorSlot {
  return vectorSlot === 0 ? 1 : 0
}

function secondSet(collection: CollectionRow): string {
  return vectorSetId(collection.id, secondSlot(collection))
}
