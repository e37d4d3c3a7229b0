import type { ParsedQuery } from '../ports/parsed-query'
import type { KeyScore, KeywordHits, TextIndex, VectorIndex } from '../ports/search-index'

/** Decides which fragments of a collection a search may return. */
export interface FragmentFilter {
  /** Whether the searcher asked for it. Otherwise it only excludes fragments that are being added or deleted. */
  isNarrowing: boolean
  /** Those of `keys` that pass. */
  select(keys: number[]): Promise<ReadonlySet<number>>
  /** All keys that pass, in time linear to their number. Null if nearly all fragments pass, and they are too many. */
  selectAll(): Promise<ReadonlySet<number> | null>
}

/** Hits of each kind that are fused. */
export const fusionDepth = 100
/** Keyword hits after the first hundred only contribute their BM25 to vector hits. */
const maxKeywordHits = 1_000
/** Vector hits to filter: in the first attempt, and in the second. */
const vectorAttempts = [250, 1_000]
const filterBatchSize = 128
/** If a smaller share of the keyword hits passes the filter, the search is repeated within the filter. */
const minPassingShare = 0.25

/**
 * The best fragments by keyword. Hits that do not pass the filter give their places to the next ones; where too few
 * pass, the search is repeated within the filter. `countsAll` filters every hit, so that they can be counted.
 */
export async function searchKeywords(
  textIndex: Pick<TextIndex, 'search'>,
  collectionId: string,
  query: ParsedQuery,
  filter: FragmentFilter | null,
  { countsAll }: { countsAll: boolean },
): Promise<KeywordHits> {
  const found = await textIndex.search(collectionId, query, maxKeywordHits)
  if (!filter) return found
  const { passing, examined } = await takePassing(found.hits, filter, countsAll ? maxKeywordHits : fusionDepth)
  // Ranking cuts off common terms by the size of the collection, so with few hits left others may be missing.
  const isShort = passing.length < fusionDepth && passing.length < minPassingShare * examined
  const all = isShort ? await filter.selectAll() : null
  if (all) return textIndex.search(collectionId, query, maxKeywordHits, all)
  return { ...found, hits: [...passing, ...found.hits.slice(examined)] }
}

/** The nearest fragments by cosine; filtered like keyword hits. */
export async function searchVectors(
  vectorIndex: Pick<VectorIndex, 'search'>,
  collectionId: string,
  vector: Float32Array,
  filter: FragmentFilter | null,
): Promise<KeyScore[]> {
  if (!filter) return vectorIndex.search(collectionId, vector, fusionDepth)
  let nearest: KeyScore[] = []
  for (const limit of vectorAttempts) {
    const found = await vectorIndex.search(collectionId, vector, limit)
    nearest = (await takePassing(found, filter, fusionDepth)).passing.slice(0, fusionDepth)
    if (nearest.length === fusionDepth || found.length < limit) return nearest
  }
  const all = await filter.selectAll()
  return all ? vectorIndex.search(collectionId, vector, fusionDepth, all) : nearest
}

/** The first hits that pass the filter, at least `count` of them if there are as many. */
async function takePassing(hits: KeyScore[], filter: FragmentFilter, count: number) {
  const passing: KeyScore[] = []
  let examined = 0
  while (passing.length < count && examined < hits.length) {
    const batch = hits.slice(examined, examined + filterBatchSize)
    const selected = await filter.select(batch.map(({ key }) => key))
    passing.push(...batch.filter(({ key }) => selected.has(key)))
    examined += batch.length
  }
  return { passing, examined }
}
