import type { WordQueries } from './text-index-sqlite-queries'
import { endingTerm, wordOfEnding } from './text-index-sqlite-terms'

/** Words of the collection that are made of others, the last of which was looked for. */
interface Compounds {
  /** What they end with: the word, or a form of it. */
  end: string
  /** Folded, those of most fragments first. */
  words: string[]
}

const mayEndCompound = /^[a-z]{4,24}$/
/** Before the last word of a compound stands at least so much. */
const shortestFirst = 3
/** What ends more words than these is hardly a word itself: "-schaft". */
const mostWords = 200
const mostFragments = 10_000
const shortestEnd = 4
/** By which forms of nouns differ in the languages that write compounds as one word. */
const formEndings = ['n', 'en', 'e', 'er', 's', 'es']

/** The compounds that end with this folded word or with one of its forms, which are tried in order; null without any. */
export async function compoundsOf(
  queries: WordQueries,
  prefix: string,
  word: string,
  forms: string[] = [],
): Promise<Compounds | null> {
  if (!mayEndCompound.test(word)) return null
  const ends = [word, ...forms]
  const found = await queries.termsOfEach(
    ends.map((end) => prefix + endingTerm(end)),
    mostWords + 1,
  )
  for (const [n, terms] of found.entries()) {
    const end = ends[n] ?? ''
    const compounds = terms
      .map(({ term, many }) => ({ word: wordOfEnding(term.slice(prefix.length)), many }))
      .filter((one) => one.word.length >= end.length + shortestFirst)
    const fragments = compounds.reduce((sum, { many }) => sum + many, 0)
    if (compounds.length === 0 || terms.length > mostWords || fragments > mostFragments) continue
    const words = compounds.sort((one, other) => other.many - one.many).map((one) => one.word)
    return { end, words }
  }
  return null
}

/** What the word may be in other cases and numbers; each costs a place in the index to be found. */
export function formsOf(word: string): string[] {
  const shorter = formEndings.filter((ending) => word.endsWith(ending)).map((ending) => word.slice(0, -ending.length))
  return [...formEndings.map((ending) => word + ending), ...shorter.filter((one) => one.length >= shortestEnd)]
}
