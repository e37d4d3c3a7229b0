import type { Cell, Row } from '../workbook/cell'
import { type Label, labelIn } from './header-words'

/** Values from which on chance is ruled out that one is unlike all of them. */
const fewest = 3

/**
 * How much speaks for a text to name the texts below it rather than to be one of them: -1 where it is one, 0.5 where it
 * has what none or few of them have, 0.25 where one of its words is a common name of columns.
 */
export function evidenceOfName(name: string, texts: string[]): number {
  const small = texts.map((text) => text.toLowerCase())
  if (small.includes(name.toLowerCase())) return -1
  if (isUnlike(name, texts) || isNewAmong(small)) return 0.5
  const label = labelIn(name)
  if (label === null || isForm(label, texts)) return 0
  return label.isWhole ? 0.5 : 0.25
}

/** Names stand one below the other, or values that have numbers behind the same word. */
function isForm({ words }: Label, texts: string[]): boolean {
  const alike = texts.filter((text) => {
    const label = labelIn(text)
    return label !== null && (!/\d/.test(text) || label.words.some((word) => words.includes(word)))
  })
  return alike.length >= 0.25 * texts.length
}

/** Nearly all values have marks that the name has not, or all are longer and most much longer. */
function isUnlike(name: string, texts: string[]): boolean {
  if (texts.length < fewest) return false
  const marked = texts.filter((text) => /[\d@/]/.test(text))
  if (marked.length >= 0.8 * texts.length && !/[\d@/]/.test(name)) return true
  const lengths = texts.map(({ length }) => length)
  const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  return texts.length >= 2 * fewest && name.length < Math.min(...lengths) && average >= 2.5 * name.length
}

/**
 * Values come again and again, so that one more would hardly be a new one: its chance is about the share of those that
 * occur once (Good and Turing).
 */
function isNewAmong(texts: string[]): boolean {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  const once = [...counts.values()].filter((count) => count === 1).length
  return (once + 1) / (texts.length + 1) <= 0.15
}

/** As programs write names, or all in capitals or in small letters, where no row below is. */
export function isWrittenAsNames(cells: Cell[], rows: Row[]): boolean {
  const names = cells.map(({ text }) => text)
  const columns = new Set(cells.map(({ column }) => column))
  const below = rows.map((row) => row.cells.filter(({ column, kind }) => kind === 'text' && columns.has(column)))
  if (names.length < 2 || below.some((row) => row.length === 0)) return false
  const values = below.map((row) => row.map(({ text }) => text))
  if (names.some(isIdentifier) && names.every(isWord) && !values.flat().some(isIdentifier)) return true
  if (values.length < fewest) return false
  return [isCapital, isSmall].some((isSo) => names.every(isSo) && !values.some((row) => row.every(isSo)))
}

function isIdentifier(text: string): boolean {
  return /^\p{L}[\p{L}\d]*(?:_[\p{L}\d]+)+$|^\p{Ll}+(?:\p{Lu}\p{Ll}+)+$/u.test(text)
}

function isWord(text: string): boolean {
  return /^\p{L}[\p{L}\d_]*$/u.test(text)
}

function isCapital(text: string): boolean {
  return /\p{Lu}/u.test(text) && text === text.toUpperCase()
}

function isSmall(text: string): boolean {
  return /\p{Ll}/u.test(text) && text === text.toLowerCase()
}
