import { foldWords, unifyForms } from '../../engine/language/normalize-text'
import type { KeyScore, WordHits, WordsInstead } from '../../engine/ports'
import { codesIn } from '../../engine/search/identifiers'
import { compoundsOf, wordsBegun } from './compounds'
import { createMatches, type Sought, wordColumns } from './match-expressions'
import type { WordQueries } from './queries'
import type { Counted } from './query-plan'
import { addScores, rankWords } from './rank'
import { nearWords } from './spelling'
import { cutWord, formsOf, placeTerm } from './terms'

/** How a query is read: see `server/engine/search/parse-query.ts`. */
export interface QueryWords {
  /** In lower case, without stop words, each once. */
  words: string[]
  /** Words of an inflected language are found by their beginnings, English ones by themselves and by their stems. */
  english: boolean
}

/** Where is searched: in the collection whose terms begin like this. */
export interface Scope {
  prefix: string
  among: ReadonlySet<number> | undefined
}

interface Found {
  /** All of the collection. */
  fragments: number
  words: Counted[]
  codes: Counted[]
  instead: Map<string, WordsInstead>
  /** Share of the query's words that are parts of its codes. */
  codeShare: number
}

const mostWords = 32
const mostSought = 64
const mostMisspelt = 4
/** Of a word with fewer fragments, compounds that end with it are looked for as well. */
const fewFragments = 10
const mostExtended = 4
const anyWord = /[\p{L}\p{N}\p{M}]+/gu

/** Searches the words of one collection, best first. docs/decisions/words.md says how, and what was tried. */
export async function searchWords(
  queries: WordQueries,
  { prefix, among }: Scope,
  read: QueryWords,
  query: string,
  limit: number,
): Promise<WordHits> {
  const matches = createMatches(prefix)
  const place = `place : "${placeTerm(prefix)}"`
  const { fragments, words, codes, codeShare, instead } = await find()
  const allFragments = await queries.allFragments()
  const hits = await rankWords(queries, { fragments, allFragments, among }, [...words, ...codes], limit)
  if (codes.length === 0 || hits.length === 0) return { hits, instead }
  return { hits: await preferWhole(queries, hits, codes, codeShare), instead }

  async function count(some: Sought[]): Promise<Counted[]> {
    const all = some.flatMap((one) => one.matches.map(({ match }) => match))
    const counts = all.length === 0 ? [] : await queries.count(all, place)
    let next = 0
    return some.map((one) => {
      const counted = one.matches.map((match) => ({ ...match, count: counts[next++] ?? 0 }))
      const there = withoutMissing(counted)
      return { matches: there, count: there.reduce((sum, match) => sum + match.count, 0) }
    })
  }

  /** What of the query is there to be found. */
  async function find(): Promise<Found> {
    const wholes = codesIn(query)
    const sought = matches.ofWords(read.words.slice(0, mostWords), read.english).slice(0, mostSought)
    if (sought.length + wholes.length === 0) return nothing
    const anything: Sought = { matches: [{ match: place, weight: 1 }], word: null }
    const [here, ...all] = await count([anything, ...sought, ...wholes.map((whole) => matches.ofCode(whole))])
    const codes = all.slice(sought.length).filter((one) => one.count > 0)
    const partsOfCodes = new Set(wholes.flat())
    const isLostInCode = ({ word }: Sought) => codes.length > 0 && word?.length === 1 && partsOfCodes.has(word)
    const kept = all.slice(0, sought.length).filter((_, n) => !isLostInCode(sought[n] ?? noWord))
    const missing = sought.flatMap(({ word }, n) => (all[n]?.count === 0 && word !== null ? word : []))
    const folded = read.words.map(foldWords)
    const covered = folded.filter((word) => word.split('_').every((part) => partsOfCodes.has(part)))
    const [others, beside] = await Promise.all([insteadOf(missing), compoundsBeside(sought, all)])
    for (const [word, compounds] of beside.instead) others.instead.set(word, compounds)
    for (const [n, whole] of wholes.entries()) {
      const isInOne =
        whole.length > 1 &&
        (all[sought.length + n]?.matches.some(({ match }) => match === matches.inOne(whole)) ?? false)
      if (isInOne) for (const part of whole) others.instead.set(part, { words: [whole.join('')], because: 'parts' })
    }
    return {
      // Numbers of common words are remembered, and may be those of some moments ago.
      fragments: Math.max(here?.count ?? 0, ...all.flatMap(({ matches }) => matches.map(({ count }) => count))),
      words: [...kept, ...others.words, ...beside.words],
      codes,
      codeShare: covered.length / Math.max(1, folded.length),
      instead: others.instead,
    }
  }

  /** Parts of names that stand nowhere as a whole, and words like those that stand nowhere. */
  async function insteadOf(missing: string[]): Promise<Pick<Found, 'words' | 'instead'>> {
    const asTyped = new Map((unifyForms(query).match(anyWord) ?? []).map((word) => [foldWords(word), word]))
    const instead = new Map<string, WordsInstead>()
    const others = await Promise.all(
      missing.slice(0, mostMisspelt).map(async (word) => {
        const parts = matches.ofParts(asTyped.get(word) ?? '', read.english)
        if (parts.length > 0) {
          instead.set(word, { words: parts.flatMap((part) => part.word ?? []), because: 'parts' })
          return parts
        }
        const [compounds, begun] = await Promise.all([
          compoundsOf(queries, prefix, word, formsOf(word)),
          wordsBegun(queries, prefix, word),
        ])
        if (compounds || begun) {
          instead.set(word, {
            ...(compounds ? { ends: compounds.ends } : {}),
            ...(begun ? { begins: true } : {}),
            words: [...(compounds?.words ?? []), ...(begun ?? [])],
            because: compounds ? 'compounds' : 'beginning',
          })
          return [
            ...(compounds ? [matches.endingWith(compounds.ends)] : []),
            ...(begun ? [matches.beginningWith(word)] : []),
          ]
        }
        const near = await nearWords(queries, prefix, word, read.english)
        if (near.length > 0) instead.set(word, { words: near.slice(0, 1), because: 'misspelt' })
        return near.map((one) => matches.ofWord(one, read.english))
      }),
    )
    return { words: await count(others.flat()), instead }
  }

  /** Compounds of words that stand there, or only words that begin like them, in a few fragments. */
  async function compoundsBeside(sought: Sought[], counted: Counted[]): Promise<Pick<Found, 'words' | 'instead'>> {
    const instead = new Map<string, WordsInstead>()
    // English ones are written apart.
    if (read.english) return { words: [], instead }
    const words = sought.flatMap(({ word }, n) => (word !== null && (counted[n]?.count ?? 0) > 0 ? word : []))
    const exact = await queries.known(
      words.map((word) => prefix + cutWord(word)),
      wordColumns,
    )
    const few = words.filter((word) => (exact.get(prefix + word) ?? 0) < fewFragments).slice(0, mostExtended)
    const found = await Promise.all(
      few.map(async (word) => {
        const many = exact.get(prefix + word) ?? 0
        const compounds = await compoundsOf(queries, prefix, word, many > 0 ? [] : formsOf(word))
        if (!compounds) return []
        instead.set(word, { ends: compounds.ends, words: [word, ...compounds.words], because: 'compounds' })
        return [matches.endingWith(compounds.ends)]
      }),
    )
    return { words: await count(found.flat()), instead }
  }
}

/** English texts have no beginnings: there, what stands for them counts as much. */
function withoutMissing(matches: Counted['matches']): Counted['matches'] {
  const there = matches.filter(({ count }) => count > 0)
  const [best, left] = [matches, there].map((some) => Math.max(0, ...some.map(({ weight }) => weight)))
  return there.map((match) => ({ ...match, weight: (match.weight * (best ?? 0)) / (left ?? 1) }))
}

const noWord: Sought = { matches: [], word: null }
const nothing: Found = { fragments: 0, words: [], codes: [], codeShare: 0, instead: new Map() }

/** Whatever holds a whole code comes before what only holds its parts, the more the query is nothing but codes. */
async function preferWhole(
  queries: WordQueries,
  hits: KeyScore[],
  codes: Counted[],
  share: number,
): Promise<KeyScore[]> {
  const best = hits[0]?.score ?? 0
  const weight = (best * share) / codes.length
  const parts = codes.flatMap(({ matches }) => matches.map(({ match }) => ({ match, weight })))
  const held = await queries.hold(
    parts,
    hits.map(({ key }) => key),
  )
  return addScores(hits, held)
}
