import { maxOf, minOf } from '../content/span'
import { joinLines } from '../normalize-text'
import type { PdfLine } from './reading-order'

export interface PdfParagraph {
  text: string
  lines: number
  size: number
  isBold: boolean
  isTable: boolean
  role: string
}

/** Markers of list items: bullets, and numbers or single letters with a period or a bracket. */
const startsItem = /^(?:[•‣▪▫◦●○■□◆▶–—✓✔➢*-] ?(?=\S)|[([]?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,4})[.)\]]\s)/
const endsSentence = /[.!?:;。！？…]["'”’»)\]]*$/

/** Joins the lines of a page into paragraphs by their distances, their indents, and where they end. */
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
  /** Distance of baselines, in multiples of the text size. */
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
    left: minOf(region, (line) => line.left),
    right: maxOf(region, (line) => line.right),
    // A few lines are not significant; then a common value is used.
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
  const minIndent = 0.8 * line.size
  if (Math.abs(indent) < minIndent || isCentered(before, line)) return false
  // A first line may be indented, and so may the lines of a list item after its first.
  if (indent < 0) return !isSecond
  const goesOn = after !== undefined && Math.abs(after.left - line.left) < minIndent / 2
  const isFull = before.right > edges.right - 0.15 * (edges.right - edges.left)
  return !(isSecond && (startsItem.test(before.text) || (goesOn && isFull)))
}

function isCentered(before: PdfLine, line: PdfLine): boolean {
  return Math.abs(before.left + before.right - line.left - line.right) < line.size
}

/** Whether the previous line ends early: with a sentence, or far from the edge and before a capital letter. */
function isShort(before: PdfLine, line: PdfLine, edges: Edges): boolean {
  const filled = (before.right - edges.left) / Math.max(1, edges.right - edges.left)
  if (filled < 0.8 && endsSentence.test(before.text)) return true
  return filled < 0.5 && /^[\p{Lu}\p{N}]/u.test(line.text) && !isCentered(before, line)
}
