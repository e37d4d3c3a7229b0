import { fileLimits } from '../../../limits'
import type { MergedRange } from './merged-cells'

/** Column of 'C7', from 0, and its row, from 1; null for what is no place that a sheet has. */
export function placeOf(reference: string): { column: number; row: number } | null {
  const [found, letters = '', digits = ''] = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/i.exec(reference) ?? []
  if (found === undefined) return null
  let column = 0
  for (const letter of letters.toUpperCase()) column = 26 * column + letter.charCodeAt(0) - 64
  return column > fileLimits.table.columns ? null : { column: column - 1, row: Number(digits) }
}

/** What is said behind the rows of a sheet, though it has to be known with them. */
export interface SheetRanges {
  merged: MergedRange[]
  /** Rows from and to, of which some are not shown at the moment. */
  filtered: { top: number; bottom: number } | null
}

/** Longest element that is looked for across two pieces. */
const longestElement = 2_000

/** Looks through a sheet for its merged cells and its filter, without taking it apart. */
export async function readRanges(pieces: AsyncIterable<Uint8Array>): Promise<SheetRanges> {
  const ranges: SheetRanges = { merged: [], filtered: null }
  let carried = ''
  for await (const piece of pieces) {
    const text = carried + Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString('latin1')
    takeRanges(text, ranges)
    const last = text.lastIndexOf('<')
    carried = last >= 0 && text.length - last < longestElement && !text.includes('>', last) ? text.slice(last) : ''
  }
  return ranges
}

function takeRanges(text: string, ranges: SheetRanges): void {
  if (!text.includes('mergeCell') && !text.includes('autoFilter')) return
  const elements = /<(?:\w{1,20}:)?(mergeCell|autoFilter)\s([^<>]*)>/g
  for (const [, name, attributes = ''] of text.matchAll(elements)) {
    const [, start = '', end = ''] = /\bref="([A-Z0-9$]+):([A-Z0-9$]+)"/i.exec(attributes) ?? []
    const [from, to] = [placeOf(start), placeOf(end)]
    if (!from || !to) continue
    if (name === 'autoFilter') {
      // One without conditions shows all rows.
      if (!attributes.endsWith('/')) ranges.filtered = { top: from.row, bottom: to.row }
    } else if (ranges.merged.length < fileLimits.workbook.merged) {
      ranges.merged.push({ top: from.row, bottom: to.row, left: from.column, right: to.column })
    }
  }
}
