import { foldWords } from '../language/normalize-text'
import type { Embedder, TextIndex, Tokenizer, VectorIndex, WordHits } from '../ports'
import { type Admission, type Candidates, depth, findCandidates } from './candidates'
import { correctionsOf, correctQuery } from './correct-spelling'
import { denseShareOf, fuse } from './fusion'
import type { ReadQuery } from './parse-query'
import { createLikeness } from './relevance'
import { type ChosenHit, chooseHits, type DroppedHit, type RetrievableFragment } from './select-hits'
import { writtenForms } from './term-coverage'

export interface RetrieveDeps<Fragment extends RetrievableFragment> {
  textIndex: Pick<TextIndex, 'search'>
  vectorIndex: Pick<VectorIndex, 'search' | 'cosines'>
  /** Null where the embedding runtime does not work: then words alone. */
  embedder: Pick<Embedder, 'model' | 'embedQuery'> | null
  tokenizer: Pick<Tokenizer, 'count'>
  /** From `createQueryReader`. */
  readQuery(query: string): ReadQuery
  /** In any order; one that may not be found is missing. */
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
  /** Which fragments may be found, where not all that are stored may. */
  admission?: Admission
  /** Filters narrow it: what is found is looked at from the start, and not only once something could not be loaded. */
  isNarrowed?: boolean
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

const defaultThreshold = 0.3
const defaultPerAddress = 3
const mostDropped = 50
/** Fragments that are read for how they write a word. */
const mostRead = 10
/** Compounds of a word that are told. */
const mostShown = 5

/** Finds fragments of one collection by words and by meaning, fused. Rejects only when an index does. */
export async function retrieve<Fragment extends RetrievableFragment>(
  deps: RetrieveDeps<Fragment>,
  query: RetrieveQuery,
): Promise<Retrieved<Fragment>> {
  const { collectionId, admission, isNarrowed = false, threshold = defaultThreshold } = query
  const asWritten = deps.readQuery(query.query)
  const nothing = asWritten.words.length === 0
  const embedding = nothing ? noMeaning : embed(deps, query.query)
  const embedCorrected = rememberLast((text: string) => (text === query.query ? embedding : embed(deps, text)))
  const [first, withoutVector] = await Promise.all([
    findAmong(isNarrowed ? admission : undefined),
    deps.countWithoutVector(collectionId, deps.embedder?.model ?? null),
  ])
  let found = first
  // What is being taken away would leave its places empty.
  if (found.isShort && admission && !isNarrowed) found = await findAmong(admission)
  const { read, denseShare, hits, dropped, counts, failure } = found
  const nothingLeft = nothing || (isNarrowed && counts.fused === 0 && (await admission?.all())?.size === 0)
  return {
    hits,
    // Where nothing was looked for, meaning is not what was missing.
    by: counts.vectors > 0 || (nothingLeft && deps.embedder) ? 'words-and-meaning' : 'words',
    withoutVector,
    ...(query.explain ? { explanation: { read: told(), threshold, denseShare, found: counts, dropped } } : {}),
    ...(failure === undefined ? {} : { failure }),
  }

  async function findAmong(admitted: Admission | undefined) {
    let corrected = query.query
    let meaning: Meaning = { vector: null }
    const { words, vector, vectors } = nothing
      ? nothingFound
      : await findCandidates({
          textIndex: deps.textIndex,
          vectorIndex: deps.vectorIndex,
          collectionId,
          query: query.query,
          meaning: async (words) => {
            corrected = await correct(words)
            meaning = await embedCorrected(corrected)
            return meaning.vector
          },
          admission: admitted ?? null,
          countsWords: query.explain ?? false,
        })
    const byMeaning = new Set(vectors.map(({ key }) => key))
    const unknown = words.hits.slice(0, depth).flatMap(({ key }) => (byMeaning.has(key) ? [] : key))
    const cosines = vector && unknown.length > 0 ? await deps.vectorIndex.cosines(collectionId, vector, unknown) : []
    // A slip falls into more pieces than its word, as if it were of another language.
    const { piecesPerWord } = corrected === query.query ? asWritten : deps.readQuery(corrected)
    const asMeant = { ...asWritten, piecesPerWord }
    const read = asSearched(asMeant, words.instead)
    const denseShare = denseShareOf(read.piecesPerWord)
    const fused = fuse({ words: words.hits, vectors, cosines, denseShare, depth })
    const likeness = createLikeness(corrected, asMeant, words.instead, (text) => deps.tokenizer.count(text))
    const chosen = await chooseHits({ ...deps, likeness, query: read }, fused, {
      limit: query.limit,
      threshold,
      perAddress: query.perAddress ?? defaultPerAddress,
      language: query.language ?? null,
      mostDropped: query.explain ? mostDropped : 0,
    })
    const counts = { words: words.hits.length, vectors: vectors.length, fused: fused.length }
    return { ...chosen, read, denseShare, counts, failure: meaning.failure }
  }

  /** The query with the words that were meant, as the first texts that hold them write them. */
  async function correct({ hits, instead }: WordHits): Promise<string> {
    const corrections = correctionsOf(instead)
    if (corrections.size === 0 || !deps.embedder) return query.query
    const some = await deps.loadFragments(hits.slice(0, mostRead).map(({ key }) => key))
    const texts = some.map(({ title, headings, text }) => `${title}\n${headings}\n${text}`)
    return correctQuery(query.query, corrections, writtenForms([...corrections.values()], texts))
  }

  /** What was looked for in place of other words is told as the fragments write it. */
  function told(): ReadQuery {
    const texts = [...hits, ...dropped].map(
      ({ fragment: { title, headings, text } }) => `${title}\n${headings}\n${text}`,
    )
    const typed = new Set(asWritten.words)
    const words = writtenForms(
      read.words.filter((word) => !typed.has(word)),
      texts,
    )
    return { ...read, words: read.words.map((word) => words.get(word) ?? word) }
  }
}

/** With the words that were looked for in place of those that stand nowhere. */
function asSearched(read: ReadQuery, instead: WordHits['instead']): ReadQuery {
  if (instead.size === 0) return read
  const words = read.words.flatMap((word) => {
    const folded = foldWords(word)
    const others = instead.get(folded)?.words.slice(0, mostShown) ?? [word]
    return others.map((other) => (other === folded ? word : other))
  })
  return { ...read, words: [...new Set(words)] }
}

interface Meaning {
  vector: Float32Array | null
  failure?: unknown
}

const noMeaning: Promise<Meaning> = Promise.resolve({ vector: null })
const nothingFound: Candidates = { words: { hits: [], instead: new Map() }, vector: null, vectors: [] }

/** The same text is embedded once, also where the search is made again. */
function rememberLast(embedText: (text: string) => Promise<Meaning>): (text: string) => Promise<Meaning> {
  let last: { text: string; meaning: Promise<Meaning> } | null = null
  return (text) => {
    if (last?.text !== text) last = { text, meaning: embedText(text) }
    return last.meaning
  }
}

/** An embedder that fails leaves the words. */
async function embed({ embedder }: { embedder: Pick<Embedder, 'embedQuery'> | null }, query: string): Promise<Meaning> {
  if (!embedder) return { vector: null }
  try {
    return { vector: await embedder.embedQuery(query) }
  } catch (failure) {
    return { vector: null, failure }
  }
}
