import type { Question } from './sets/sets'

const words = /\p{L}+/gu
const minLength = 5
const missingEnding = 3
/** Pairs of neighboring keys. */
const neighbors: Record<string, string> = {
  a: 's',
  e: 'r',
  i: 'o',
  n: 'm',
  r: 't',
  t: 'z',
  s: 'd',
  l: 'k',
  o: 'p',
  u: 'i',
}

/**
 * Questions with a typing error in one word: by turns the longest word and one of five or six letters, and by turns two
 * letters swapped, a letter missing, and a letter replaced by its neighbor on the keyboard.
 */
export function misspelled(questions: Question[]): Question[] {
  return questions.map((question, n) => {
    const short = (question.text.match(words) ?? []).find(
      (one) => one.length === minLength || one.length === minLength + 1,
    )
    return replaced(question, (n % 2 === 0 && short) || longestWord(question.text), (word) => misspell(word, n))
  })
}

/** Questions whose longest word lacks its ending, as while it is typed. */
export function incomplete(questions: Question[]): Question[] {
  return questions.map((question) =>
    replaced(question, longestWord(question.text), (word) => word.slice(0, -missingEnding)),
  )
}

function misspell(word: string, n: number): string {
  const at = Math.floor(word.length / 2)
  const [one = '', other = ''] = [word[at - 1], word[at]]
  if (n % 3 === 0 && one !== other) return word.slice(0, at - 1) + other + one + word.slice(at + 1)
  if (n % 3 === 1) return word.slice(0, at) + word.slice(at + 1)
  return word.slice(0, at) + (neighbors[other] ?? 'x') + word.slice(at + 1)
}

function longestWord(text: string): string {
  return (text.match(words) ?? []).reduce((longest, one) => (one.length > longest.length ? one : longest), '')
}

function replaced(question: Question, word: string, alter: (word: string) => string): Question {
  if (word.length < minLength) return question
  return { ...question, text: question.text.replace(word, () => alter(word)) }
}
