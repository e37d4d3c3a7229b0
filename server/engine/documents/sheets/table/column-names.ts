import type { Cell, Row } from '../workbook/cell'
import { type Label, parseLabel } from './header-words'

/** Values from which on a difference is not by chance. */
const minValues = 3

/**
 * Returns the evidence that a text names the column of texts below it rather than being one of them: -1 if it is one of
 * them, 0.5 if it differs from nearly all of them, 0.25 if one of its words is a common name of columns.
 */
export function nameEvidence(name: string, texts: string[]): number {
  const lowerCased = texts.map((text) => text.toLowerCase())
  if (lowerCased.includes(name.toLowerCase())) return -1
  if (isUnlike(name, texts) || isNovel(lowerCased)) return 0.5
  const label = parseLabel(name)
  if (label === null || isFormColumn(label, texts)) return 0
  return label.isComplete ? 0.5 : 0.25
}

/** Whether the values below are names themselves, or the same word with numbers. */
function isFormColumn({ words }: Label, texts: string[]): boolean {
  const alike = texts.filter((text) => {
    const label = parseLabel(text)
    return label !== null && (!/\d/.test(text) || label.words.some((word) => words.includes(word)))
  })
  return alike.length >= 0.25 * texts.length
}

/** Whether nearly all values have characters that the name lacks, or all are longer, and most much longer. */
function isUnlike(name: string, texts: string[]): boolean {
  if (texts.length < minValues) return false
  const marked = texts.filter((text) => /[\d@/]/.test(text))
  if (marked.length >= 0.8 * texts.length && !/[\d@/]/.test(name)) return true
  const lengths = texts.map(({ length }) => length)
  const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  return texts.length >= 2 * minValues && name.length < Math.min(...lengths) && average >= 2.5 * name.length
}

/**
 * Whether values repeat so often that a new one is unlikely: by Good and Turing, its probability is about the share of
 * values that occur once.
 */
function isNovel(texts: string[]): boolean {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  const once = [...counts.values()].filter((count) => count === 1).length
  return (once + 1) / (texts.length + 1) <= 0.15
}

/**
 * Whether a row is written in the style of names, as no row below it: as identifiers, in capitals, or in lower case.
 */
export function hasNameStyle(cells: Cell[], rows: Row[]): boolean {
  const names = cells.map(({ text }) => text)
  const columns = new Set(cells.map(({ column }) => column))
  const below = rows.map((row) => row.cells.filter(({ column, kind }) => kind === 'text' && columns.has(column)))
  if (names.length < 2 || below.some((row) => row.length === 0)) return false
  const values = below.map((row) => row.map(({ text }) => text))
  if (names.some(isIdentifier) && names.every(isWord) && !values.flat().some(isIdentifier)) return true
  if (values.length < minValues) return false
  return [isUpperCase, isLowerCase].some((isStyle) => names.every(isStyle) && !values.some((row) => row.every(isStyle)))
}

function isIdentifier(text: string): boolean {
  return /^\p{L}[\p{L}\d]*(?:_[\p{L}\d]+)+$|^\p{Ll}+(?:\p{Lu}\p{Ll}+)+$/u.test(text)
}

function isWord(text: string): boolean {
  return /^\p{L}[\p{L}\d_]*$/u.test(text)
}

function isUpperCase(text: string): boolean {
  return /\p{Lu}/u.test(text) && text === text.toUpperCase()
}

function isLowerCase(text: string): boolean {
  return /\p{Ll}/u.test(text) && text === text.toLowerCase()
}
