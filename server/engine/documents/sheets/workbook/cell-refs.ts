import { fileLimits } from '../../../limits'
import type { MergedRange } from './merged-cells'

/** Parses a reference such as 'C7' into column (from 0) and row (from 1); null for anything else. */
export function parseCellRef(reference: string): { column: number; row: number } | null {
  const [match, letters = '', digits = ''] = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/i.exec(reference) ?? []
  if (match === undefined) return null
  let column = 0
  for (const letter of letters.toUpperCase()) column = 26 * column + letter.charCodeAt(0) - 64
  return column > fileLimits.table.columns ? null : { column: column - 1, row: Number(digits) }
}

/** Ranges that follow the rows of a sheet, but are needed to read them. */
export interface SheetRanges {
  merged: MergedRange[]
  /** Rows with a filter, of which some are hidden temporarily. */
  filtered: { top: number; bottom: number } | null
}

/** Characters of an element that is split across two chunks. */
const maxElementLength = 2_000

/** Scans the XML of a sheet for merged cells and its filter, without parsing it. */
export async function readRanges(chunks: AsyncIterable<Uint8Array>): Promise<SheetRanges> {
  const ranges: SheetRanges = { merged: [], filtered: null }
  let incomplete = ''
  for await (const chunk of chunks) {
    const text = incomplete + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1')
    addRanges(text, ranges)
    const last = text.lastIndexOf('<')
    incomplete = last >= 0 && text.length - last < maxElementLength && !text.includes('>', last) ? text.slice(last) : ''
  }
  return ranges
}

function addRanges(text: string, ranges: SheetRanges): void {
  if (!text.includes('mergeCell') && !text.includes('autoFilter')) return
  const elements = /<(?:\w{1,20}:)?(mergeCell|autoFilter)\s([^<>]*)>/g
  for (const [, name, attributes = ''] of text.matchAll(elements)) {
    const [, start = '', end = ''] = /\bref="([A-Z0-9$]+):([A-Z0-9$]+)"/i.exec(attributes) ?? []
    const [from, to] = [parseCellRef(start), parseCellRef(end)]
    if (!from || !to) continue
    if (name === 'autoFilter') {
      // A filter without conditions shows all rows.
      if (!attributes.endsWith('/')) ranges.filtered = { top: from.row, bottom: to.row }
    } else if (ranges.merged.length < fileLimits.workbook.mergedRanges) {
      ranges.merged.push({ top: from.row, bottom: to.row, left: from.column, right: to.column })
    }
  }
}
