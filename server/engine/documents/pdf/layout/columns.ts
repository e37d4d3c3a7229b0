import { minOf } from '../content/span'
import type { PdfSegment } from './line-segments'

export type Interval = readonly [number, number]

/** Segments that overlap vertically. */
export interface Row {
  segments: PdfSegment[]
  gaps: Interval[]
}

/** Rows with common gutters; without gutters for text in one column. */
export interface Band {
  rows: Row[]
  gutters: Interval[]
}

/** Minimum width of a gutter, in multiples of the text size. */
const minGutter = 0.9

/** Groups the rows of a part of a page, from top to bottom, into bands with common gutters. */
export function bandsOf(segments: PdfSegment[]): Band[] {
  const bands: Band[] = []
  let gaps: Interval[] = []
  for (const row of rowsOf(segments)) {
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

function rowsOf(segments: PdfSegment[]): Row[] {
  const rows: PdfSegment[][] = []
  let row: PdfSegment[] = []
  let bottom = Number.NEGATIVE_INFINITY
  // Ignores more than the height of lower-case letters, so that tightly set lines stay separate.
  for (const segment of [...segments].sort((a, b) => topOf(a) - topOf(b))) {
    if (row.length === 0 || topOf(segment) > bottom) {
      row = []
      rows.push(row)
      bottom = Number.NEGATIVE_INFINITY
    }
    row.push(segment)
    bottom = Math.max(bottom, segment.y)
  }
  return rows.map((segments) => ({ segments, gaps: gapsOf(segments) }))
}

function topOf(segment: PdfSegment): number {
  return segment.y - 0.5 * segment.size
}

/** Returns the intervals that no segment covers, from left to right; the first and the last are unbounded. */
function gapsOf(segments: PdfSegment[]): Interval[] {
  const gaps: Interval[] = []
  let right = Number.NEGATIVE_INFINITY
  for (const segment of [...segments].sort((a, b) => a.left - b.left)) {
    if (segment.left - right > minGutter * segment.size) gaps.push([right, segment.left])
    right = Math.max(right, segment.right)
  }
  gaps.push([right, Number.POSITIVE_INFINITY])
  return gaps
}

function sizeOf(row: Row): number {
  return minOf(row.segments, (segment) => segment.size)
}

function innerOf(gaps: Interval[]): Interval[] {
  return gaps.filter(([left, right]) => Number.isFinite(left) && Number.isFinite(right))
}

function commonGaps(first: Interval[], second: Interval[], size: number): Interval[] {
  const common: Interval[] = []
  let a = 0
  let b = 0
  while (a < first.length && b < second.length) {
    const interval = first[a] as Interval
    const otherInterval = second[b] as Interval
    const left = Math.max(interval[0], otherInterval[0])
    const right = Math.min(interval[1], otherInterval[1])
    if (right - left > minGutter * size) common.push([left, right])
    if (interval[1] < otherInterval[1]) a += 1
    else b += 1
  }
  return common
}
