/** A term of the text index: a folded word, a stem, or a word prefix that ends with `~`. */
export interface TermFrequency {
  term: string
  /** Fragments that contain it. */
  fragments: number
}

/**
 * The terms of one collection. Lookups are synchronous, because query expansion runs in the thread that owns the
 * database connection.
 */
export interface Vocabulary {
  /** Number of fragments that contain each of these folded words, counted up to 100. Omits words without any. */
  countWords(words: string[]): Map<string, number>
  /** The same for the prefixes that inflected words are indexed by; see `wordPrefix`. */
  countPrefixes(prefixes: string[]): Map<string, number>
  /** Terms that start with a prefix, in code point order; at most `limit`, if given. */
  termsStartingWith(prefix: string, limit?: number): TermFrequency[]
}
