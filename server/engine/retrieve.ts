import { type ChosenHit, chooseHits, type DroppedHit, type RetrievableFragment } from './choose-hits'
import { denseShareOf, fuse } from './fusion'
import type { Embedder, KeyScore, TextIndex, Tokenizer, VectorIndex, WordHits } from './ports'
import type { ReadQuery } from './query-words'
import { createLikeness } from './similarity'
import { foldWords } from './word-forms'

export interface RetrieveDeps<Fragment extends RetrievableFragment> {
  textIndex: Pick<TextIndex, 'search'>
  vectorIndex: Pick<VectorIndex, 'search' | 'cosines'>
  /** Null where the embedding runtime does not work: then words alone. */
  embedder: Pick<Embedder, 'model' | 'embedQuery'> | null
  tokenizer: Pick<Tokenizer, 'count'>
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
  /** Most hits of one address, as long as others fill the places. */
  perAddress?: number
  /** The visitor's language, preferred among equals. */
  language?: string | null
  /** Only these fragments are looked at; null for all of the collection. */
  among?: ReadonlySet<number> | null
  /** Tells what was dropped, and why. */
  explain?: boolean
}

export interface Retrieved<Fragment> {
  /** Best first. */
  hits: ChosenHit<Fragment>[]
  /** Whether meaning counted, or words alone. */
  by: 'words-and-meaning' | 'words'
  /** Fragments of the collection that are found by words only, for now. */
  withoutVector: number
  /** Where it was asked for. */
  explanation?: Explanation<Fragment>
  /** Why meaning did not count although there is an embedder. */
  failure?: unknown
}

export interface Explanation<Fragment> {
  read: ReadQuery
  threshold: number
  /** Share of the cosine in the fused score. */
  denseShare: number
  /** How many were found by words, and by meaning; of both at most a hundred are fused. */
  found: { words: number; vectors: number; fused: number }
  /** In their order, at most `mostDropped`. */
  dropped: DroppedHit<Fragment>[]
}

const depth = 100
/** Word hits after the first hundred only lend their BM25 to hits by meaning. */
const wordHits = 1_000
const defaultThreshold = 0.3
const defaultPerAddress = 3
const mostDropped = 50

/** Finds fragments of one collection by words and by meaning, fused. Rejects only when an index does. */
export async function retrieve<Fragment extends RetrievableFragment>(
  deps: RetrieveDeps<Fragment>,
  query: RetrieveQuery,
): Promise<Retrieved<Fragment>> {
  const { collectionId, among, threshold = defaultThreshold } = query
  const asWritten = deps.readQuery(query.query)
  const counting = deps.countWithoutVector(collectionId, deps.embedder?.model ?? null)
  const nothing = asWritten.words.length === 0 || among?.size === 0
  const [{ hits: words, instead }, { vector, vectors, failure }, withoutVector] = await Promise.all([
    nothing ? noWords : deps.textIndex.search(collectionId, query.query, wordHits, among ?? undefined),
    nothing ? noVectors : searchByMeaning(deps, query),
    counting,
  ])
  const byMeaning = new Set(vectors.map(({ key }) => key))
  const unknown = words.slice(0, depth).flatMap(({ key }) => (byMeaning.has(key) ? [] : key))
  const cosines = vector && unknown.length > 0 ? await deps.vectorIndex.cosines(collectionId, vector, unknown) : []
  const { read, sureness } = asSearched(asWritten, instead)
  const denseShare = denseShareOf(read.piecesPerWord)
  const fused = fuse({ words, vectors, cosines, denseShare, depth })

  const likeness = createLikeness(query.query, read, (word) => deps.tokenizer.count(word), sureness)
  const { hits, dropped } = await chooseHits({ ...deps, likeness, query: read }, fused, {
    limit: query.limit,
    threshold,
    perAddress: query.perAddress ?? defaultPerAddress,
    language: query.language ?? null,
    mostDropped: query.explain ? mostDropped : 0,
  })
  const found = { words: words.length, vectors: vectors.length, fused: fused.length }
  return {
    hits,
    // Where nothing was looked for, meaning is not what was missing.
    by: vectors.length > 0 || (nothing && deps.embedder) ? 'words-and-meaning' : 'words',
    withoutVector,
    ...(query.explain ? { explanation: { read, threshold, denseShare, found, dropped } } : {}),
    ...(failure === undefined ? {} : { failure }),
  }
}

/** A guess at a misspelt word is worth so much less than the word. */
const guessLoss = 0.4

/** With the words that were meant, where some are misspelt or names in parts, and how sure that is, 0 to 1. */
function asSearched(read: ReadQuery, instead: WordHits['instead']): { read: ReadQuery; sureness: number } {
  if (instead.size === 0) return { read, sureness: 1 }
  const replaced = read.words.map((word) => instead.get(foldWords(word)) ?? { words: [word], isGuess: false })
  const guesses = replaced.filter(({ isGuess }) => isGuess).length
  const words = [...new Set(replaced.flatMap((one) => one.words))]
  return { read: { ...read, words }, sureness: 1 - (guessLoss * guesses) / replaced.length }
}

interface Meaning {
  vector: Float32Array | null
  vectors: KeyScore[]
  failure?: unknown
}

const noWords: WordHits = { hits: [], instead: new Map() }
const noVectors: Meaning = { vector: null, vectors: [] }

/** An embedder that fails leaves the words. */
async function searchByMeaning(
  { embedder, vectorIndex }: Pick<RetrieveDeps<RetrievableFragment>, 'embedder' | 'vectorIndex'>,
  { collectionId, query, among }: RetrieveQuery,
): Promise<Meaning> {
  if (!embedder) return noVectors
  let vector: Float32Array
  try {
    vector = await embedder.embedQuery(query)
  } catch (failure) {
    return { ...noVectors, failure }
  }
  return { vector, vectors: await vectorIndex.search(collectionId, vector, depth, among ?? undefined) }
}
