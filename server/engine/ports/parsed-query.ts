/** A query as keyword search, fusion and ranking read it. */
export interface ParsedQuery {
  /** The query as it was typed. */
  text: string
  /** Lower case, each once, in the order of the query. Without stop words, unless the query is about them. */
  words: string[]
  /** See `identifiersIn`. */
  identifiers: string[][]
  /** Whether words match by their English stems, rather than by their prefixes as in inflected languages. */
  isEnglish: boolean
  /** Tokens of the embedding model per word: 1 to 1.4 in plain English, 2 and more in a language the model does not know. */
  tokensPerWord: number
  /** Whether the query is in a script that the embedding model has no words of, so that it reads letters or nothing. */
  isReadByLetters: boolean
  /** See `tokensPerFunctionWord`, for the language of the query; null if it is unknown. */
  tokensPerFunctionWord: number | null
}
