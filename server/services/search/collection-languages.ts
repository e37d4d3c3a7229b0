import { and, asc, desc, eq, gte, isNull, type SQL } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type { Queries } from '../../../db/database'
import { fragments } from '../../../db/schema/addresses'
import { sources } from '../../../db/schema/collections'
import { frequentLanguages } from '../../engine/language/frequent-languages'

const maxAgeMs = 60_000
const maxCollections = 10_000
const maxSources = 20
/** Places of a source, evenly spread, at which fragments are read, and how many at each. */
const samples = 8
const fragmentsPerSample = 16

/** Answers which languages a collection is in, as primary subtags, from a sample of the fragments of its sources. */
export function createCollectionLanguages(queries: Queries) {
  const cache = new LRUCache<string, readonly string[]>({
    max: maxCollections,
    ttl: maxAgeMs,
    async fetchMethod(collectionId, _, { options }) {
      const languages = await languagesOf(queries, collectionId)
      // A new collection gets its first fragments any moment.
      if (languages.length === 0) options.ttl = 1
      return languages
    },
  })
  return async (collectionId: string) => (await cache.fetch(collectionId)) ?? []
}

async function languagesOf(queries: Queries, collectionId: string): Promise<readonly string[]> {
  const batch = await queries
    .select({ id: sources.id })
    .from(sources)
    .where(and(eq(sources.collectionId, collectionId), isNull(sources.deletedAt)))
    .limit(maxSources)
  const counts = new Map<string, number>()
  for (const { id } of batch)
    for (const language of await sampleSource(queries, id)) counts.set(language, (counts.get(language) ?? 0) + 1)
  return frequentLanguages(counts)
}

/** The languages of some of the fragments of a source. */
async function sampleSource(queries: Queries, sourceId: string): Promise<string[]> {
  const ofSource = eq(fragments.sourceId, sourceId)
  const [first] = await keyOf(queries, ofSource, asc(fragments.key))
  const [last] = await keyOf(queries, ofSource, desc(fragments.key))
  if (!first || !last) return []
  const step = Math.max(fragmentsPerSample, Math.ceil((last.key - first.key + 1) / samples))
  const languages: string[] = []
  for (let start = first.key; start <= last.key; start += step) {
    const rows = await queries
      .select({ language: fragments.language })
      .from(fragments)
      .where(and(ofSource, gte(fragments.key, start)))
      .orderBy(asc(fragments.key))
      .limit(fragmentsPerSample)
    languages.push(...rows.map(({ language }) => language))
  }
  return languages
}

function keyOf(queries: Queries, where: SQL, order: SQL) {
  return queries.select({ key: fragments.key }).from(fragments).where(where).orderBy(order).limit(1)
}
