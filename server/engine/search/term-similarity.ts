import { stemmer } from 'stemmer'

/** Endings by which forms of a word differ have so many letters at most; of a short word, two. */
const longestEnding = 3
const shortEnding = 2
/** Forms share so much of the longer one. */
const sharedByForms = 0.7
const shortestWord = 4
/** So many letters say something, also where it is not the whole word. */
const tellingLetters = 5
/** What a longer word counts that begins with the one that was asked for: it may be made of it. */
const beginningWorth = 0.7
/** What a word counts that only begins alike. */
const likeWorth = 0.4

/**
 * What a word of a text counts for one that was asked for, both folded and without an article, 0 to 1: 1 for what are
 * forms of one word by their endings or their English stems, less for one that only begins with it or like it. Words of
 * four letters begin others where `begins` says so.
 */
export function formWorth(asked: string, other: string, begins: boolean): number {
  if (asked === other) return 1
  const alike = lettersAlike(asked, other)
  const [shorter, longer] = [Math.min(asked.length, other.length), Math.max(asked.length, other.length)]
  if (areForms(alike, shorter, longer)) return 1
  if ((alike >= tellingLetters || longer <= tellingLetters) && stemmer(asked) === stemmer(other)) return 1
  if (alike === asked.length && alike >= (begins ? shortestWord : tellingLetters)) return beginningWorth
  return alike >= tellingLetters ? likeWorth : 0
}

function areForms(alike: number, shorter: number, longer: number): boolean {
  if (alike === shorter && shorter >= shortestWord)
    return longer - shorter <= (shorter < tellingLetters ? shortEnding : longestEnding)
  return alike >= tellingLetters && longer - alike <= longestEnding && alike >= sharedByForms * longer
}

function lettersAlike(one: string, other: string): number {
  let alike = 0
  while (alike < one.length && one[alike] === other[alike]) alike++
  return alike
}
