import { and, eq } from 'drizzle-orm'
import type { Queries } from '../../../db/database'
import { fragments } from '../../../db/schema/addresses'
import type { Indexes } from '../fragments/fragments'

/**
 * Vectors of the model that texts of these hashes have already, by hash. Only the organization's own are looked at: by
 * how soon a text gets its vector nobody shall learn what others hold.
 */
export async function vectorsOfTexts(
  queries: Queries,
  indexes: Pick<Indexes, 'vectors'>,
  { organizationId, model, hashes }: { organizationId: string; model: string; hashes: string[] },
): Promise<Map<string, Float32Array>> {
  const rows = await Promise.all(
    // One by one: the first of a text that a thousand pages have is found as soon as that of any other.
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
  // A key is never given twice, and the text of a fragment never changes.
  const hashOf = new Map(rows.flat().map(({ key, hash }) => [key, hash]))
  if (hashOf.size === 0) return new Map()
  const stored = await indexes.vectors.read([...hashOf.keys()])
  return new Map(stored.map(({ key, vector }) => [hashOf.get(key) ?? '', vector]))
}
