import { foldWords, isPaired, pairsOf, runsOf, unifyForms, withoutArticle } from '../language/normalize-text'
import { partsOf } from './identifiers'
import { formWorth } from './term-similarity'

/** A word as it is looked for: the pairs of its signs, or its parts. */
export interface SoughtWord {
  pairs: string[]
  parts: string[]
  /** What it counts where it is held, 1 at most. */
  worth: number
  /** Words that end like one of these hold it nearly. */
  ends: string[]
  /** Whether a word of four letters holds it nearly that begins like it; one that begins like a longer word always does. */
  begins: boolean
}

/** How a word is looked for, where it is not looked for as it was written. */
export interface WordForm {
  word: string
  worth?: number
  ends?: string[]
  begins?: boolean
}

/** What words a text has, in the forms that are compared. */
export interface TextForms {
  folded: string
  /** Its words, by their first letters. */
  words: ReadonlyMap<string, ReadonlySet<string>>
}

/** What words are kept by: forms that share fewer letters are not compared. */
const keyLetters = 2
/** What a compound counts where its last word was asked for. */
const endWorth = 0.8
const letter = /\p{L}/u
const none: ReadonlySet<string> = new Set()
/** Names with humps or digits, whose parts are words, too. */
const madeOfParts = /\p{Ll}\p{Lu}|\p{L}\p{N}|\p{N}\p{L}/u

/** Words of a query as they are compared with texts, in their order. */
export function soughtWords(words: (string | WordForm)[]): SoughtWord[] {
  return words.map((one) => {
    const { word, worth = 1, ends = [], begins = false }: WordForm = typeof one === 'string' ? { word: one } : one
    const folded = foldWords(word)
    if (isPaired(folded)) return { pairs: pairsOf(folded), parts: [], worth, ends, begins }
    return { pairs: [], parts: runsOf(folded).map(withoutArticle), worth, ends, begins }
  })
}

/** What a text is compared by: worked out once, however many words are looked for. */
export function formsOf(text: string): TextForms {
  const words = new Map<string, Set<string>>()
  for (const run of runsOf(unifyForms(text))) {
    keep(run)
    if (madeOfParts.test(run)) partsOf(run).forEach(keep)
  }
  return { folded: foldWords(text), words }

  function keep(run: string): void {
    const word = withoutArticle(foldWords(run))
    const key = word.slice(0, keyLetters)
    const some = words.get(key)
    if (some) some.add(word)
    else words.set(key, new Set([word]))
  }
}

/**
 * How much of each word a text holds, 0 to 1: whether it stands there or, for as much as `formWorth` gives, another form
 * of it or a word that begins like it; names by their parts; of writing without spaces, the share of its pairs of
 * characters. A compound holds its last word nearly, where that is looked for. Their mean stands in for the cosine where
 * the embedding model does not know the language.
 */
export function wordsHeld(sought: SoughtWord[], { folded, words }: TextForms): number[] {
  return sought.map(({ pairs, parts, worth, ends, begins }) => {
    if (pairs.length > 0) return (worth * pairs.filter((pair) => folded.includes(pair)).length) / pairs.length
    const best = (part: string) => bestOf(words.get(part.slice(0, keyLetters)) ?? none, part, begins)
    const held = (worth * parts.reduce((sum, part) => sum + best(part), 0)) / Math.max(1, parts.length)
    return held < endWorth && ends.some((end) => endsWord(folded, end)) ? endWorth : held
  })
}

function bestOf(words: ReadonlySet<string>, part: string, begins: boolean): number {
  if (words.has(part)) return 1
  let best = 0
  for (const word of words) best = Math.max(best, formWorth(part, word, begins))
  return best
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
