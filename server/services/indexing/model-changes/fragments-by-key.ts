import { and, asc, desc, eq, gt, isNotNull, isNull, lte, min, type SQL } from 'drizzle-orm'
import type { Queries } from '../../../../db/database'
import { fragments } from '../../../../db/schema/addresses'

type Row = typeof fragments.$inferSelect

/**
 * The next fragments of a collection in the order of their keys. Reads them by the models of their vectors, of which there
 * are few, because an index has that order.
 */
export async function fragmentsAfter(
  queries: Queries,
  collectionId: string,
  afterKey: number,
  limit: number,
): Promise<Row[]> {
  const rows: Row[] = []
  for (const ofModel of await conditionsByModel(queries, collectionId))
    rows.push(
      ...(await queries
        .select()
        .from(fragments)
        .where(and(ofModel, gt(fragments.key, afterKey)))
        .orderBy(asc(fragments.key))
        .limit(limit)),
    )
  return rows.sort((first, second) => first.key - second.key).slice(0, limit)
}

/** Keys of fragments from `throughKey` down. */
export async function keysDownFrom(
  queries: Queries,
  collectionId: string,
  throughKey: number,
  limit: number,
): Promise<number[]> {
  const keys: number[] = []
  for (const ofModel of await conditionsByModel(queries, collectionId)) {
    const rows = await queries
      .select({ key: fragments.key })
      .from(fragments)
      .where(and(ofModel, lte(fragments.key, throughKey)))
      .orderBy(desc(fragments.key))
      .limit(limit)
    keys.push(...rows.map(({ key }) => key))
  }
  return keys.sort((first, second) => second - first).slice(0, limit)
}

/** The models of the vectors of a collection's fragments. */
export async function vectorModelsOf(queries: Queries, collectionId: string): Promise<string[]> {
  const models: string[] = []
  for (;;) {
    const last = models.at(-1)
    const { vectorModel } = fragments
    const after = last === undefined ? isNotNull(vectorModel) : gt(vectorModel, last)
    const [row] = await queries
      .select({ model: min(vectorModel) })
      .from(fragments)
      .where(and(eq(fragments.collectionId, collectionId), after))
    if (!row?.model) return models
    models.push(row.model)
  }
}

async function conditionsByModel(queries: Queries, collectionId: string): Promise<(SQL | undefined)[]> {
  const ofCollection = eq(fragments.collectionId, collectionId)
  const models = await vectorModelsOf(queries, collectionId)
  const { vectorModel } = fragments
  return [isNull(vectorModel), ...models.map((model) => eq(vectorModel, model))].map((ofModel) =>
    and(ofCollection, ofModel),
  )
}
