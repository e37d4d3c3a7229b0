import { stemmer } from 'stemmer'
import { partsOf } from './query-codes'
import { beginningOf, foldWords, isPaired, pairsOf, runsOf, unifyForms } from './word-forms'

/** A word as it is looked for: the pairs of its signs, or its parts. */
export interface SoughtWord {
  pairs: string[]
  parts: string[]
  /** What it counts where it is held, 1 at most. */
  worth: number
  /** Words that end like this hold it nearly; null where only the word itself counts. */
  end: string | null
}

/** How a word is looked for, where it is not looked for as it was written. */
export interface WordForm {
  word: string
  worth?: number
  end?: string | null
}

/** What words a text has, in the forms that are compared. */
export interface TextForms {
  folded: string
  beginnings: ReadonlySet<string>
}

/** Words that are so short have no common beginning; English ones share their stem, as 'lamp' and 'lamps' do. */
const longestStemmed = 5
/** What a compound counts where its last word was asked for. */
const endWorth = 0.8
const letter = /\p{L}/u
/** Names with humps or digits, whose parts are words, too. */
const madeOfParts = /\p{Ll}\p{Lu}|\p{L}\p{N}|\p{N}\p{L}/u

/** Words of a query as they are compared with texts, in their order. */
export function soughtWords(words: (string | WordForm)[]): SoughtWord[] {
  return words.map((one) => {
    const { word, worth = 1, end = null }: WordForm = typeof one === 'string' ? { word: one } : one
    const folded = foldWords(word)
    if (isPaired(folded)) return { pairs: pairsOf(folded), parts: [], worth, end }
    return { pairs: [], parts: runsOf(folded).map(shared), worth, end }
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
 * writing without spaces, the share of its pairs of characters. A compound holds its last word nearly, where that is
 * looked for. Their mean stands in for the cosine where the embedding
 * model does not know the language.
 */
export function wordsHeld(sought: SoughtWord[], { folded, beginnings }: TextForms): number[] {
  return sought.map(({ pairs, parts, worth, end }) => {
    if (pairs.length > 0) return worth * shareOf(pairs, (pair) => folded.includes(pair))
    const held = worth * shareOf(parts, (part) => beginnings.has(part))
    return held < endWorth && end !== null && endsWord(folded, end) ? endWorth : held
  })
}

/** Whether a longer word ends like this. */
function endsWord(folded: string, end: string): boolean {
  for (let at = folded.indexOf(end); at !== -1; at = folded.indexOf(end, at + 1)) {
    if (letter.test(folded[at - 1] ?? '') && !letter.test(folded[at + end.length] ?? '')) return true
  }
  return false
}

/** Of folded words, how the first of these texts that has one writes it, in lower case. */
export function writtenForms(words: string[], texts: string[]): Map<string, string> {
  const written = new Map<string, string>()
  if (words.length === 0) return written
  const wanted = new Set(words)
  for (const run of texts.flatMap((text) => runsOf(unifyForms(text)))) {
    const folded = foldWords(run)
    if (wanted.has(folded) && !written.has(folded)) written.set(folded, run.toLowerCase())
  }
  return written
}

function shared(folded: string): string {
  const beginning = beginningOf(folded) ?? folded
  return folded.length <= longestStemmed ? stemmer(beginning) : beginning
}

function shareOf(parts: string[], holds: (part: string) => boolean): number {
  return parts.length === 0 ? 0 : parts.filter(holds).length / parts.length
}
