import { fileLimits } from '../../../limits'
import type { Block } from '../../../ports'
import { RefusedFile } from '../../format/unreadable-file'
import type { Row } from '../workbook/cell'
import { findHeader, type Header } from './header'
import { estimatePieces, startOf } from './row-parts'
import { createSummary } from './summary'

export interface TablePlace {
  /** '' where it has none. */
  name: string
  /** Of the table as a whole and of one of its rows, as a part of an address. */
  anchor: string | null
  anchorOf(row: number): string
}

/** Rows that are held until the names of the columns are known. */
const opening = 50
/** Word pieces up to which a row is one line: so many a fragment has, whatever its title and headings. */
const linePieces = 120
/** Of the first cell where it stands before each part of a long row. */
const keyPieces = 30

/**
 * Turns the rows of a table into blocks: what stands above the names of its columns as one, each row as 'name: value' on
 * a line, or on many where it is long, and behind them a summary that stands alone. Takes rows that hold something, in their order.
 */
export function createTable({ name, anchor, anchorOf }: TablePlace) {
  const summary = createSummary()
  let waiting: Row[] | null = []
  let names = new Map<number, string>()
  let header: Row | null = null
  let rows = 0
  let isCut = false

  /** Decides on the names with the rows that wait. */
  function open(first: Row[]): Block[] {
    waiting = null
    const found = findHeader(first)
    if (!found) return first.flatMap(tell)
    names = found.names
    header = first[found.index] ?? null
    return [...titleOf(first, found), ...first.slice(found.index + 1).flatMap(tell)]
  }

  function titleOf(first: Row[], found: Header): Block[] {
    const above = first.slice(0, found.index + 1 - found.rows)
    const text = above.map((row) => plainText(row)).join('\n')
    return text === '' ? [] : [{ kind: 'paragraph', text, anchor: anchorOf(above[0]?.number ?? 1) }]
  }

  function tell(row: Row): Block[] {
    // Long tables repeat the names of their columns.
    if (header && isSame(row, header)) return []
    summary.count(row)
    const { block, cells } = blockOf(row, names, anchorOf(row.number))
    isCut ||= cells < row.cells.length
    return [block]
  }

  return {
    take(row: Row): Block[] {
      rows++
      isCut ||= row.cells.some((cell) => cell.isCut)
      if (rows > fileLimits.table.rows) throw new RefusedFile('file-too-complex')
      if (waiting === null) return tell(row)
      waiting.push(row)
      return waiting.length < opening ? [] : open(waiting)
    },
    /** Whether the ends of cells or rows were left out so far. */
    isCut: () => isCut,
    /** `remark`: what else is to be said of the table, as a sentence. */
    end(remark = ''): Block[] {
      const blocks = waiting === null ? [] : open(waiting)
      const told = summary.tell(name, names, remark)
      return told === null ? blocks : [...blocks, { kind: 'table', text: told, anchor, alone: true }]
    },
  }
}

function isSame({ cells }: Row, other: Row): boolean {
  return cells.length === other.cells.length && cells.every(({ text }, index) => text === other.cells[index]?.text)
}

/**
 * A long row is a table of a line for each cell, since parts of a table start with its first line. With how many of its
 * cells are in it.
 */
function blockOf(row: Row, names: Map<number, string>, anchor: string): { block: Block; cells: number } {
  const text = rowText(row, names)
  // No piece has less than one sign.
  if (text.length <= linePieces || row.cells.length < 2 || estimatePieces(text) <= linePieces) {
    return { block: { kind: 'paragraph', text, anchor }, cells: row.cells.length }
  }
  const parts = partsOf(row, names)
  const [first = ''] = parts
  const key = startOf(first, keyPieces)
  const lines = key === first ? parts : [key, ...parts]
  return { block: { kind: 'table', text: lines.join('\n'), anchor }, cells: parts.length }
}

function plainText(row: Row | undefined): string {
  return row ? rowText(row, new Map()) : ''
}

/** Values with the names of their columns on one line. */
function rowText(row: Row, names: Map<number, string>): string {
  const [first, second] = row.cells
  // Of a form: a name and its value.
  if (names.size === 0 && row.cells.length === 2 && first?.kind === 'text' && second && second.kind !== 'text') {
    return `${first.text.replace(/ ?:$/, '')}: ${second.text}`
  }
  const parts = partsOf(row, names)
  // A separator that none of the values has, as far as there is one.
  return parts.join(parts.some((part) => part.includes(';')) ? ' | ' : '; ')
}

/** No longer together than a row may be. */
function partsOf({ cells }: Row, names: Map<number, string>): string[] {
  const parts: string[] = []
  let length = 0
  for (const { column, text } of cells) {
    const name = names.get(column)
    const part = name ? `${name}: ${text}` : text
    length += part.length + 2
    if (length > fileLimits.table.rowLength) break
    parts.push(part)
  }
  return parts
}
