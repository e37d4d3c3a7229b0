import { leastOf, mostOf } from '../content/span'
import { joinLines } from '../normalize-text'
import type { PdfLine } from './reading-order'

/** Lines that belong together. */
export interface PdfParagraph {
  text: string
  lines: number
  size: number
  isBold: boolean
  isTable: boolean
  role: string
}

/** Marks of items: bullets, and numbers or single letters with a point or a bracket. */
const startsItem = /^(?:[•‣▪▫◦●○■□◆▶–—✓✔➢*-] ?(?=\S)|[([]?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,4})[.)\]]\s)/
const endsSentence = /[.!?:;。！？…]["'”’»)\]]*$/

/** Puts the lines of a page together by their distance, their indents, and where they end. */
export function paragraphsOf(lines: PdfLine[]): PdfParagraph[] {
  const paragraphs: PdfParagraph[] = []
  for (const region of regionsOf(lines)) {
    const edges = edgesOf(region)
    let start = 0
    for (const [n, line] of region.entries()) {
      const before = region[n - 1]
      const last = paragraphs.at(-1)
      const isNew = !before || !last || isBreak(before, line, region[n + 1], n - start === 1, edges)
      if (!isNew && last) {
        last.text = line.isRow ? `${last.text}\n${line.text}` : joinLines(last.text, line.text)
        last.lines += 1
        last.isBold &&= line.isBold
        continue
      }
      start = n
      const { text, size, isBold, isRow, role } = line
      paragraphs.push({ text, lines: 1, size, isBold, isTable: isRow, role })
    }
  }
  return paragraphs
}

interface Edges {
  left: number
  right: number
  /** From one baseline to the next. */
  pitch: number
}

function regionsOf(lines: PdfLine[]): PdfLine[][] {
  const regions: PdfLine[][] = []
  for (const line of lines) {
    const region = regions.at(-1)
    if (region?.[0]?.region === line.region) region.push(line)
    else regions.push([line])
  }
  return regions
}

function edgesOf(region: PdfLine[]): Edges {
  const pitches = region
    .map((line, n) => (line.y - (region[n - 1]?.y ?? line.y)) / line.size)
    .filter((pitch) => pitch > 0.5 && pitch < 3)
    .sort((a, b) => a - b)
  return {
    left: leastOf(region, (line) => line.left),
    right: mostOf(region, (line) => line.right),
    // A few lines say little: then what is usual.
    pitch: pitches.length < 3 ? Math.min(pitches[0] ?? 1.25, 1.5) : (pitches[pitches.length >> 1] ?? 1.25),
  }
}

function isBreak(before: PdfLine, line: PdfLine, after: PdfLine | undefined, isSecond: boolean, edges: Edges): boolean {
  if (before.isRow || line.isRow) return before.isRow !== line.isRow
  if (before.role !== line.role) return true
  const size = Math.max(before.size, line.size)
  const isOtherSize = size > 1.12 * Math.min(before.size, line.size)
  if (isOtherSize || before.isBold !== line.isBold) return true
  const down = (line.y - before.y) / line.size
  if (down < -0.3 || down > 1.25 * edges.pitch + 0.1) return true
  if (startsItem.test(line.text)) return true
  if (line.isRightToLeft) return false
  return isIndented(before, line, after, isSecond, edges) || isShort(before, line, edges)
}

function isIndented(
  before: PdfLine,
  line: PdfLine,
  after: PdfLine | undefined,
  isSecond: boolean,
  edges: Edges,
): boolean {
  const indent = line.left - before.left
  const least = 0.8 * line.size
  if (Math.abs(indent) < least || isCentred(before, line)) return false
  // The first line of a paragraph may stand further in; the lines below an item's first may stand further in, too.
  if (indent < 0) return !isSecond
  const goesOn = after !== undefined && Math.abs(after.left - line.left) < least / 2
  const isFull = before.right > edges.right - 0.15 * (edges.right - edges.left)
  return !(isSecond && (startsItem.test(before.text) || (goesOn && isFull)))
}

function isCentred(before: PdfLine, line: PdfLine): boolean {
  return Math.abs(before.left + before.right - line.left - line.right) < line.size
}

/** The line before ends early: with its sentence, or far from the edge in front of a capital. */
function isShort(before: PdfLine, line: PdfLine, edges: Edges): boolean {
  const filled = (before.right - edges.left) / Math.max(1, edges.right - edges.left)
  if (filled < 0.8 && endsSentence.test(before.text)) return true
  return filled < 0.5 && /^[\p{Lu}\p{N}]/u.test(line.text) && !isCentred(before, line)
}
