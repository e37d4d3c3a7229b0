import { leastOf, mostOf } from '../content/span'
import { type Band, bandsOf, type Interval, type Row } from './columns'
import type { PdfPiece } from './line-segments'

/** A line as it is read. Lines of one region follow each other with one left and one right edge. */
export interface PdfLine extends PdfPiece {
  region: number
  /** A row of a table: its cells are parted by ' | '. */
  isRow: boolean
}

/** Columns inside of columns. */
const deepest = 4
/** Brings the pieces of a page into the order of reading: bands of columns or tables, from the top to the bottom. */
export function orderPieces(pieces: PdfPiece[]): PdfLine[] {
  const lines: PdfLine[] = []
  let region = 0
  read(pieces, 0)
  return lines

  function read(part: PdfPiece[], depth: number): void {
    region += 1
    for (const band of bandsOf(part)) {
      if (band.gutters.length === 0 || band.rows.length < 2 || depth >= deepest) {
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

  function readRow({ pieces: [...row] }: Row): void {
    row.sort((a, b) => a.y - b.y)
    for (const line of sameLines(row)) lines.push(join(line, ' ', false))
  }

  function readTable({ rows: all, gutters }: Band): void {
    const isSpread = (row: Row) => new Set(row.pieces.map((piece) => columnAt(piece, gutters))).size > 1
    const [first, last] = [Math.max(0, all.findIndex(isSpread)), all.findLastIndex(isSpread)]
    // Lines above and below that happen to leave the gutters free.
    for (const row of all.slice(0, first)) readRow(row)
    readCells(all.slice(first, last + 1), gutters)
    for (const row of all.slice(last + 1)) readRow(row)
  }

  function readCells(rows: Row[], gutters: Interval[]): void {
    let above = null as PdfPiece[][] | null
    let bottom = Number.POSITIVE_INFINITY
    for (const row of rows) {
      const cells: PdfPiece[][] = Array.from({ length: gutters.length + 1 }, () => [])
      for (const piece of row.pieces) cells[columnAt(piece, gutters)]?.push(piece)
      const size = mostOf(row.pieces, (piece) => piece.size)
      const isClose = leastOf(row.pieces, (piece) => piece.y) - bottom < 1.5 * size
      bottom = mostOf(row.pieces, (piece) => piece.y)
      const goesOn = isClose && cells[0]?.length === 0 && cells.every((cell, n) => !cell[0] || above?.[n]?.[0])
      if (above && goesOn) above = above.map((cell, n) => cell.concat(cells[n] ?? []))
      else {
        emit(above)
        above = cells
      }
    }
    emit(above)
  }

  function emit(cells: PdfPiece[][] | null): void {
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

  function join(parts: PdfPiece[], glue: string, isRow: boolean): PdfLine {
    const widest = parts.reduce((a, b) => (b.text.length > a.text.length ? b : a))
    return {
      ...widest,
      text: parts.map(({ text }) => text.trim()).join(glue),
      left: leastOf(parts, (part) => part.left),
      right: mostOf(parts, (part) => part.right),
      isBold: parts.every((part) => part.isBold),
      region,
      isRow,
    }
  }
}

function columnsOf({ rows, gutters }: Band): PdfPiece[][] {
  const columns: PdfPiece[][] = Array.from({ length: gutters.length + 1 }, () => [])
  for (const row of rows) for (const piece of row.pieces) columns[columnAt(piece, gutters)]?.push(piece)
  const filled = columns.filter((column) => column.length > 0)
  return isMostlyRightToLeft(filled.flat()) ? filled.reverse() : filled
}

function isMostlyRightToLeft(pieces: PdfPiece[]): boolean {
  return pieces.filter((piece) => piece.isRightToLeft).length * 2 > pieces.length
}

function columnAt(piece: PdfPiece, gutters: Interval[]): number {
  let column = 0
  for (const [, right] of gutters) if (piece.left >= right - 0.01) column += 1
  return column
}

/** Columns of prose are long lines, many of them, in more than one column; cells are short and share their baselines. */
function isTable({ rows }: Band, columns: PdfPiece[][]): boolean {
  const prose = columns.filter((column) => {
    const length = column.reduce((sum, piece) => sum + piece.text.length, 0)
    return column.length >= 3 && length / column.length >= 24
  })
  if (prose.length >= 2) return false
  const shared = rows.filter(({ pieces }) =>
    pieces.some((piece, n) => n > 0 && Math.abs(piece.y - (pieces[n - 1]?.y ?? 0)) < 0.3 * piece.size),
  )
  return shared.length >= 2 && shared.length * 3 >= rows.length
}

function sameLines(sorted: PdfPiece[]): PdfPiece[][] {
  const lines: PdfPiece[][] = []
  for (const piece of sorted) {
    const line = lines.at(-1)
    const base = line?.[0]
    if (line && base && piece.y - base.y < 0.3 * piece.size) line.push(piece)
    else lines.push([piece])
  }
  for (const line of lines) line.sort((a, b) => (b.isRightToLeft ? b.left - a.left : a.left - b.left))
  return lines
}
