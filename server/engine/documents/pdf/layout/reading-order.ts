import { maxOf, minOf } from '../content/span'
import { type Band, bandsOf, type Interval, type Row } from './columns'
import type { PdfSegment } from './line-segments'

/** A line in reading order. Consecutive lines of one region share their left and right edges. */
export interface PdfLine extends PdfSegment {
  region: number
  /**
   * A table row, with cells separated by '
   * '.
   */
  isRow: boolean
}

/** Nesting of columns. */
const maxDepth = 4
/** Sorts the segments of a page into reading order: bands of columns or tables, from top to bottom. */
export function orderSegments(segments: PdfSegment[]): PdfLine[] {
  const lines: PdfLine[] = []
  let region = 0
  read(segments, 0)
  return lines

  function read(part: PdfSegment[], depth: number): void {
    region += 1
    for (const band of bandsOf(part)) {
      if (band.gutters.length === 0 || band.rows.length < 2 || depth >= maxDepth) {
        for (const row of band.rows) readRow(row)
        continue
      }
      region += 1
      const columns = columnsOf(band)
      if (isTable(band, columns)) readTable(band)
      else for (const column of columns) read(column, depth + 1)
      region += 1
    }
  }

  function readRow({ segments: [...row] }: Row): void {
    row.sort((a, b) => a.y - b.y)
    for (const line of sameLines(row)) lines.push(join(line, ' ', false))
  }

  function readTable({ rows: all, gutters }: Band): void {
    const isSpread = (row: Row) => new Set(row.segments.map((segment) => columnAt(segment, gutters))).size > 1
    const [first, last] = [Math.max(0, all.findIndex(isSpread)), all.findLastIndex(isSpread)]
    // Lines above and below a table that happen not to cross its gutters.
    for (const row of all.slice(0, first)) readRow(row)
    readCells(all.slice(first, last + 1), gutters)
    for (const row of all.slice(last + 1)) readRow(row)
  }

  function readCells(rows: Row[], gutters: Interval[]): void {
    let above = null as PdfSegment[][] | null
    let bottom = Number.POSITIVE_INFINITY
    for (const row of rows) {
      const cells: PdfSegment[][] = Array.from({ length: gutters.length + 1 }, () => [])
      for (const segment of row.segments) cells[columnAt(segment, gutters)]?.push(segment)
      const size = maxOf(row.segments, (segment) => segment.size)
      const isClose = minOf(row.segments, (segment) => segment.y) - bottom < 1.5 * size
      bottom = maxOf(row.segments, (segment) => segment.y)
      const isContinuation = isClose && cells[0]?.length === 0 && cells.every((cell, n) => !cell[0] || above?.[n]?.[0])
      if (above && isContinuation) above = above.map((cell, n) => cell.concat(cells[n] ?? []))
      else {
        emit(above)
        above = cells
      }
    }
    emit(above)
  }

  function emit(cells: PdfSegment[][] | null): void {
    const filled = cells?.filter((cell) => cell.length > 0) ?? []
    if (filled.length === 0) return
    if (isMostlyRightToLeft(filled.flat())) filled.reverse()
    const joined = filled.map((cell) => {
      cell.sort((a, b) => a.y - b.y)
      return join(
        sameLines(cell).map((line) => join(line, ' ', true)),
        ' ',
        true,
      )
    })
    lines.push(join(joined, ' | ', true))
  }

  function join(parts: PdfSegment[], glue: string, isRow: boolean): PdfLine {
    const longest = parts.reduce((a, b) => (b.text.length > a.text.length ? b : a))
    return {
      ...longest,
      text: parts.map(({ text }) => text.trim()).join(glue),
      left: minOf(parts, (part) => part.left),
      right: maxOf(parts, (part) => part.right),
      isBold: parts.every((part) => part.isBold),
      region,
      isRow,
    }
  }
}

function columnsOf({ rows, gutters }: Band): PdfSegment[][] {
  const columns: PdfSegment[][] = Array.from({ length: gutters.length + 1 }, () => [])
  for (const row of rows) for (const segment of row.segments) columns[columnAt(segment, gutters)]?.push(segment)
  const filled = columns.filter((column) => column.length > 0)
  return isMostlyRightToLeft(filled.flat()) ? filled.reverse() : filled
}

function isMostlyRightToLeft(segments: PdfSegment[]): boolean {
  return segments.filter((segment) => segment.isRightToLeft).length * 2 > segments.length
}

function columnAt(segment: PdfSegment, gutters: Interval[]): number {
  let column = 0
  for (const [, right] of gutters) if (segment.left >= right - 0.01) column += 1
  return column
}

/** Columns of prose have many long lines in more than one column; table cells are short and share baselines. */
function isTable({ rows }: Band, columns: PdfSegment[][]): boolean {
  const prose = columns.filter((column) => {
    const length = column.reduce((sum, segment) => sum + segment.text.length, 0)
    return column.length >= 3 && length / column.length >= 24
  })
  if (prose.length >= 2) return false
  const shared = rows.filter(({ segments }) =>
    segments.some((segment, n) => n > 0 && Math.abs(segment.y - (segments[n - 1]?.y ?? 0)) < 0.3 * segment.size),
  )
  return shared.length >= 2 && shared.length * 3 >= rows.length
}

function sameLines(sorted: PdfSegment[]): PdfSegment[][] {
  const lines: PdfSegment[][] = []
  for (const segment of sorted) {
    const line = lines.at(-1)
    const base = line?.[0]
    if (line && base && segment.y - base.y < 0.3 * segment.size) line.push(segment)
    else lines.push([segment])
  }
  for (const line of lines) line.sort((a, b) => (b.isRightToLeft ? b.left - a.left : a.left - b.left))
  return lines
}
