import type { Block } from '../../ports'
import { isRecord } from '../structured-data/is-record'

/** Letters of a told text that make it a witness. */
const enoughTold = 500
/** So much of a page's blocks has to be told for the rest to be doubted. */
const agreement = 0.7
/** A passage of so many letters is believed without a witness. */
const longPassage = 250
/** Letters by which a block is found. */
const compared = 40
const deepest = 8

/** The text that structured data (JSON-LD) says the article has, letters and digits alone; '' where it says little. */
export function toldText(described: unknown): string {
  const texts: string[] = []
  collect(described, texts, 0)
  const told = lettersOnly(texts.join(' ').replace(/<[^<>]{1,2000}>/g, ' '))
  return told.length >= enoughTold ? told : ''
}

function collect(value: unknown, texts: string[], depth: number): void {
  if (depth > deepest) return
  if (Array.isArray(value)) for (const item of value) collect(item, texts, depth + 1)
  if (!isRecord(value)) return
  if (typeof value.articleBody === 'string') texts.push(value.articleBody)
  for (const inner of Object.values(value)) if (typeof inner === 'object') collect(inner, texts, depth + 1)
}

/**
 * Which blocks are doubtful: short passages that the told text does not have, behind the first that it has. None where
 * the two hardly agree, as where only the start of an article is told.
 */
export function doubtfulBlocks(blocks: Block[], told: string): boolean[] {
  const isTold = blocks.map(({ text }) => {
    const letters = lettersOnly(text)
    const atEnd = letters.length > 2 * compared && told.includes(letters.slice(-compared))
    return letters !== '' && (atEnd || told.includes(letters.slice(0, compared)))
  })
  const all = blocks.reduce((sum, { text }) => sum + text.length, 0)
  const common = blocks.reduce((sum, { text }, at) => sum + (isTold[at] ? text.length : 0), 0)
  if (common < all * agreement) return blocks.map(() => false)
  const first = isTold.indexOf(true)
  const last = isTold.lastIndexOf(true)
  return blocks.map(({ kind, text }, at) => {
    if (isTold[at] || at < first || text.length >= longPassage) return false
    // Data tells paragraphs; headings, lists and tables between them are often left out.
    return kind === 'paragraph' || at > last
  })
}

function lettersOnly(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}
