import { foldWords, isPaired, pairsOf, runsOf } from '../language/normalize-text'
import { formsOf, soughtWords, wordsHeld } from './term-coverage'

export interface ComparedPassage {
  addressId: string
  title: string
  headings: string
  text: string
}

const shingleWords = 3
/** What is shorter says something by its place, too: "Free of charge." under two headings is two answers. */
const fewestWords = 24
/** Of the shingles of both, those that both have; more where the titles differ, as two articles of a shop do. */
const leastOverlap = { sameTitle: 0.8, otherTitle: 0.9 }

interface Prepared<Passage> {
  passage: Passage
  context: string
  title: string
  words: string[]
  joined: string
  shingles: Set<string>
}

/**
 * Tells passages that say the same as an earlier one: the same text at several addresses, or nearly the same. Such as
 * differ in a number or in a word of the query are never the same: that may be what was asked for.
 */
export function createDuplicates<Passage extends ComparedPassage>(queryWords: string[]) {
  const earlier: Prepared<Passage>[] = []
  const asked = soughtWords(queryWords)

  return {
    /** The earlier passage that says the same; null for a new one, with which later ones are compared. */
    take(passage: Passage): Passage | null {
      const prepared = prepare(passage)
      const same = earlier.find((other) => isSame(prepared, other))
      if (same) return same.passage
      earlier.push(prepared)
      return null
    },
  }

  function isSame(one: Prepared<Passage>, other: Prepared<Passage>): boolean {
    const isLong = one.words.length >= fewestWords
    if (one.joined === other.joined) return isLong || one.context === other.context
    if (!isLong || other.words.length < fewestWords || one.passage.addressId === other.passage.addressId) return false
    const least = one.title === other.title ? leastOverlap.sameTitle : leastOverlap.otherTitle
    return overlap(one.shingles, other.shingles) >= least && addsNothing(one, other)
  }

  function addsNothing(one: Prepared<Passage>, other: Prepared<Passage>): boolean {
    const known = new Set([...other.words, ...other.context.split(' ')])
    const added = [...one.words, ...one.context.split(' ')].filter((part) => !known.has(part))
    if (added.some((part) => /\p{N}/u.test(part))) return false
    return !wordsHeld(asked, formsOf(added.join(' '))).some((held) => held > 0)
  }
}

function prepare<Passage extends ComparedPassage>(passage: Passage): Prepared<Passage> {
  const title = wordsOf(passage.title).join(' ')
  const words = wordsOf(passage.text)
  const shingles = new Set(
    words.slice(shingleWords - 1).map((_, start) => words.slice(start, start + shingleWords).join(' ')),
  )
  const context = [title, ...wordsOf(passage.headings)].join(' ')
  return { passage, context, title, words, joined: words.join(' '), shingles }
}

function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let both = 0
  for (const shingle of one) if (other.has(shingle)) both++
  return both / (one.size + other.size - both)
}

/** Words without their diacritics; of writing without spaces, the pairs of its signs. */
function wordsOf(text: string): string[] {
  return runsOf(foldWords(text)).flatMap((run) => (isPaired(run) ? pairsOf(run) : run))
}
