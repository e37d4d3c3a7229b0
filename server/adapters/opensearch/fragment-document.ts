import { createHash } from 'node:crypto'
import type { IndexedText, VectorSlot } from '../../engine/ports/search-index'
import { termsOfFragment } from '../../engine/search/terms'

/** A fragment as it is indexed. Whitespace separates terms, each of which begins with the tag of its collection. */
export interface FragmentDocument {
  key: number
  collection: string
  /** Words in their order, by column, each column as often as it weighs. */
  words: string[]
  /** Words, stems, prefixes and bigrams. */
  terms: string
}

/** Vectors by the names of their fields. */
export type VectorFields = Record<string, number[]>

/** Of title, headings and text. */
const columnWeights = [3, 2, 1]
/** A term that every fragment has, so that its frequency is the number of fragments of the collection. */
export const anyTerm = ''

/**
 * The start of the terms of a collection: collections share an index, and their terms must not share frequencies. 48 bits
 * of a hash.
 */
export function tagOf(collectionId: string): string {
  return `${createHash('sha256').update(collectionId).digest('base64url').slice(0, 8)}.`
}

/** The field of the vectors of a slot: a field has vectors of one width. */
export function vectorField(slot: VectorSlot, dimensions: number): string {
  return `vector_${slot}_${dimensions}`
}

export function fragmentDocument(fragment: IndexedText): FragmentDocument {
  const tag = tagOf(fragment.collectionId)
  const { words, derived } = termsOfFragment(fragment)
  const columns = columnWeights.map((weight, n) => ({ weight, words: words[n] ?? [], derived: derived[n] ?? [] }))
  return {
    key: fragment.key,
    collection: fragment.collectionId,
    words: columns.flatMap(({ weight, words }) => repeat(weight, [joined(tag, words)])),
    terms: [
      tag + anyTerm,
      ...columns.flatMap(({ weight, words, derived }) => repeat(weight, [joined(tag, words), joined(tag, derived)])),
    ].join(' '),
  }
}

/** Each term of a fragment once, for the vocabulary of its collection. */
export function vocabularyOf({ terms }: FragmentDocument): Set<string> {
  return new Set(terms.split(' ').filter((term) => term !== ''))
}

function joined(tag: string, terms: string[]): string {
  return terms.map((term) => tag + term).join(' ')
}

function repeat(weight: number, texts: string[]): string[] {
  return Array.from({ length: weight }, () => texts).flat()
}
