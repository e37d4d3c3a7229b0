import { and, count, desc, eq, inArray, isNull } from 'drizzle-orm'
import type { CollectionEdit, CollectionInput } from '../../../contract/collection'
import type { Paged, SortedPaging } from '../../../contract/values/paging'
import type { CollectionSort } from '../../../contract/values/sorts'
import type { CollectionView } from '../../../contract/views/collection'
import type { Database, Queries } from '../../../db/database'
import { fragments } from '../../../db/schema/addresses'
import { agents } from '../../../db/schema/agents'
import { collections, sources } from '../../../db/schema/collections'
import { contains, lower } from '../../../db/sql'
import { type Actor, personOf } from '../../actor'
import { authorize, can, notFound } from '../../policy'
import { recordEvent } from '../audit/record-event'
import { enqueue } from '../jobs/jobs'
import type { Moderation } from '../moderation/moderation'
import { type Organizations, organizationOf } from '../organizations/organizations'
import { orderOf, pageOf, rowsBefore } from '../paging'
import { assertWithinPlan } from '../usage/plan-limits'

type CollectionRow = typeof collections.$inferSelect

/** A collection, with the organization that it has to be in. */
export interface CollectionRef {
  organizationId: string
  collectionId: string
}

interface CollectionsDeps {
  db: Database
  organizations: Organizations
  moderation: Pick<Moderation, 'assertCollectionPrompt'>
  /** That of new collections. */
  embeddingModel: string
}

const sortColumns = { name: lower(collections.name), created_at: collections.createdAt }
const newestFirst = [desc(collections.createdAt), desc(collections.id)]

export function createCollections({ db, organizations, moderation, embeddingModel }: CollectionsDeps) {
  async function list(
    actor: Actor,
    organizationId: string,
    { sort, search, ...paging }: SortedPaging<CollectionSort>,
  ): Promise<Paged<CollectionView>> {
    authorize(actor, 'collection:read', organizationId)
    const visible = and(
      eq(collections.organizationId, organizationId),
      isNull(collections.deletedAt),
      search ? contains(collections.name, search) : undefined,
    )
    const rows = await db.read
      .select()
      .from(collections)
      .where(visible)
      .orderBy(...orderOf(sortColumns, sort, newestFirst))
      .limit(paging.limit)
      .offset(rowsBefore(paging))
    const total = await db.read.$count(collections, visible)
    return pageOf(await views(actor, organizationId, rows), total, paging)
  }

  async function get(actor: Actor, organizationId: string, id: string): Promise<CollectionView> {
    authorize(actor, 'collection:read', organizationId)
    const [view] = await views(actor, organizationId, [await findCollection(db.read, organizationId, id)])
    if (!view) throw notFound()
    return view
  }

  /** With `isNamedByHost`, the collection gets the name of its site once a page says it. */
  async function create(
    actor: Actor,
    organizationId: string,
    input: CollectionInput,
    { isNamedByHost = false } = {},
  ): Promise<CollectionView> {
    authorize(actor, 'collection:edit', organizationId)
    const createdBy = personOf(actor)
    const id = await db.writeAlone(organizationId, async (tx) => {
      const plan = await organizations.planOf(tx, organizationId)
      const visible = and(eq(collections.organizationId, organizationId), isNull(collections.deletedAt))
      const used = await tx.$count(collections, visible)
      assertWithinPlan({ actor, organizationId }, plan.collections, used, 'collection')
      const { name, description } = input
      const values = { organizationId, name, description, isNamedByHost, embeddingModel, createdBy }
      const [row] = await tx.insert(collections).values(values).returning({ id: collections.id })
      if (!row) throw new Error('The collection was not stored.')
      return row.id
    })
    return get(actor, organizationId, id)
  }

  /** Throws flagged for a harmful system prompt. */
  async function update(
    actor: Actor,
    organizationId: string,
    id: string,
    input: CollectionEdit,
  ): Promise<CollectionView> {
    authorize(actor, 'collection:edit', organizationId)
    await findCollection(db.read, organizationId, id)
    await moderation.assertCollectionPrompt({ organizationId, collectionId: id }, input.agent_prompt)
    const change = {
      name: input.name,
      isNamedByHost: false,
      description: input.description,
      ...(input.agent_model === undefined ? {} : { agentModel: input.agent_model || null }),
      ...(input.agent_prompt === undefined ? {} : { agentPrompt: input.agent_prompt || null }),
    }
    await db.write((tx) => tx.update(collections).set(change).where(eq(collections.id, id)))
    return get(actor, organizationId, id)
  }

  /** Hides the collection, unlinks its agents, and enqueues a job that deletes its rows and index entries. */
  async function remove(actor: Actor, organizationId: string, id: string): Promise<void> {
    authorize(actor, 'collection:edit', organizationId)
    const { name } = await findCollection(db.read, organizationId, id)
    await db.write(async (tx) => {
      await recordEvent(tx, actor, { organizationId, action: 'collection.deleted', subject: { id, name } })
      const deletedAt = new Date()
      await tx.update(collections).set({ deletedAt }).where(eq(collections.id, id))
      // Its sources no longer count toward the plan.
      await tx
        .update(sources)
        .set({ deletedAt })
        .where(and(eq(sources.collectionId, id), isNull(sources.deletedAt)))
      await tx.update(agents).set({ collectionId: null }).where(eq(agents.collectionId, id))
      await enqueue(tx, {
        kind: 'purge-collection',
        payload: { collectionId: id },
        dedupeKey: `purge-collection:${id}`,
      })
    })
  }

  async function views(actor: Actor, organizationId: string, rows: CollectionRow[]): Promise<CollectionView[]> {
    const counts = await countFragments(
      db.read,
      rows.map((row) => row.id),
    )
    const organization = await organizationOf(db.read, organizationId)
    return rows.map((row) => view(actor, row, { organization, counts: counts.get(row.id) ?? { all: 0, pending: 0 } }))
  }

  return { list, get, create, update, remove }
}

export type Collections = ReturnType<typeof createCollections>

/** Throws not_found, also for a collection of another organization and for one that is being deleted. */
export async function findCollection(queries: Queries, organizationId: string, id: string): Promise<CollectionRow> {
  const visible = and(
    eq(collections.id, id),
    eq(collections.organizationId, organizationId),
    isNull(collections.deletedAt),
  )
  const [row] = await queries.select().from(collections).where(visible)
  if (!row) throw notFound()
  return row
}

/** Counts fragments by collection; `pending`: those without an embedding. Omits collections without fragments. */
export async function countFragments(
  queries: Queries,
  ids: string[],
): Promise<Map<string, { all: number; pending: number }>> {
  const counts = new Map<string, { all: number; pending: number }>()
  if (ids.length === 0) return counts
  const rows = await queries
    .select({ collectionId: fragments.collectionId, vectorModel: fragments.vectorModel, fragments: count() })
    .from(fragments)
    .where(inArray(fragments.collectionId, ids))
    .groupBy(fragments.collectionId, fragments.vectorModel)
  for (const row of rows) {
    const ofCollection = counts.get(row.collectionId) ?? { all: 0, pending: 0 }
    ofCollection.all += row.fragments
    if (row.vectorModel === null) ofCollection.pending += row.fragments
    counts.set(row.collectionId, ofCollection)
  }
  return counts
}

interface ViewParts {
  organization: { name: string }
  counts: { all: number; pending: number }
}

function view(actor: Actor, row: CollectionRow, { organization, counts }: ViewParts): CollectionView {
  const editable = can(actor, 'collection:edit', row.organizationId)
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    agent_model: row.agentModel,
    agent_prompt: row.agentPrompt,
    organization_id: row.organizationId,
    organization,
    created_by: row.createdBy,
    created_at: row.createdAt.toISOString(),
    fragments: counts.all,
    pending_embeddings: counts.pending,
    abilities: { edit: editable, delete: editable, addSource: can(actor, 'source:edit', row.organizationId) },
  }
}
