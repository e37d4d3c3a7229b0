import type { PDFDocumentProxy } from 'pdfjs-dist/types/src/display/api'
import { fileLimits } from '../../../limits'
import type { PdfParagraph } from './paragraphs'

/** Heading levels by normalized title, see `keyOf`. */
export type PdfOutline = Map<string, number>

interface OutlineItem {
  title: string
  items?: OutlineItem[]
}

const maxLines = 3
const maxLength = 200

/** Reads the titles of the outline with their levels (1 to 6); empty without an outline. */
export async function readOutline(document: PDFDocumentProxy): Promise<PdfOutline> {
  const outline: PdfOutline = new Map()
  try {
    const items: OutlineItem[] = (await document.getOutline()) ?? []
    collect(items, 1, outline)
  } catch {
    // A damaged outline is ignored.
  }
  return outline
}

function collect(items: OutlineItem[], level: number, into: PdfOutline): void {
  for (const { title, items: below } of items) {
    if (into.size >= fileLimits.pdf.outline) return
    const key = keyOf(String(title))
    if (key !== '' && !into.has(key)) into.set(key, level)
    if (below && level < 6) collect(below, level + 1, into)
  }
}

/**
 * Returns letters and digits without a leading number: titles differ in spacing and numbering between outline and text.
 */
function keyOf(title: string): string {
  const key = title
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
  return key.replace(/^\p{N}+(?=\p{L})/u, '').slice(0, maxLength)
}

/** Returns the size of most of the text in points; 0 without text. */
export function bodySize(paragraphs: Iterable<PdfParagraph>): number {
  const lengths = new Map<number, number>()
  for (const { size, text } of paragraphs) {
    const step = Math.round(size * 2) / 2
    lengths.set(step, (lengths.get(step) ?? 0) + text.length)
  }
  return [...lengths].reduce((a, b) => (b[1] > a[1] ? b : a), [0, 0])[0]
}

/**
 * Returns the level of a heading (1 to 6), or null for other text, by the structure tags, the outline, and size and
 * weight relative to body text.
 */
export function headingLevel(paragraph: PdfParagraph, body: number, outline: PdfOutline): number | null {
  const { text, lines, size, isBold, isTable, role } = paragraph
  if (isTable || lines > maxLines || text.length > maxLength || !/\p{L}/u.test(text)) return null
  if (role !== '') return Number(role.slice(1)) || (role === 'Title' ? 1 : 2)
  const level = outline.get(keyOf(text))
  if (level !== undefined) return level
  // Neither a sentence nor a fragment of a word is a heading.
  if (/[.,;]$/.test(text) || (text.match(/\p{L}/gu)?.length ?? 0) < 3) return null
  const ratio = size / Math.max(1, body)
  if (ratio >= 1.8) return 1
  if (ratio >= 1.4) return 2
  if (ratio >= 1.15) return 3
  return isBold && ratio > 0.95 && text.length <= 120 && lines <= 2 && /^[\p{Lu}\p{Lo}\p{N}]/u.test(text) ? 4 : null
}
