import { hasSlipped } from './keyboard-distance'
import { stemColumns, wordColumns } from './match-expressions'
import type { WordQueries } from './queries'
import { beginningTerm } from './terms'

/** Shorter words have too many neighbours. */
const shortest = 5
/** From here on two letters may be wrong. */
const longWord = 8
const longest = 24
const alphabets = ['abcdefghijklmnopqrstuvwxyz', 'абвгдежзиклмнопрстуфхцчшщъыьэюяєіґ', 'αβγδεζηθικλμνξοπρστυφχψω']

const most = 2
/** Endings that forms differ in, and so much of a word that is without. */
const longestEnding = 3
const leastShared = 0.7
/** A letter that is wrong, and endings. */
const mostApart = 1 + longestEnding
/** Beginnings that are looked at for a word that is near as a whole. */
const mostBeginnings = 6
const mostForms = 30
const sharedLetters = 4
/** Of shorter ones many are one letter away from another ordinary word. */
const longEnough = 7
const marked = /~$/

/**
 * Words of the collection that a folded word, which stands nowhere in it, may be meant for, the likeliest first: one
 * letter is wrong, or two in a long word. Of inflected languages the form that was meant need not be there: then words
 * that begin as it may.
 */
export async function nearWords(
  queries: WordQueries,
  prefix: string,
  word: string,
  english: boolean,
): Promise<string[]> {
  if (!mayBeMisspelt(word)) return []
  const near = oneAway(word).filter((one) => word.length >= longEnough || isLikelySlip(one, word))
  const exact = await known(near, wordColumns)
  if (exact.size > 0) return likeliest(exact, word)
  if (!english) {
    const beginnings = new Map<string, string>()
    for (const one of near) {
      const term = beginningTerm(one)
      if (term !== null && term !== beginningTerm(word) && !beginnings.has(term)) beginnings.set(term, one)
    }
    const some = await known([...beginnings.keys()], stemColumns)
    const forms = await formsThere(likeliest(some, word, mostBeginnings))
    if (forms.length > 0) return forms.slice(0, most)
  }
  if (!mayHaveTwoWrong(word)) return []
  const terms = await queries.termsFrom(prefix + word.slice(0, sharedLetters))
  const far = terms.map((term) => term.slice(prefix.length)).filter((term) => editDistance(term, word, 2) <= 2)
  return likeliest(await known(far, wordColumns), word)

  /** Of each beginning, the nearest word that begins so: what is told must stand in the texts. */
  async function formsThere(beginnings: string[]): Promise<string[]> {
    const found = await Promise.all(beginnings.map((term) => queries.termsFrom(prefix + term.replace(marked, ''))))
    const nearest = found.map((terms) =>
      terms
        .filter((term) => !marked.test(term))
        .map((term) => term.slice(prefix.length))
        .map((form) => ({ form, apart: editDistance(form, word, mostApart) }))
        .filter(({ form, apart }) => apart <= mostApart && isNearForm(form, word))
        .sort((a, b) => a.apart - b.apart)
        .slice(0, mostForms),
    )
    const there = await known(
      nearest.flat().map(({ form }) => form),
      wordColumns,
    )
    return nearest.flatMap((forms) => forms.find(({ form }) => there.has(form))?.form ?? [])
  }

  async function known(words: string[], columns: string): Promise<Map<string, number>> {
    const found = await queries.known(
      words.map((one) => prefix + one),
      columns,
    )
    return new Map([...found].map(([term, many]) => [term.slice(prefix.length), many]))
  }
}

/** Whether they are the same but for one letter and their endings. */
function isNearForm(form: string, word: string): boolean {
  const starts = (one: string) =>
    Array.from({ length: longestEnding + 1 }, (_, cut) => one.slice(0, one.length - cut)).filter(
      (start) => start.length >= leastShared * one.length,
    )
  return starts(form).some((start) => starts(word).some((other) => editDistance(start, other, 1) <= 1))
}

function isLikelySlip(one: string, word: string): boolean {
  return one[0] === word[0] && hasSlipped(one, word)
}

/** The first letter is rarely wrong; then what is found more often is meant more often. */
function likeliest(known: Map<string, number>, word: string, wanted = most): string[] {
  const begins = (term: string) => Number(term[0] === word[0])
  return [...known]
    .sort(([one, many], [other, more]) => begins(other) - begins(one) || more - many || (one < other ? -1 : 1))
    .slice(0, wanted)
    .map(([term]) => term)
}

/** Whether a folded word may be a misspelt one: letters only, of a writing whose words have few neighbours. */
function mayBeMisspelt(word: string): boolean {
  return word.length >= shortest && word.length <= longest && alphabetOf(word) !== undefined
}

function mayHaveTwoWrong(word: string): boolean {
  return word.length >= longWord
}

/** All words that one letter added, dropped, exchanged or two neighbours swapped make of this one. */
export function oneAway(word: string): string[] {
  const alphabet = alphabetOf(word) ?? ''
  const near = new Set<string>()
  for (let at = 0; at <= word.length; at++) {
    const before = word.slice(0, at)
    const after = word.slice(at)
    near.add(before + after.slice(1))
    near.add(before + after.slice(1, 2) + after.slice(0, 1) + after.slice(2))
    for (const letter of alphabet) {
      near.add(before + letter + after)
      near.add(before + letter + after.slice(1))
    }
  }
  near.delete(word)
  return [...near]
}

function alphabetOf(word: string): string | undefined {
  return alphabets.find((alphabet) => [...word].every((letter) => alphabet.includes(letter)))
}

/**
 * How many letters must be added, dropped, exchanged or swapped with their neighbour to make one word of the other
 * (F. J. Damerau, 1964; each letter takes part once); `most` + 1 when it is more.
 */
export function editDistance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, n) => n)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1]
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      )
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1])
        cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1)
      current.push(cost)
    }
    if (Math.min(...current) > most) return most + 1
    beforeLast = last
    last = current
  }
  return Math.min(last[other.length] ?? 0, most + 1)
}
