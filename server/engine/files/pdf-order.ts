import type { PdfPiece } from './pdf-pieces'

/** A line as it is read. Lines of one region follow each other with one left and one right edge. */
export interface PdfLine extends PdfPiece {
  region: number
  /** A row of a table: its cells are parted by ' | '. */
  isRow: boolean
}

type Interval = readonly [number, number]

/** Pieces whose heights overlap. */
interface Row {
  pieces: PdfPiece[]
  gaps: Interval[]
}

/** Rows with gutters in common; none for text in one column. */
interface Band {
  rows: Row[]
  gutters: Interval[]
}

/** Columns inside of columns. */
const deepest = 4
/** In sizes of the text. */
const narrowestGutter = 0.9

/** Brings the pieces of a page into the order of reading: bands of columns or tables, from the top to the bottom. */
export function orderPieces(pieces: PdfPiece[]): PdfLine[] {
  const lines: PdfLine[] = []
  let region = 0
  read(pieces, 0)
  return lines

  function read(part: PdfPiece[], depth: number): void {
    region += 1
    for (const band of bandsOf(rowsOf(part))) {
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

  function readTable({ rows, gutters }: Band): void {
    let above: PdfPiece[][] | null = null
    let bottom = Number.POSITIVE_INFINITY
    for (const row of rows) {
      const cells: PdfPiece[][] = Array.from({ length: gutters.length + 1 }, () => [])
      for (const piece of row.pieces) cells[columnAt(piece, gutters)]?.push(piece)
      const size = Math.max(...row.pieces.map((piece) => piece.size))
      const isClose = Math.min(...row.pieces.map((piece) => piece.y)) - bottom < 1.5 * size
      bottom = Math.max(...row.pieces.map((piece) => piece.y))
      const goesOn = above && isClose && cells[0]?.length === 0 && cells.every((cell, n) => !cell[0] || above?.[n]?.[0])
      if (goesOn) for (const [n, cell] of cells.entries()) above?.[n]?.push(...cell)
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
      left: Math.min(...parts.map((part) => part.left)),
      right: Math.max(...parts.map((part) => part.right)),
      isBold: parts.every((part) => part.isBold),
      region,
      isRow,
    }
  }
}

function rowsOf(pieces: PdfPiece[]): Row[] {
  const rows: PdfPiece[][] = []
  let row: PdfPiece[] = []
  let bottom = Number.NEGATIVE_INFINITY
  // Less than the height of small letters, so that lines set close stay apart.
  for (const piece of [...pieces].sort((a, b) => topOf(a) - topOf(b))) {
    if (row.length === 0 || topOf(piece) > bottom) {
      row = []
      rows.push(row)
      bottom = Number.NEGATIVE_INFINITY
    }
    row.push(piece)
    bottom = Math.max(bottom, piece.y)
  }
  return rows.map((inside) => ({ pieces: inside, gaps: gapsOf(inside) }))
}

function topOf(piece: PdfPiece): number {
  return piece.y - 0.5 * piece.size
}

/** What no piece covers, from left to right; the first and the last have no end. */
function gapsOf(pieces: PdfPiece[]): Interval[] {
  const gaps: Interval[] = []
  let right = Number.NEGATIVE_INFINITY
  for (const piece of [...pieces].sort((a, b) => a.left - b.left)) {
    if (piece.left - right > narrowestGutter * piece.size) gaps.push([right, piece.left])
    right = Math.max(right, piece.right)
  }
  gaps.push([right, Number.POSITIVE_INFINITY])
  return gaps
}

function bandsOf(rows: Row[]): Band[] {
  const bands: Band[] = []
  let gaps: Interval[] = []
  for (const row of rows) {
    const band = bands.at(-1)
    const common = band ? commonGaps(gaps, row.gaps, sizeOf(row)) : []
    const inner = innerOf(common)
    if (band && inner.length > 0) {
      band.rows.push(row)
      band.gutters = inner
      gaps = common
    } else if (band && band.gutters.length === 0 && innerOf(row.gaps).length === 0) {
      band.rows.push(row)
      gaps = common
    } else {
      bands.push({ rows: [row], gutters: innerOf(row.gaps) })
      gaps = row.gaps
    }
  }
  return bands
}

function sizeOf(row: Row): number {
  return Math.min(...row.pieces.map((piece) => piece.size))
}

function innerOf(gaps: Interval[]): Interval[] {
  return gaps.filter(([left, right]) => Number.isFinite(left) && Number.isFinite(right))
}

function commonGaps(first: Interval[], second: Interval[], size: number): Interval[] {
  const common: Interval[] = []
  let a = 0
  let b = 0
  while (a < first.length && b < second.length) {
    const one = first[a] as Interval
    const other = second[b] as Interval
    const left = Math.max(one[0], other[0])
    const right = Math.min(one[1], other[1])
    if (right - left > narrowestGutter * size) common.push([left, right])
    if (one[1] < other[1]) a += 1
    else b += 1
  }
  return common
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
