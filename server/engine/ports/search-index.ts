import type { ParsedQuery } from './parsed-query'

/** Counts tokens as the embedding model does. Pure and synchronous; loads no model. */
export interface Tokenizer {
  /** Tokens of the text, without the two special ones. */
  count(text: string): number
  /**
   * Like `count`, except that a word for which the model has no tokens counts one for each of its letters, as if the model
   * read it. Undefined for a model that has tokens for every word.
   */
  countUnknownByLetters?(text: string): number
  /** Tokens of a passage that the model reads, without its prefix and the special ones; undefined if unknown. */
  readonly maxPassageTokens?: number | undefined
}

export interface Embedder {
  /** Identity of the model (folder name and checksum of all that determines its vectors), stored with every vector. */
  readonly model: string
  readonly dimensions: number
  /** Whether texts are sent to a service. */
  readonly isService?: true
  /** One unit vector per text, in order. Texts over the model's length are truncated. */
  embedPassages(texts: string[], options?: EmbedOptions): Promise<Float32Array[]>
  /** One unit vector; never waits for passages. A service embeds with the key of the organization. */
  embedQuery(text: string, organizationId?: string): Promise<Float32Array>
  close(): Promise<void>
}

export interface EmbedOptions {
  signal?: AbortSignal | undefined
  /** Whose texts they are: a service embeds with the key of the organization, and its tokens are counted. */
  organizationId?: string
}

/** The texts of a fragment that keyword search matches. `key` is the integer key of its row. */
export interface IndexedText {
  key: number
  collectionId: string
  title: string
  /** Headings above the start of the fragment and within it, joined by ' / '. */
  headings: string
  text: string
}

export interface KeyScore {
  key: number
  /** Higher is better. */
  score: number
}

/** What keyword search matched in place of a query word. */
export interface QueryExpansion {
  /** Folded words of the collection, most likely first. */
  words: string[]
  /** Whether they are the parts of a name, words that start with it, or corrections. */
  reason: 'parts' | 'prefix' | 'misspelling'
}

export interface KeywordHits {
  /** Best first. */
  hits: KeyScore[]
  /** Expansions by folded query word. */
  expansions: ReadonlyMap<string, QueryExpansion>
}

/** Keyword search in one collection. `Tx` is the transaction that writes fragments and their terms together. */
export interface TextIndex<Tx = unknown> {
  /** Replaces fragments with the same keys. */
  add(tx: Tx, fragments: IndexedText[]): Promise<void>
  /** Ignores keys that the collection does not have. */
  remove(tx: Tx, collectionId: string, keys: number[]): Promise<void>
  /** Best matches by BM25, which is positive; none for a query without words. `among` restricts the search to these keys. */
  search(collectionId: string, query: ParsedQuery, limit: number, among?: ReadonlySet<number>): Promise<KeywordHits>
}

/**
 * A collection has up to two sets of vectors, each of one model: while its model changes, the set in use and the one that is
 * being built.
 */
export type VectorSlot = 0 | 1

const secondSetSuffix = '/2'

/** The id of a set of vectors, which is that of its collection for the first. */
export function vectorSetId(collectionId: string, slot: VectorSlot): string {
  return slot === 0 ? collectionId : `${collectionId}${secondSetSuffix}`
}

export function partsOfSetId(setId: string): { collectionId: string; slot: VectorSlot } {
  return setId.endsWith(secondSetSuffix)
    ? { collectionId: setId.slice(0, -secondSetSuffix.length), slot: 1 }
    : { collectionId: setId, slot: 0 }
}

/** Vector search in one set of vectors. */
export interface VectorIndex<Tx = unknown> {
  /** Replaces vectors of the set with the same keys. */
  add(tx: Tx, setId: string, vectors: { key: number; vector: Float32Array }[]): Promise<void>
  /** Ignores keys without a vector in the set. */
  remove(tx: Tx, setId: string, keys: number[]): Promise<void>
  /**
   * Nearest fragments by cosine, which is their score, best first. Never returns deleted fragments. `among` restricts the
   * search to these keys.
   */
  search(setId: string, vector: Float32Array, limit: number, among?: ReadonlySet<number>): Promise<KeyScore[]>
  /** The vectors as they were added, of any collections that have them in this slot. Omits keys without one. */
  read(slot: VectorSlot, keys: number[]): Promise<{ key: number; vector: Float32Array }[]>
  /** Exact cosines of these fragments. Omits those without a vector. */
  cosines(setId: string, vector: Float32Array, keys: number[]): Promise<KeyScore[]>
}

/** A search index on a server of its own, which is fed from the record. */
export interface SearchFeed {
  /**
   * Writes the next fragments that changed to the index. `loadTexts` reads their texts, without those that were deleted.
   * Returns how many; 0 if none waits. Throws if the server does not take them; they stay in line.
   */
  deliverNext(loadTexts: LoadTexts): Promise<number>
  /** Fragments that wait, of one collection or of all, and since when the first of them has. */
  pending(collectionId?: string): Promise<{ count: number; oldest: Date | null }>
  /** Resolves when searches find all that was delivered. */
  refresh(): Promise<void>
  /** 'red': searches fail. 'yellow': copies are missing. 'away': the server does not respond. */
  health(): Promise<{ status: 'green' | 'yellow' | 'red' | 'away'; documents: number; bytes: number }>
  /** Whether the index is one of this version. */
  isCurrent(): Promise<boolean>
  /**
   * Begins an empty index beside the current one. From then on, deliveries reach both. False if there is one, from a rebuild
   * that was interrupted.
   */
  beginRebuild(): Promise<boolean>
  /** Writes fragments of which nothing changed to the new index. */
  rewrite(keys: number[], loadTexts: LoadTexts): Promise<void>
  /** Searches read the new index from now on. */
  finishRebuild(): Promise<void>
}

export type LoadTexts = (keys: number[]) => Promise<IndexedText[]>
