import { and, eq, isNull } from 'drizzle-orm'
import type { Queries } from '../../../db/database'
import { sources } from '../../../db/schema/collections'
import { notFound } from '../../policy'
import { type CollectionRef, findCollection } from '../collections/collections'
import type { SourceRow } from './source-settings'

/** A source, with the organization and the collection that it has to be in. */
export interface SourceRef extends CollectionRef {
  sourceId: string
}

/** Throws not_found if the collection has no such source, or it is deleted. */
export async function findSource(
  queries: Queries,
  { organizationId, collectionId, sourceId }: SourceRef,
): Promise<SourceRow> {
  await findCollection(queries, organizationId, collectionId)
  const visible = and(eq(sources.id, sourceId), eq(sources.collectionId, collectionId), isNull(sources.deletedAt))
  const [row] = await queries.select().from(sources).where(visible)
  if (!row) throw notFound()
  return row
}
