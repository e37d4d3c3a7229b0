import type { KeyScore, TextIndex, VectorIndex, WordHits } from '../ports'

/** Which fragments of a collection a search may find. */
export interface Admission {
  /** Those of these that it may. */
  of(keys: number[]): Promise<ReadonlySet<number>>
  /**
   * All that it may; this takes as long as there are many. Null where nearly everything may be found, and that is too much
   * to be gathered for one search.
   */
  all(): Promise<ReadonlySet<number> | null>
}

export interface CandidateSearch {
  textIndex: Pick<TextIndex, 'search'>
  vectorIndex: Pick<VectorIndex, 'search'>
  collectionId: string
  query: string
  /** The query's vector, which goes by what words were looked for; null where meaning does not count. */
  meaning(words: WordHits): Promise<Float32Array | null>
  /** Null: whatever is there. */
  admission: Admission | null
  /** Looks at all that words find, so that they can be counted. */
  countsWords: boolean
}

export interface Candidates {
  words: WordHits
  /** What was looked for by meaning. */
  vector: Float32Array | null
  vectors: KeyScore[]
}

/** So many of each list are fused. */
export const depth = 100
/** Word hits after the first hundred only lend their BM25 to hits by meaning. */
const wordHits = 1_000
/** Hits by meaning that are asked for first and at most, where not all of them may be found. */
const firstVectors = 250
const mostVectors = 1_000
const keysAtOnce = 128
/** With a smaller share of the word hits left, words are looked for among those alone that may be found. */
const fewest = 0.25

/**
 * The best fragments by words and by meaning. Where not all may be found, the others give up their places: more are
 * looked at, and where even so too few are left, as where a filter leaves little, the search is made among those alone.
 */
export async function findCandidates(search: CandidateSearch): Promise<Candidates> {
  const words = await findByWords(search)
  const vector = await search.meaning(words)
  return { words, vector, vectors: vector ? await findByMeaning(search, vector) : [] }
}

async function findByWords({ textIndex, collectionId, query, admission, countsWords }: CandidateSearch) {
  const found = await textIndex.search(collectionId, query, wordHits)
  if (!admission) return found
  const { kept, looked } = await keep(found.hits, admission, countsWords ? wordHits : depth)
  // What ranks words cuts common ones off by how many fragments there are, so with few left others may be missing.
  const all = kept.length < depth && kept.length < fewest * looked ? await admission.all() : null
  if (all) return textIndex.search(collectionId, query, wordHits, all)
  return { ...found, hits: [...kept, ...found.hits.slice(looked)] }
}

async function findByMeaning(
  { vectorIndex, collectionId, admission }: CandidateSearch,
  vector: Float32Array,
): Promise<KeyScore[]> {
  if (!admission) return vectorIndex.search(collectionId, vector, depth)
  let best: KeyScore[] = []
  for (const many of [firstVectors, mostVectors]) {
    const found = await vectorIndex.search(collectionId, vector, many)
    best = (await keep(found, admission, depth)).kept.slice(0, depth)
    if (best.length === depth || found.length < many) return best
  }
  const all = await admission.all()
  return all ? vectorIndex.search(collectionId, vector, depth, all) : best
}

/** Those of the best that may be found, until there are so many or no more; and how many were looked at. */
async function keep(hits: KeyScore[], admission: Admission, wanted: number) {
  const kept: KeyScore[] = []
  let looked = 0
  while (kept.length < wanted && looked < hits.length) {
    const some = hits.slice(looked, looked + keysAtOnce)
    const admitted = await admission.of(some.map(({ key }) => key))
    kept.push(...some.filter(({ key }) => admitted.has(key)))
    looked += some.length
  }
  return { kept, looked }
}
