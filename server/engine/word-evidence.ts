import { stemmer } from 'stemmer'
import { partsOf } from './query-codes'
import { beginningOf, foldWords, isPaired, pairsOf, runsOf, unifyForms } from './word-forms'

/** A word as it is looked for: the pairs of its signs, or its parts. */
export interface SoughtWord {
  pairs: string[]
  parts: string[]
}

/** What words a text has, in the forms that are compared. */
export interface TextForms {
  folded: string
  beginnings: ReadonlySet<string>
}

/** Words that are so short have no common beginning; English ones share their stem, as 'lamp' and 'lamps' do. */
const longestStemmed = 5
/** Names with humps or digits, whose parts are words, too. */
const madeOfParts = /\p{Ll}\p{Lu}|\p{L}\p{N}|\p{N}\p{L}/u

/** Words of a query as they are compared with texts, in their order. */
export function soughtWords(words: string[]): SoughtWord[] {
  return words.map(foldWords).map((word) => {
    return isPaired(word) ? { pairs: pairsOf(word), parts: [] } : { pairs: [], parts: runsOf(word).map(shared) }
  })
}

/** What a text is compared by: worked out once, however many words are looked for. */
export function formsOf(text: string): TextForms {
  const beginnings = new Set<string>()
  for (const run of runsOf(unifyForms(text))) {
    beginnings.add(shared(foldWords(run)))
    if (madeOfParts.test(run)) for (const part of partsOf(run)) beginnings.add(shared(foldWords(part)))
  }
  return { folded: foldWords(text), beginnings }
}

/**
 * How much of each word a text holds, 0 to 1: whether it stands there, compared by the first five letters without
 * diacritics, so that inflected forms agree; short words also by their English stems, and names by their parts; of
 * writing without spaces, the share of its pairs of characters. Their mean stands in for the cosine where the embedding
 * model does not know the language.
 */
export function wordsHeld(sought: SoughtWord[], { folded, beginnings }: TextForms): number[] {
  return sought.map(({ pairs, parts }) => {
    if (pairs.length > 0) return shareOf(pairs, (pair) => folded.includes(pair))
    return shareOf(parts, (part) => beginnings.has(part))
  })
}

function shared(folded: string): string {
  const beginning = beginningOf(folded) ?? folded
  return folded.length <= longestStemmed ? stemmer(beginning) : beginning
}

function shareOf(parts: string[], holds: (part: string) => boolean): number {
  return parts.length === 0 ? 0 : parts.filter(holds).length / parts.length
}
