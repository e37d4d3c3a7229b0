import { headingSeparator } from '../chunking/embedding-text'
import { foldWords } from '../language/normalize-text'
import type { WordHits } from '../ports'
import { familiarity } from './fusion'
import type { ReadQuery } from './parse-query'
import { formsOf, soughtWords, type TextForms, type WordForm, wordsHeld } from './term-coverage'

export interface Likeness {
  /**
   * 0 to 1, comparable between queries; what a threshold is compared with. In a language that the embedding model knows
   * it is made of cosine and words, in one that it does not know it is what `evidence` proves, and between the two a mixture
   * by the word pieces of query and fragment. Without a vector it is what `evidence` proves.
   */
  similarity: number
  /** Share of the query's words that the fragment holds, all alike; guesses and compounds hold less than a whole one. */
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
/** A guess at a misspelt word is worth so much of the word. */
const guessWorth = 0.6
/** Where all words are guesses, the cosine, which goes by these, is worth so much less. */
const doubt = 0.1
/** What a fragment says of its language is worth so many words of the query, which alone may be rare ones or names. */
const fragmentWords = 4
/** So much of a text tells how its language falls into pieces. */
const tellingLength = 600
const letters = /\p{L}{2,}/gu
/** More words of a query tell nothing that these do not. */
const mostWords = 64

/**
 * Measures how much a passage is like the query, with the words that were meant. `countPieces` is the tokenizer's; `instead` is what was looked for in
 * place of words that stand nowhere.
 */
export function createLikeness(
  query: string,
  { words: all, piecesPerWord }: Pick<ReadQuery, 'words' | 'piecesPerWord'>,
  instead: WordHits['instead'],
  countPieces: (text: string) => number,
): (cosine: number | null, passage: ReadPassage) => Likeness {
  const words = formsOfWords(all.slice(0, mostWords), instead)
  const sought = soughtWords(words)
  const asked = formsOf(query)
  const certainty = 1 - doubt * mean(words.map(({ worth = 1 }) => Number(worth < 1)))
  const pieces = words.map((one) => Math.max(1, countPieces(one.word)))

  return (cosine, { title, headings, innerHeadings, text }) => {
    const held = wordsHeld(sought, formsOf(`${title}\n${headings}\n${text}`))
    const [evidence, weighted] = [mean(held), weightedMean(held, pieces)]
    const proven = provenBy(evidence, held.length)
    const known = cosine === null ? 0 : familiarityWith(text)
    const similarity =
      known * likenessOf(certainty * Math.min(1, Math.max(0, cosine ?? 0)), weighted) + (1 - known) * proven
    const named = [title, ...headings.split(headingSeparator), ...innerHeadings.split(headingSeparator)]
    return { similarity, evidence, weighted, heading: Math.max(...named.map((one) => sameness(one, asked))) }
  }

  /** How well the model knows the language that query and text are in, 0 to 1. */
  function familiarityWith(text: string): number {
    const some = text.slice(0, tellingLength).match(letters) ?? []
    if (some.length === 0) return familiarity(piecesPerWord)
    const own = countPieces(some.join(' ')) / some.length
    return familiarity((all.length * piecesPerWord + fragmentWords * own) / (all.length + fragmentWords))
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

function formsOfWords(words: string[], instead: WordHits['instead']): WordForm[] {
  const forms = words.flatMap((word): WordForm[] => {
    const other = instead.get(foldWords(word))
    if (!other) return [{ word }]
    const { ends, begins } = other
    if (ends || begins) return [{ word, ...(ends ? { ends } : {}), ...(begins ? { begins } : {}) }]
    return other.words.map((one) => ({ word: one, worth: other.because === 'misspelt' ? guessWorth : 1 }))
  })
  // Of a word that was typed twice, once with a slip, the last one stays: the word itself.
  const guessesFirst = forms.toSorted((one, other) => (one.worth ?? 1) - (other.worth ?? 1))
  return [...new Map(guessesFirst.map((form) => [foldWords(form.word), form])).values()]
}

/**
 * What a share of so many words says: all of one or two prove less than all of many, which rarely meet by chance. Above a
 * half it is drawn towards that (R. Krichevsky, V. Trofimov, 1981): one of one is .75, four of four .9.
 */
function provenBy(share: number, words: number): number {
  return Math.min(share, (share * words + 0.5) / (words + 1))
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
