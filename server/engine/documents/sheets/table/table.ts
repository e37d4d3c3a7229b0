import { fileLimits } from '../../../limits'
import type { Block } from '../../../ports/extractor'
import { UnreadableFile } from '../../format/unreadable-file'
import type { Row } from '../workbook/cell'
import { findHeader, type Header } from './header'
import { estimateTokens, truncateToTokens } from './row-parts'
import { createSummary } from './summary'

export interface TableContext {
  /** '' for a table without a name. */
  name: string
  /** The anchor of the table, and of each row. */
  anchor: string | null
  anchorOf(row: number): string
}

/** Rows buffered until the names of the columns are known. */
const maxHeaderRows = 50
/** Tokens up to which a row is one line; every fragment has room for as many, whatever its title and headings. */
const maxLineTokens = 120
/** Tokens of the first cell that are repeated in each part of a long row. */
const maxKeyTokens = 30

/**
 * Turns the rows of a table into blocks: the text above its header as one, then each row as 'name: value' on a line, or
 * on many lines if it is long, and finally a summary as a standalone block. Takes non-empty rows in order.
 */
export function createTable({ name, anchor, anchorOf }: TableContext) {
  const summary = createSummary()
  let pending: Row[] | null = []
  let names = new Map<number, string>()
  let header: Row | null = null
  let rows = 0
  let isTruncated = false

  /** Finds the header among the pending rows, and emits them. */
  function open(first: Row[]): Block[] {
    pending = null
    const found = findHeader(first)
    if (!found) return first.flatMap(addRow)
    names = found.names
    header = first[found.index] ?? null
    return [...titleOf(first, found), ...first.slice(found.index + 1).flatMap(addRow)]
  }

  function titleOf(first: Row[], found: Header): Block[] {
    const above = first.slice(0, found.index + 1 - found.rows)
    const text = above.map((row) => plainText(row)).join('\n')
    return text === '' ? [] : [{ kind: 'paragraph', text, anchor: anchorOf(above[0]?.number ?? 1) }]
  }

  function addRow(row: Row): Block[] {
    // Long tables repeat their header.
    if (header && isSame(row, header)) return []
    summary.count(row)
    const { block, cells } = blockOf(row, names, anchorOf(row.number))
    isTruncated ||= cells < row.cells.length
    return [block]
  }

  return {
    add(row: Row): Block[] {
      rows++
      isTruncated ||= row.cells.some((cell) => cell.isTruncated)
      if (rows > fileLimits.table.rows) throw new UnreadableFile('file-too-complex')
      if (pending === null) return addRow(row)
      pending.push(row)
      return pending.length < maxHeaderRows ? [] : open(pending)
    },
    /** Whether cells or rows were truncated so far. */
    isTruncated: () => isTruncated,
    /** `remark` is a sentence about the table. */
    end(remark = ''): Block[] {
      const blocks = pending === null ? [] : open(pending)
      const text = summary.describe(name, names, remark)
      return text === null ? blocks : [...blocks, { kind: 'table', text: text, anchor, standalone: true }]
    },
  }
}

function isSame({ cells }: Row, otherRow: Row): boolean {
  return (
    cells.length === otherRow.cells.length && cells.every(({ text }, index) => text === otherRow.cells[index]?.text)
  )
}

/**
 * Returns the block of a row and how many of its cells it has. A long row becomes a table with a line per cell, since
 * each part of a table repeats its first line.
 */
function blockOf(row: Row, names: Map<number, string>, anchor: string): { block: Block; cells: number } {
  const text = rowText(row, names)
  // A token has at least one character.
  if (text.length <= maxLineTokens || row.cells.length < 2 || estimateTokens(text) <= maxLineTokens) {
    return { block: { kind: 'paragraph', text, anchor }, cells: row.cells.length }
  }
  const parts = partsOf(row, names)
  const [first = ''] = parts
  const key = truncateToTokens(first, maxKeyTokens)
  const lines = key === first ? parts : [key, ...parts]
  return { block: { kind: 'table', text: lines.join('\n'), anchor }, cells: parts.length }
}

function plainText(row: Row | undefined): string {
  return row ? rowText(row, new Map()) : ''
}

/** Returns the values of a row with the names of their columns on one line. */
function rowText(row: Row, names: Map<number, string>): string {
  const [first, second] = row.cells
  // A row of a form: a name and its value.
  if (names.size === 0 && row.cells.length === 2 && first?.kind === 'text' && second && second.kind !== 'text') {
    return `${first.text.replace(/ ?:$/, '')}: ${second.text}`
  }
  const parts = partsOf(row, names)
  // Prefers a separator that no value contains.
  return parts.join(parts.some((part) => part.includes(';')) ? ' | ' : '; ')
}

/** Returns the cells as texts, up to the limit of a row. */
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
