import type { Block } from '../../ports/extractor'
import { lettersOnly } from '../dom/text'
import { isRecord } from '../is-record'

/** Letters from which on an article body is long enough to compare with. */
const minBodyLetters = 500
/** Share of the page's text that the article body has to contain. */
const minAgreement = 0.7
/** Characters of a passage that is kept even if the article body lacks it. */
const minTrustedLength = 250
/** Letters at the start or the end of a block that are looked up. */
const comparedLetters = 40
const maxDepth = 8

/** Returns the article's text in structured data, letters and digits only; '' if it is short or missing. */
export function articleBodyOf(jsonLd: unknown): string {
  const texts: string[] = []
  collect(jsonLd, texts, 0)
  const body = lettersOnly(texts.join(' ').replace(/<[^<>]{1,2000}>/g, ' '))
  return body.length >= minBodyLetters ? body : ''
}

function collect(value: unknown, texts: string[], depth: number): void {
  if (depth > maxDepth) return
  if (Array.isArray(value)) for (const item of value) collect(item, texts, depth + 1)
  if (!isRecord(value)) return
  if (typeof value.articleBody === 'string') texts.push(value.articleBody)
  for (const inner of Object.values(value)) if (typeof inner === 'object') collect(inner, texts, depth + 1)
}

/**
 * Returns for each block whether the article body fails to confirm it: a short passage that it does not contain, after
 * the first that it does. None if the two hardly agree, as when the data has only the start of an article.
 */
export function unconfirmedBlocks(blocks: Block[], articleBody: string): boolean[] {
  const isConfirmed = blocks.map(({ text }) => {
    const letters = lettersOnly(text)
    const atEnd = letters.length > 2 * comparedLetters && articleBody.includes(letters.slice(-comparedLetters))
    return letters !== '' && (atEnd || articleBody.includes(letters.slice(0, comparedLetters)))
  })
  const all = blocks.reduce((sum, { text }) => sum + text.length, 0)
  const common = blocks.reduce((sum, { text }, position) => sum + (isConfirmed[position] ? text.length : 0), 0)
  if (common < all * minAgreement) return blocks.map(() => false)
  const first = isConfirmed.indexOf(true)
  const last = isConfirmed.lastIndexOf(true)
  return blocks.map(({ kind, text }, index) => {
    if (isConfirmed[index] || index < first || text.length >= minTrustedLength) return false
    // An article body has paragraphs, but often lacks the headings, lists and tables between them.
    return kind === 'paragraph' || index > last
  })
}
