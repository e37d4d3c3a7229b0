import type { PDFDocumentProxy } from 'pdfjs-dist/types/src/display/api'
import { fileLimits } from '../../../limits'
import type { PdfParagraph } from './paragraphs'

/** Levels by titles, see `keyOf`. */
export type PdfOutline = Map<string, number>

interface OutlineItem {
  title: string
  items?: OutlineItem[]
}

const mostLines = 3
const mostCharacters = 200

/** The titles of the outline with their levels (1 to 6); empty where there is none. */
export async function readOutline(document: PDFDocumentProxy): Promise<PdfOutline> {
  const outline: PdfOutline = new Map()
  try {
    const items: OutlineItem[] = (await document.getOutline()) ?? []
    collect(items, 1, outline)
  } catch {
    // A damaged outline is none.
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

/** Letters and digits alone, without a number in front: titles are spaced and numbered differently in the text. */
function keyOf(title: string): string {
  const key = title
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
  return key.replace(/^\p{N}+(?=\p{L})/u, '').slice(0, mostCharacters)
}

/** The size in which most of the text is set, in points; 0 without text. */
export function bodySize(paragraphs: Iterable<PdfParagraph>): number {
  const lengths = new Map<number, number>()
  for (const { size, text } of paragraphs) {
    const step = Math.round(size * 2) / 2
    lengths.set(step, (lengths.get(step) ?? 0) + text.length)
  }
  return [...lengths].reduce((a, b) => (b[1] > a[1] ? b : a), [0, 0])[0]
}

/**
 * The level of a heading (1 to 6), or null for other text: by the tags of the file, by its outline, and by size and
 * weight against the body's.
 */
export function headingLevel(paragraph: PdfParagraph, body: number, outline: PdfOutline): number | null {
  const { text, lines, size, isBold, isTable, role } = paragraph
  if (isTable || lines > mostLines || text.length > mostCharacters || !/\p{L}/u.test(text)) return null
  if (role !== '') return Number(role.slice(1)) || (role === 'Title' ? 1 : 2)
  const level = outline.get(keyOf(text))
  if (level !== undefined) return level
  // A sentence is no heading, and neither is half a word.
  if (/[.,;]$/.test(text) || (text.match(/\p{L}/gu)?.length ?? 0) < 3) return null
  const ratio = size / Math.max(1, body)
  if (ratio >= 1.8) return 1
  if (ratio >= 1.4) return 2
  if (ratio >= 1.15) return 3
  return isBold && ratio > 0.95 && text.length <= 120 && lines <= 2 && /^[\p{Lu}\p{Lo}\p{N}]/u.test(text) ? 4 : null
}
