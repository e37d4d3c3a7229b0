import { wordColumns } from './match-expressions'
import type { WordQueries } from './queries'
import { endingTerm, wordOfEnding } from './terms'

/** Words of the collection that are made of others, the last of which was looked for. */
interface Compounds {
  /** What they end with: the word and its forms. */
  ends: string[]
  /** Folded, those of most fragments first. */
  words: string[]
}

const mayBeInCompound = /^[a-z]{4,24}$/
const letters = /^\p{L}+$/u
/** Before the last word of a compound stands at least so much. */
const shortestFirst = 3
/** What ends more words than these is hardly a word itself: "-schaft". */
const mostWords = 200
const mostFragments = 10_000
const shortestEnd = 4

/** The compounds that end with this folded word or with one of these forms of it; null without any. */
export async function compoundsOf(
  queries: WordQueries,
  prefix: string,
  word: string,
  forms: string[],
): Promise<Compounds | null> {
  if (!mayBeInCompound.test(word)) return null
  const all = [word, ...forms]
  const found = await queries.termsOfEach(
    all.map((end) => prefix + endingTerm(end)),
    mostWords + 1,
  )
  const ends: string[] = []
  const words = new Map<string, number>()
  for (const [n, terms] of found.entries()) {
    const end = all[n] ?? ''
    const compounds = terms
      .map(({ term, many }) => ({ word: wordOfEnding(term.slice(prefix.length)), many }))
      .filter((one) => one.word.length >= end.length + shortestFirst)
    const fragments = compounds.reduce((sum, { many }) => sum + many, 0)
    if (compounds.length === 0 || terms.length > mostWords || fragments > mostFragments) continue
    // A shorter form ends words of other kinds, too.
    if (end.length < word.length && ends.length > 0) break
    ends.push(end)
    for (const one of compounds) words.set(one.word, one.many)
  }
  return ends.length === 0 ? null : { ends, words: mostFirst(words) }
}

/** Words of the collection that begin with this folded one, which is not typed to its end; null without any, or with too many. */
export async function wordsBegun(queries: WordQueries, prefix: string, word: string): Promise<string[] | null> {
  if (word.length < shortestEnd || !letters.test(word)) return null
  const [terms = []] = await queries.termsOfEach([prefix + word], mostWords + 1)
  const fragments = terms.reduce((sum, { many }) => sum + many, 0)
  if (terms.length > mostWords || fragments > mostFragments) return null
  const known = await queries.known(
    terms.flatMap(({ term }) => (letters.test(term.slice(prefix.length)) ? term : [])),
    wordColumns,
  )
  const words = new Map([...known].map(([term, many]) => [term.slice(prefix.length), many]))
  return words.size === 0 ? null : mostFirst(words)
}

function mostFirst(words: Map<string, number>): string[] {
  return [...words].sort(([, many], [, more]) => more - many).map(([word]) => word)
}
