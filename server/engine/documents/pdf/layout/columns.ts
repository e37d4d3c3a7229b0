import { leastOf } from '../content/span'
import type { PdfPiece } from './line-segments'

export type Interval = readonly [number, number]

/** Pieces whose heights overlap. */
export interface Row {
  pieces: PdfPiece[]
  gaps: Interval[]
}

/** Rows with gutters in common; none for text in one column. */
export interface Band {
  rows: Row[]
  gutters: Interval[]
}

/** In sizes of the text. */
const narrowestGutter = 0.9

/** The rows of a part of a page from the top to the bottom, as bands that share their gutters. */
export function bandsOf(pieces: PdfPiece[]): Band[] {
  const bands: Band[] = []
  let gaps: Interval[] = []
  for (const row of rowsOf(pieces)) {
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

function sizeOf(row: Row): number {
  return leastOf(row.pieces, (piece) => piece.size)
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
