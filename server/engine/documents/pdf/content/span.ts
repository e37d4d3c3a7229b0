import type { TextItem } from 'pdfjs-dist/types/src/display/api'

/**
 * A run of glyphs in a frame of its own direction: x grows the way it is read, y grows towards the next line. Lengths are
 * points (1/72 inch).
 */
export interface PdfSpan {
  text: string
  left: number
  right: number
  /** Of the baseline. */
  y: number
  size: number
  /** As pdfjs names it; '' for a form field. */
  font: string
  /** The frame: degrees against the page, anticlockwise. */
  angle: number
  isRightToLeft: boolean
  /** Its place among the runs of the page in the file; -1 for one that has none. */
  order: number
  /** White space stands between it and the one before in the file. */
  afterSpace: boolean
  /** It stands right behind the one before in the file, too. */
  follows: boolean
  /** What the file's tags make of it ('H1', 'Title'); '' without tags. */
  role: string
}

export type PdfPoint = readonly [number, number]

/** Places a run of text in its frame; null for one without a size or a place. */
export function spanOf(item: TextItem, isVertical: boolean): PdfSpan | null {
  const [a, b, c, d, x, y] = item.transform.map(Number) as [number, number, number, number, number, number]
  const size = isVertical ? Math.hypot(a, b) : Math.hypot(c, d)
  if (!(size > 0.01) || !Number.isFinite(a + b + c + d + x + y)) return null
  const along = (Math.atan2(b, a) * 180) / Math.PI - (isVertical ? 90 : 0)
  const angle = frameOf(along)
  const [left, down] = inFrame([x, y], angle)
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
    afterSpace: false,
    follows: false,
    role: '',
  }
}

/** A point of the page in the frame of an angle. */
export function inFrame([x, y]: PdfPoint, angle: number): PdfPoint {
  const turn = (angle * Math.PI) / 180
  return [x * Math.cos(turn) + y * Math.sin(turn), x * Math.sin(turn) - y * Math.cos(turn)]
}

/** Scans stand a little askew: what is nearly upright or nearly a quarter turn counts as that, the rest by tens. */
function frameOf(degrees: number): number {
  const quarter = Math.round(degrees / 90) * 90
  const angle = Math.abs(degrees - quarter) <= 5 ? quarter : Math.round(degrees / 10) * 10
  return ((angle % 360) + 360) % 360
}

/** The least of any number of values; a page may hold more than a call takes arguments. */
export function leastOf<Item>(items: Item[], of: (item: Item) => number): number {
  return items.reduce((least, item) => Math.min(least, of(item)), Number.POSITIVE_INFINITY)
}

/** The largest of any number of values. */
export function mostOf<Item>(items: Item[], of: (item: Item) => number): number {
  return items.reduce((most, item) => Math.max(most, of(item)), Number.NEGATIVE_INFINITY)
}
