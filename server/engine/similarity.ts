import { familiarity } from './fusion'
import { headingSeparator } from './passage'
import type { ReadQuery } from './query-words'
import { formsOf, soughtWords, type TextForms, wordsHeld } from './word-evidence'

export interface Likeness {
  /**
   * 0 to 1, comparable between queries; what a threshold is compared with. In a language that the embedding model knows
   * it is made of cosine and words, in one that it does not know it is `evidence`, and between the two a mixture by the
   * same measure that weighs the fusion. Without a vector it is `evidence`.
   */
  similarity: number
  /** Share of the query's words that the fragment holds, all alike. */
  evidence: number
  /** The same with each word counting by its pieces: rare words are cut into more of them. */
  weighted: number
  /** How much its title or one of its headings is the query itself, 0 to 1. */
  heading: number
}

export interface ReadPassage {
  title: string
  /** In force, and inside of the text, each joined by ' / '. */
  headings: string
  innerHeadings: string
  text: string
}

/** Chosen on the sets of docs/figures.md: .3 keeps more answers than the cosine alone does. */
const cosineShare = 0.7

const word = /[\p{L}\p{N}]+/gu
/** More words of a query tell nothing that these do not. */
const mostWords = 64

/**
 * Measures how much a passage is like the query. `countPieces` is the tokenizer's; `sureness` says how sure it is, 0 to 1,
 * that its words are those that were meant.
 */
export function createLikeness(
  query: string,
  { words: all, piecesPerWord }: Pick<ReadQuery, 'words' | 'piecesPerWord'>,
  countPieces: (word: string) => number,
  sureness = 1,
): (cosine: number | null, passage: ReadPassage) => Likeness {
  const known = familiarity(piecesPerWord)
  const words = all.slice(0, mostWords)
  const sought = soughtWords(words)
  const asked = formsOf(query)
  const pieces = words.map((word) => Math.max(1, countPieces(word)))

  return (cosine, { title, headings, innerHeadings, text }) => {
    const held = wordsHeld(sought, formsOf(`${title}\n${headings}\n${text}`))
    const [evidence, weighted] = [sureness * mean(held), sureness * weightedMean(held, pieces)]
    const similarity =
      cosine === null ? evidence : known * likenessOf(Math.max(0, cosine), weighted) + (1 - known) * evidence
    const named = [title, ...headings.split(headingSeparator), ...innerHeadings.split(headingSeparator)]
    return { similarity, evidence, weighted, heading: Math.max(...named.map((one) => sameness(one, asked))) }
  }

  /** Harmonic mean of how much of the query a heading holds, and how much of the heading the query does. */
  function sameness(heading: string, query: TextForms): number {
    const own = heading.match(word) ?? []
    const held = weightedMean(wordsHeld(sought, formsOf(heading)), pieces)
    if (held === 0 || own.length === 0) return 0
    const back = mean(wordsHeld(soughtWords(own), query))
    return (2 * held * back) / (held + back)
  }
}

/**
 * A row of a table has a low cosine with a question about it, and holds its words; what says it in other words altogether
 * is as like as its cosine.
 */
function likenessOf(cosine: number, weighted: number): number {
  return Math.max(cosine, cosineShare * cosine + (1 - cosineShare) * weighted)
}

function mean(values: number[]): number {
  return weightedMean(
    values,
    values.map(() => 1),
  )
}

function weightedMean(values: number[], weights: number[]): number {
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  return all === 0 ? 0 : values.reduce((sum, value, n) => sum + value * (weights[n] ?? 0), 0) / all
}
