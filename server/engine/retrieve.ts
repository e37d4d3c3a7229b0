import { denseShareOf, type FusedHit, familiarity, fuse } from './fusion'
import type { Embedder, KeyScore, TextIndex, VectorIndex } from './ports'
import type { ReadQuery } from './query-words'
import { wordEvidence } from './word-evidence'

/** What ranking must know of a fragment; what else the caller loads comes back with the hit. */
export interface RetrievableFragment {
  key: number
  addressId: string
  title: string
  headings: string
  text: string
}

export interface RetrieveDeps<Fragment extends RetrievableFragment> {
  textIndex: Pick<TextIndex, 'search'>
  vectorIndex: Pick<VectorIndex, 'search' | 'cosines'>
  /** Null where the embedding runtime does not work: then words alone. */
  embedder: Pick<Embedder, 'model' | 'embedQuery'> | null
  /** From `createQueryReader`. */
  readQuery(query: string): ReadQuery
  /** In any order; a fragment deleted meanwhile is missing. */
  loadFragments(keys: number[]): Promise<Fragment[]>
  /** Fragments of the collection without a vector of this model; all of them when `model` is null. */
  countWithoutVector(collectionId: string, model: string | null): Promise<number>
}

export interface RetrieveQuery {
  collectionId: string
  query: string
  /** Most hits. */
  limit: number
  /** Least similarity, 0 to 1. */
  threshold?: number
  /** Most hits of one address. */
  perAddress?: number
  /** Keeps a fragment that holds every word of the query, however low its similarity. */
  keepWholeMatches?: boolean
}

export interface RetrievedHit<Fragment> extends FusedHit {
  fragment: Fragment
  /**
   * 0 to 1, comparable between queries. In a language that the embedding model knows it is the cosine; in one that it does
   * not know, the share of the query's words that the fragment holds; between the two, a mixture by the same measure that
   * weighs the fusion. The default threshold of .3 keeps and drops alike on both scales: see docs/figures.md.
   */
  similarity: number
}

export interface Retrieved<Fragment> {
  /** Best first. */
  hits: RetrievedHit<Fragment>[]
  /** Whether meaning counted, or words alone. */
  by: 'words-and-meaning' | 'words'
  /** Fragments of the collection that are found by words only, for now. */
  withoutVector: number
  /** Why meaning did not count although there is an embedder. */
  failure?: unknown
}

const depth = 100
/** Word hits after the first hundred only lend their BM25 to hits by meaning. */
const wordHits = 1_000
const defaultThreshold = 0.3
const defaultPerAddress = 3

/** Finds fragments of one collection by words and by meaning, fused. Rejects only when an index does. */
export async function retrieve<Fragment extends RetrievableFragment>(
  deps: RetrieveDeps<Fragment>,
  {
    collectionId,
    query,
    limit,
    threshold = defaultThreshold,
    perAddress = defaultPerAddress,
    keepWholeMatches = false,
  }: RetrieveQuery,
): Promise<Retrieved<Fragment>> {
  const read = deps.readQuery(query)
  const counting = deps.countWithoutVector(collectionId, deps.embedder?.model ?? null)
  if (read.words.length === 0) return { hits: [], by: 'words', withoutVector: await counting }

  const [words, meaning, withoutVector] = await Promise.all([
    deps.textIndex.search(collectionId, query, wordHits),
    searchByMeaning(deps, collectionId, query),
    counting,
  ])
  const { vector, vectors, failure } = meaning
  const byMeaning = new Set(vectors.map(({ key }) => key))
  const unknown = words.slice(0, depth).flatMap(({ key }) => (byMeaning.has(key) ? [] : key))
  const cosines = vector ? await deps.vectorIndex.cosines(collectionId, vector, unknown) : []
  const fused = fuse({ words, vectors, cosines, denseShare: denseShareOf(read.piecesPerWord), depth })

  const hits = await choose(deps, fused, read, { limit, threshold, perAddress, keepWholeMatches })
  const by = vectors.length > 0 ? 'words-and-meaning' : 'words'
  return failure === undefined ? { hits, by, withoutVector } : { hits, by, withoutVector, failure }
}

/** An embedder that fails leaves the words. */
async function searchByMeaning(
  { embedder, vectorIndex }: Pick<RetrieveDeps<RetrievableFragment>, 'embedder' | 'vectorIndex'>,
  collectionId: string,
  query: string,
): Promise<{ vector: Float32Array | null; vectors: KeyScore[]; failure?: unknown }> {
  if (!embedder) return { vector: null, vectors: [] }
  let vector: Float32Array
  try {
    vector = await embedder.embedQuery(query)
  } catch (failure) {
    return { vector: null, vectors: [], failure }
  }
  return { vector, vectors: await vectorIndex.search(collectionId, vector, depth) }
}

/** Takes hits in their order until there are enough; texts are loaded in parts, for most are not needed. */
async function choose<Fragment extends RetrievableFragment>(
  { loadFragments }: Pick<RetrieveDeps<Fragment>, 'loadFragments'>,
  fused: FusedHit[],
  { words, piecesPerWord }: ReadQuery,
  { limit, threshold, perAddress, keepWholeMatches }: Required<Omit<RetrieveQuery, 'collectionId' | 'query'>>,
): Promise<RetrievedHit<Fragment>[]> {
  const known = familiarity(piecesPerWord)
  const possible = fused.filter(
    ({ cosine, bm25 }) => known < 1 || cosine === null || cosine >= threshold || (keepWholeMatches && bm25 > 0),
  )
  const hits: RetrievedHit<Fragment>[] = []
  const taken = new Map<string, number>()
  const step = Math.max(20, 2 * limit)

  for (let start = 0; start < possible.length && hits.length < limit; start += step) {
    const some = possible.slice(start, start + step)
    const loaded = new Map(
      (await loadFragments(some.map(({ key }) => key))).map((fragment) => [fragment.key, fragment]),
    )
    for (const hit of some) {
      const fragment = loaded.get(hit.key)
      const sofar = fragment ? (taken.get(fragment.addressId) ?? 0) : perAddress
      if (!fragment || sofar >= perAddress || hits.length >= limit) continue
      const similarity = similarityOf(hit.cosine, fragment)
      if (similarity < threshold && !(keepWholeMatches && evidenceOf(fragment) === 1)) continue
      taken.set(fragment.addressId, sofar + 1)
      hits.push({ ...hit, fragment, similarity })
    }
  }
  return hits

  function evidenceOf({ title, headings, text }: Fragment): number {
    return wordEvidence(words, `${title}\n${headings}\n${text}`)
  }

  function similarityOf(cosine: number | null, fragment: Fragment): number {
    if (known === 1 && cosine !== null) return Math.max(0, cosine)
    const evidence = evidenceOf(fragment)
    return cosine === null ? evidence : known * Math.max(0, cosine) + (1 - known) * evidence
  }
}
