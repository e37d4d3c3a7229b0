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

/** More tokens for each word of a text than this, and the model does not know its language. */
const maxKnownTokensPerWord = 2.5

export interface SampledLanguages {
  /** Primary subtags of the languages that the collection is in. */
  frequent: readonly string[]
  /** That of most texts; null if it is unknown. */
  main: string | null
  /** The language of most of the texts, if the embedding model does not know it; never English. */
  unknownToModel: string | null
}

interface SampledText {
  language: string
  tokensPerWord: number | null
}

/** Answers which languages a collection is in, from a sample of the fragments of its sources. */
export function createCollectionLanguages(queries: Queries) {
  const cache = new LRUCache<string, SampledLanguages>({
    max: maxCollections,
    ttl: maxAgeMs,
    async fetchMethod(collectionId, _, { options }) {
      const languages = languagesOf(await sampleCollection(queries, collectionId))
      // A new collection gets its first fragments any moment.
      if (languages.frequent.length === 0) options.ttl = 1
      return languages
    },
  })
  return async (collectionId: string): Promise<SampledLanguages> =>
    (await cache.fetch(collectionId)) ?? { frequent: [], main: null, unknownToModel: null }
}

export type CollectionLanguages = ReturnType<typeof createCollectionLanguages>

function languagesOf(texts: SampledText[]): SampledLanguages {
  const counts = countsOf(texts)
  const unknown = countsOf(texts.filter(({ tokensPerWord }) => (tokensPerWord ?? 0) > maxKnownTokensPerWord))
  const [language, count] = maxCountOf(unknown)
  const isUnknown = 2 * count > texts.length && language !== 'en'
  return {
    frequent: frequentLanguages(counts),
    main: maxCountOf(counts)[0],
    unknownToModel: isUnknown ? language : null,
  }
}

/** The most frequent language that is known; null without one. */
function maxCountOf(counts: ReadonlyMap<string, number>): [language: string | null, count: number] {
  const known = [...counts].filter(([language]) => language !== '')
  return known.sort(([, first], [, second]) => second - first)[0] ?? [null, 0]
}

/** Number of texts by primary subtag; '' if unknown. */
function countsOf(texts: SampledText[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { language } of texts) {
    const [primary = ''] = language.toLowerCase().split('-')
    counts.set(primary, (counts.get(primary) ?? 0) + 1)
  }
  return counts
}

async function sampleCollection(queries: Queries, collectionId: string): Promise<SampledText[]> {
  const batch = await queries
    .select({ id: sources.id })
    .from(sources)
    .where(and(eq(sources.collectionId, collectionId), isNull(sources.deletedAt)))
    .limit(maxSources)
  const texts: SampledText[] = []
  for (const { id } of batch) texts.push(...(await sampleSource(queries, id)))
  return texts
}

/** Some of the fragments of a source. */
async function sampleSource(queries: Queries, sourceId: string): Promise<SampledText[]> {
  const ofSource = eq(fragments.sourceId, sourceId)
  const [first] = await keyOf(queries, ofSource, asc(fragments.key))
  const [last] = await keyOf(queries, ofSource, desc(fragments.key))
  if (!first || !last) return []
  const step = Math.max(fragmentsPerSample, Math.ceil((last.key - first.key + 1) / samples))
  const texts: SampledText[] = []
  for (let start = first.key; start <= last.key; start += step)
    texts.push(
      ...(await queries
        .select({ language: fragments.language, tokensPerWord: fragments.tokensPerWord })
        .from(fragments)
        .where(and(ofSource, gte(fragments.key, start)))
        .orderBy(asc(fragments.key))
        .limit(fragmentsPerSample)),
    )
  return texts
}

function keyOf(queries: Queries, where: SQL, order: SQL) {
  return queries.select({ key: fragments.key }).from(fragments).where(where).orderBy(order).limit(1)
}
