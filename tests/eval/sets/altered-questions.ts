import type { Question } from '../sets/sets'

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
      (text) => text.length === minLength || text.length === minLength + 1,
    )
    return replaced(question, (n % 2 === 0 && short) || findLongWord(question.text), (word) => misspell(word, n))
  })
}

/** Questions whose longest word lacks its ending, as while it is typed. */
export function incomplete(questions: Question[]): Question[] {
  return questions.map((question) =>
    replaced(question, findLongWord(question.text), (word) => word.slice(0, -missingEnding)),
  )
}

function misspell(word: string, n: number): string {
  const position = Math.floor(word.length / 2)
  const [text = '', otherText = ''] = [word[position - 1], word[position]]
  if (n % 3 === 0 && text !== otherText)
    return word.slice(0, position - 1) + otherText + text + word.slice(position + 1)
  if (n % 3 === 1) return word.slice(0, position) + word.slice(position + 1)
  return word.slice(0, position) + (neighbors[otherText] ?? 'x') + word.slice(position + 1)
}

function findLongWord(text: string): string {
  return (text.match(words) ?? []).reduce((longest, item) => (item.length > longest.length ? item : longest), '')
}

function replaced(question: Question, word: string, alter: (word: string) => string): Question {
  if (word.length < minLength) return question
  return { ...question, text: question.text.replace(word, () => alter(word)) }
}
