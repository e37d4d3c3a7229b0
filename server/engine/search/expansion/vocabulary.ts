/**
 * The terms of one collection: folded words, stems, and prefixes that end with `~`. Lookups are synchronous, because query
 * expansion runs in the thread that owns the database connection.
 */
export interface Vocabulary {
  /** Number of fragments that contain each of these folded words, counted up to 100. Omits words without any. */
  countWords(words: string[]): Map<string, number>
  /** The same for the prefixes that inflected words are indexed by; see `wordPrefix`. */
  countPrefixes(prefixes: string[]): Map<string, number>
  /** Sum of the fragments that contain each of these terms. */
  sumFragments(terms: string[]): number
  /** Terms that start with a prefix, in code point order; at most `limit`, if given. */
  termsStartingWith(prefix: string, limit?: number): string[]
}
