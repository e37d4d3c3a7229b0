import { and, eq, inArray, isNull, ne, notInArray, or } from 'drizzle-orm'
import type { EmbeddingModelView, ModelChangeView, ModelChoice } from '../../../contract/views/embedding-model'
import type { Database, Queries, Transaction } from '../../../db/database'
import { fragments } from '../../../db/schema/addresses'
import { collections, modelChanges } from '../../../db/schema/collections'
import { type Actor, personOf } from '../../actor'
import type { ModelStore } from '../../engine/ports/model-store'
import { AppError } from '../../errors'
import { assertStaff, authorize } from '../../policy'
import { recordEvent } from '../audit/record-event'
import { type CollectionRef, findCollection } from '../collections/collections'
import type { Embedding } from '../indexing/embedding'
import { beginChange, enqueueChange } from '../indexing/model-changes/begin-change'
import type { CollectionLanguages } from '../search/collection-languages'
import { isMultilingual } from './is-multilingual'

type Change = typeof modelChanges.$inferSelect
type Phase = Change['phase']

interface Deps {
  db: Database
  embedding: Pick<Embedding, 'state' | 'models' | 'defaultModel' | 'closeUnused'>
  languagesOf: CollectionLanguages
  store: ModelStore
  /** Names of the models of services that the configuration allows. */
  services: readonly string[]
}

/** Fragments that tell how many tokens all have. */
const sampled = 200

/** A collection whose model is not the wanted one. */
export interface ChangeableCollection {
  id: string
  organizationId: string
  name: string
  model: string
  fragments: number
}

/** The embedding models of collections, and their changes. */
export function createModelChanges({ db, embedding, languagesOf, store, services }: Deps) {
  /** The models that collections may have: those that are installed, and those of services that the operator named. */
  async function choices(): Promise<ModelChoice[]> {
    const { installed } = await store.list()
    return [
      ...installed
        .filter(({ kind, problem }) => kind === 'embedding' && problem === null)
        .map(({ name, languages }) => choice(name, languages)),
      ...services.map(serviceChoice),
    ]
  }

  async function get(actor: Actor, ref: CollectionRef): Promise<EmbeddingModelView> {
    authorize(actor, 'collection:read', ref.organizationId)
    const row = await findCollection(db.read, ref.organizationId, ref.collectionId)
    const [change] = await changesOf(db.read, ref.collectionId)
    const ofCollection = eq(fragments.collectionId, ref.collectionId)
    const total = await db.read.$count(fragments, ofCollection)
    const sample = await db.read.select({ tokens: fragments.tokens }).from(fragments).where(ofCollection).limit(sampled)
    const tokens = sample.reduce((sum, row) => sum + row.tokens, 0) / Math.max(1, sample.length)
    const name = row.embeddingModel ?? embedding.defaultModel
    const all = await choices()
    const current =
      all.find((choice) => choice.name === name) ?? (services.includes(name) ? serviceChoice(name) : choice(name, null))
    const state = embedding.state(name)
    const { unknownToModel } = await languagesOf(ref.collectionId)
    return {
      ...current,
      problem: state.kind === 'unavailable' ? state.reason : null,
      weak_language: current.is_multilingual ? null : unknownToModel,
      change: change ? changeView(change, total) : null,
      choices: all.filter((choice) => choice.name !== name),
      tokens: Math.round(tokens * total),
    }
  }

  /** Throws invalid_input for a model that is not allowed, and conflict during a change. */
  async function start(actor: Actor, ref: CollectionRef, name: string): Promise<void> {
    const { organizationId, collectionId } = ref
    authorize(actor, 'collection:edit', organizationId)
    const row = await findCollection(db.read, organizationId, collectionId)
    await assertAllowed(name)
    if (name === (row.embeddingModel ?? embedding.defaultModel))
      throw new AppError('conflict', 'The collection has this model already.')
    await db.write(async (tx) => {
      await assertUnchanging(tx, collectionId)
      await begin(tx, { ...ref, name, createdBy: personOf(actor) })
      const subject = { id: collectionId, name: row.name }
      await recordEvent(tx, actor, { organizationId, action: 'collection.model-changed', subject })
    })
    await embedding.closeUnused()
    // It may have been unavailable before.
    void embedding.models.retry(name)
  }

  /** A collection without fragments has the model at once. */
  async function begin(
    tx: Transaction,
    { organizationId, collectionId, name, createdBy }: CollectionRef & { name: string; createdBy: string | null },
  ): Promise<void> {
    const [any] = await tx
      .select({ key: fragments.key })
      .from(fragments)
      .where(eq(fragments.collectionId, collectionId))
      .limit(1)
    if (any) return beginChange(tx, { organizationId, collectionId, model: name, createdBy })
    await tx
      .update(collections)
      .set({ embeddingModel: name, vectorModel: null })
      .where(eq(collections.id, collectionId))
  }

  async function assertAllowed(name: string): Promise<void> {
    const allowed = await choices()
    if (allowed.some((choice) => choice.name === name)) return
    const message = `There is no usable model ${name} here. Choose one of: ${allowed.map((choice) => choice.name).join(', ')}.`
    throw new AppError('invalid_input', message, { details: { fields: { model: [message] } } })
  }

  async function pause(actor: Actor, ref: CollectionRef): Promise<void> {
    await setPhase(actor, ref, ['building'], 'paused')
  }

  async function resume(actor: Actor, ref: CollectionRef): Promise<void> {
    await setPhase(actor, ref, ['paused'], 'building')
  }

  /** The collection keeps its model; the new vectors are removed. */
  async function cancel(actor: Actor, ref: CollectionRef): Promise<void> {
    await setPhase(actor, ref, ['building', 'paused'], 'cancelled')
  }

  /** Throws conflict for a change in another phase than these. */
  async function setPhase(actor: Actor, ref: CollectionRef, from: Phase[], to: Phase): Promise<void> {
    const { organizationId, collectionId } = ref
    authorize(actor, 'collection:edit', organizationId)
    await findCollection(db.read, organizationId, collectionId)
    await db.write(async (tx) => {
      const isIn = and(eq(modelChanges.collectionId, collectionId), inArray(modelChanges.phase, from))
      const changed = await tx
        .update(modelChanges)
        .set({ phase: to })
        .where(isIn)
        .returning({ id: modelChanges.collectionId })
      if (changed.length === 0)
        throw new AppError(
          'conflict',
          'The change of the embedding model has ended, or somebody else has paused, resumed or cancelled it.',
        )
      if (to !== 'paused') await enqueueChange(tx, ref)
    })
  }

  /** The collections of the installation that do not have the model and whose model is not being changed. */
  async function changeable(actor: Actor, name: string): Promise<ChangeableCollection[]> {
    assertStaff(actor)
    await assertAllowed(name)
    const { embeddingModel } = collections
    const hasAnother = ne(embeddingModel, name)
    const isUnset = name === embedding.defaultModel ? undefined : isNull(embeddingModel)
    const changing = db.read.select({ id: modelChanges.collectionId }).from(modelChanges)
    return db.read
      .select({
        id: collections.id,
        organizationId: collections.organizationId,
        name: collections.name,
        model: embeddingModel,
        fragments: db.read.$count(fragments, eq(fragments.collectionId, collections.id)),
      })
      .from(collections)
      .where(
        and(
          isNull(collections.deletedAt),
          isUnset ? or(hasAnother, isUnset) : hasAnother,
          notInArray(collections.id, changing),
        ),
      )
      .orderBy(collections.createdAt)
      .then((rows) => rows.map((row) => ({ ...row, model: row.model ?? embedding.defaultModel })))
  }

  /** Names of the collections that have a model, or are being changed to it. */
  async function usersOf(name: string): Promise<string[]> {
    const isOf = or(
      eq(collections.embeddingModel, name),
      eq(modelChanges.model, name),
      name === embedding.defaultModel ? isNull(collections.embeddingModel) : undefined,
    )
    const rows = await db.read
      .select({ name: collections.name })
      .from(collections)
      .leftJoin(modelChanges, eq(modelChanges.collectionId, collections.id))
      .where(and(isNull(collections.deletedAt), isOf))
      .orderBy(collections.name)
    return rows.map((row) => row.name)
  }

  return { get, start, pause, resume, cancel, changeable, usersOf }
}

function choice(name: string, languages: string | null): ModelChoice {
  return { name, languages, is_multilingual: isMultilingual(languages), is_service: false }
}

/** Models of services were trained for many languages. */
function serviceChoice(name: string): ModelChoice {
  return { name, languages: null, is_multilingual: true, is_service: true }
}

async function assertUnchanging(tx: Transaction, collectionId: string): Promise<void> {
  const [change] = await changesOf(tx, collectionId)
  if (!change) return
  throw new AppError(
    'conflict',
    change.phase === 'building' || change.phase === 'paused'
      ? 'The embedding model of this collection is being changed already. Cancel that change first.'
      : 'The vectors of the last change are still being removed. Try again in a minute.',
  )
}

function changesOf(queries: Queries, collectionId: string): Promise<Change[]> {
  return queries.select().from(modelChanges).where(eq(modelChanges.collectionId, collectionId))
}

function changeView(change: Change, total: number): ModelChangeView {
  const { model, phase, embedded, activeMs, message } = change
  const done = Math.min(embedded, total)
  return {
    model,
    state: phase === 'building' || phase === 'paused' ? phase : 'removing',
    done,
    total,
    seconds_left: embedded > 0 ? Math.ceil(((activeMs / embedded) * (total - done)) / 1_000) : null,
    problem: message,
  }
}
