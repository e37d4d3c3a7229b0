import { and, eq } from 'drizzle-orm'
import type { Queries } from '../../../db/database'
import { fragments } from '../../../db/schema/addresses'
import type { Indexes } from '../fragments/fragments'

/**
 * Returns the stored vectors of texts, by hash. Reads only those of the organization, so that the time until a text is
 * embedded does not reveal what other organizations store.
 */
export async function vectorsOfTexts(
  queries: Queries,
  indexes: Pick<Indexes, 'vectors'>,
  { organizationId, model, hashes }: { organizationId: string; model: string; hashes: string[] },
): Promise<Map<string, Float32Array>> {
  const rows = await Promise.all(
    // One query per hash, with a limit: a text may occur on thousands of pages.
    hashes.map((hash) =>
      queries
        .select({ key: fragments.key, hash: fragments.hash })
        .from(fragments)
        .where(
          and(eq(fragments.organizationId, organizationId), eq(fragments.hash, hash), eq(fragments.vectorModel, model)),
        )
        .limit(1),
    ),
  )
  // Keys are never reused, and the text of a fragment never changes.
  const hashOf = new Map(rows.flat().map(({ key, hash }) => [key, hash]))
  if (hashOf.size === 0) return new Map()
  const stored = await indexes.vectors.read([...hashOf.keys()])
  return new Map(stored.map(({ key, vector }) => [hashOf.get(key) ?? '', vector]))
}
