import { fileLimits } from '../limits'
import type { Block } from '../ports'
import { RefusedFile } from './refused-file'
import type { Cell, Row } from './sheet-cell'
import { findHeader, type Header } from './sheet-header'
import { createSummary } from './sheet-summary'

export interface TablePlace {
  /** '' where it has none. */
  name: string
  /** Of the table as a whole and of one of its rows, as a part of an address. */
  anchor: string | null
  anchorOf(row: number): string
  /** Files of this kind mostly start with the names of their columns. */
  hasHeader: boolean
}

/** Rows that are held until the names of the columns are known. */
const opening = 50

/**
 * Turns the rows of a table into blocks: what stands above the names of its columns as one, each row as a line of
 * 'name: value', and behind them a summary that stands alone. Takes rows that hold something, in their order.
 */
export function createTable({ name, anchor, anchorOf, hasHeader }: TablePlace) {
  const summary = createSummary()
  let waiting: Row[] | null = []
  let names = new Map<number, string>()
  let header: Row | null = null
  let rows = 0

  /** Decides on the names with the rows that wait. */
  function open(first: Row[]): Block[] {
    waiting = null
    const found = findHeader(first, hasHeader)
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
    return [{ kind: 'paragraph', text: rowText(row, names), anchor: anchorOf(row.number) }]
  }

  return {
    take(row: Row): Block[] {
      rows++
      if (rows > fileLimits.table.rows) throw new RefusedFile('file-too-complex')
      if (waiting === null) return tell(row)
      waiting.push(row)
      return waiting.length < opening ? [] : open(waiting)
    },
    /** `remark`: what else is to be said of the table, as a sentence. */
    end(remark = ''): Block[] {
      const blocks = waiting === null ? [] : open(waiting)
      const told = summary.tell(name, names, remark)
      return told === null ? blocks : [...blocks, { kind: 'paragraph', text: told, anchor, alone: true }]
    },
  }
}

function isSame({ cells }: Row, other: Row): boolean {
  return cells.length === other.cells.length && cells.every(({ text }, index) => text === other.cells[index]?.text)
}

function plainText(row: Row | undefined): string {
  return row ? rowText(row, new Map()) : ''
}

/** Values with the names of their columns on one line, no longer than a row may be. */
function rowText({ cells }: Row, names: Map<number, string>): string {
  const [first, second] = cells
  // Of a form: a name and its value.
  if (names.size === 0 && cells.length === 2 && first?.kind === 'text' && second && second.kind !== 'text') {
    return `${first.text.replace(/ ?:$/, '')}: ${second.text}`
  }
  const parts: string[] = []
  let length = 0
  for (const cell of cells) {
    const part = partOf(cell, names)
    length += part.length + 2
    if (length > fileLimits.table.rowLength) break
    parts.push(part)
  }
  // A separator that none of the values has, as far as there is one.
  return parts.join(parts.some((part) => part.includes(';')) ? ' | ' : '; ')
}

function partOf({ column, text }: Cell, names: Map<number, string>): string {
  const name = names.get(column)
  return name ? `${name}: ${text}` : text
}
