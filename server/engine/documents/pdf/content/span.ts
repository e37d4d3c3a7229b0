import type { TextItem } from 'pdfjs-dist/types/src/display/api'

/**
 * A run of glyphs in a coordinate frame of its own direction: x grows in reading direction, y towards the next line.
 * Lengths are in points (1/72 inch).
 */
export interface PdfSpan {
  text: string
  left: number
  right: number
  /** The baseline. */
  y: number
  size: number
  /** pdfjs's name of the font; '' for a form field. */
  font: string
  /** Angle of the frame against the page, in degrees counterclockwise. */
  angle: number
  isRightToLeft: boolean
  /** Index among the runs of the page in the file; -1 if unknown. */
  order: number
  /** White space precedes it in the file. */
  hasSpaceBefore: boolean
  /** It directly follows the previous run in the file. */
  isContiguous: boolean
  /** The role by the file's structure tags ('H1', 'Title'); '' without tags. */
  role: string
}

export type PdfPoint = readonly [number, number]

/** Places a run of text in its frame; null without a size or a position. */
export function spanOf(item: TextItem, isVertical: boolean): PdfSpan | null {
  const [a, b, c, d, x, y] = item.transform.map(Number) as [number, number, number, number, number, number]
  const size = isVertical ? Math.hypot(a, b) : Math.hypot(c, d)
  if (!(size > 0.01) || !Number.isFinite(a + b + c + d + x + y)) return null
  const direction = (Math.atan2(b, a) * 180) / Math.PI - (isVertical ? 90 : 0)
  const angle = frameOf(direction)
  const [left, down] = toFrame([x, y], angle)
  const length = isVertical ? item.height : item.width
  return {
    text: item.str,
    left,
    right: left + (Number.isFinite(length) ? length : 0),
    y: down,
    size,
    font: item.fontName,
    angle,
    isRightToLeft: item.dir === 'rtl',
    order: -1,
    hasSpaceBefore: false,
    isContiguous: false,
    role: '',
  }
}

/** Converts a point of the page to the frame of an angle. */
export function toFrame([x, y]: PdfPoint, angle: number): PdfPoint {
  const turn = (angle * Math.PI) / 180
  return [x * Math.cos(turn) + y * Math.sin(turn), x * Math.sin(turn) - y * Math.cos(turn)]
}

/**
 * Returns the angle of a frame. Scans are slightly skewed: angles within 5 degrees of a quarter turn count as that,
 * others are rounded to tens.
 */
function frameOf(degrees: number): number {
  const quarter = Math.round(degrees / 90) * 90
  const angle = Math.abs(degrees - quarter) <= 5 ? quarter : Math.round(degrees / 10) * 10
  return ((angle % 360) + 360) % 360
}

/** Minimum over any number of items; a page may have more than a call takes arguments. */
export function minOf<Item>(items: Item[], of: (item: Item) => number): number {
  return items.reduce((min, item) => Math.min(min, of(item)), Number.POSITIVE_INFINITY)
}

/** Maximum over any number of items. */
export function maxOf<Item>(items: Item[], of: (item: Item) => number): number {
  return items.reduce((max, item) => Math.max(max, of(item)), Number.NEGATIVE_INFINITY)
}
