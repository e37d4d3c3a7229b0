import { and, eq } from 'drizzle-orm'
import type { Queries } from '../../../db/database'
import { fragments } from '../../../db/schema/addresses'
import { collections } from '../../../db/schema/collections'
import { embeddingText } from '../../engine/chunking/embedding-text'
import type { Embedder } from '../../engine/ports/search-index'
import type { Indexes } from '../fragments/fragments'

type Row = typeof fragments.$inferSelect

/** Fragments that are embedded and stored in one transaction. */
export const embeddingBatchSize = 64

interface Deps {
  queries: Queries
  indexes: Pick<Indexes, 'vectors'>
}

/** Returns vectors by hash. Embeds each distinct text once, and reuses the stored vectors of equal texts. */
export async function embedTexts(
  { queries, indexes }: Deps,
  rows: Row[],
  embedder: Embedder,
  signal: AbortSignal,
): Promise<Map<string, Float32Array>> {
  const texts = new Map(rows.map((row) => [row.hash, row]))
  const organizationId = rows[0]?.organizationId ?? ''
  const request = { organizationId, model: embedder.model, hashes: [...texts.keys()] }
  const vectors = await storedVectors({ queries, indexes }, request)
  const missing = [...texts.values()].filter(({ hash }) => !vectors.has(hash))
  const embedded = await embedder.embedPassages(missing.map(embeddingText), { signal, organizationId })
  for (const [index, { hash }] of missing.entries()) {
    const vector = embedded[index]
    if (!vector) throw new Error('The embedder returned fewer vectors than texts.')
    vectors.set(hash, vector)
  }
  return vectors
}

/**
 * Returns the stored vectors of texts, by hash. Reads only those of the organization, so that the time until a text is
 * embedded does not reveal what other organizations store.
 */
async function storedVectors(
  { queries, indexes }: Deps,
  { organizationId, model, hashes }: { organizationId: string; model: string; hashes: string[] },
): Promise<Map<string, Float32Array>> {
  const rows = await Promise.all(
    // One query per hash, with a limit: a text may occur on thousands of pages.
    hashes.map((hash) =>
      queries
        .select({ key: fragments.key, hash: fragments.hash, slot: collections.vectorSlot })
        .from(fragments)
        // Without the vectors of a set that a change of the model has replaced.
        .innerJoin(collections, and(eq(collections.id, fragments.collectionId), eq(collections.vectorModel, model)))
        .where(
          and(eq(fragments.organizationId, organizationId), eq(fragments.hash, hash), eq(fragments.vectorModel, model)),
        )
        .limit(1),
    ),
  )
  const found = rows.flat()
  // Keys are never reused, and the text of a fragment never changes.
  const hashOf = new Map(found.map(({ key, hash }) => [key, hash]))
  const vectors = new Map<string, Float32Array>()
  for (const slot of new Set(found.map((row) => row.slot))) {
    const keys = found.filter((row) => row.slot === slot).map(({ key }) => key)
    for (const { key, vector } of await indexes.vectors.read(slot, keys)) vectors.set(hashOf.get(key) ?? '', vector)
  }
  return vectors
}
