import { fileLimits } from '../../../limits'
import type { Block } from '../../../ports'
import { RefusedFile, refusing } from '../../format/unreadable-file'
import type { FileFormat, FilePart } from '../../ports'
import { type DecodedPiece, readDecoded } from '../../text/decoding'
import { createTable } from '../table/table'
import { type Cell, readCell } from '../workbook/cell'
import { readRecords } from './records'

/** Rows that are handed on at once. */
const batch = 500

/**
 * Reads a CSV file, however long, in the memory of a few of its records. Delimiter, line ends and encoding are told by
 * its start. Rows have the numbers that a spreadsheet gives them: anchor 'row=7'. What is over the limits of a table is
 * cut, and a note says so.
 */
export const readCsv: FileFormat = (path) => refusing(readParts(path))

async function* readParts(path: string): AsyncGenerator<FilePart> {
  yield { kind: 'facts', facts: { title: '', language: '', publishedAt: null, modifiedAt: null } }
  const table = createTable({ name: '', anchor: null, anchorOf: (row) => `row=${row}` })
  let reached = { done: 0, total: 0 }
  let number = 0
  let isEmpty = true
  let hasMoreColumns = false

  async function* texts(pieces: AsyncIterable<DecodedPiece>): AsyncGenerator<string> {
    for await (const { text, done, total } of pieces) {
      reached = { done, total }
      yield text
    }
  }

  for await (const records of readRecords(texts(readDecoded(path)))) {
    for (let start = 0; start < records.length; start += batch) {
      const blocks: Block[] = []
      for (const record of records.slice(start, start + batch)) {
        number++
        const cells = cellsOf(record)
        hasMoreColumns ||= record.slice(fileLimits.table.columns).some((field) => /\S/.test(field))
        if (cells.length === 0) continue
        isEmpty = false
        blocks.push(...table.take({ number, cells }))
      }
      if (blocks.length > 0) yield { kind: 'blocks', blocks }
    }
    yield { kind: 'progress', ...reached }
  }
  if (isEmpty) throw new RefusedFile('file-empty')
  yield { kind: 'blocks', blocks: table.end() }
  if (hasMoreColumns || table.isCut()) yield { kind: 'note', reason: 'file-shortened' }
}

function cellsOf(record: string[]): Cell[] {
  const cells: Cell[] = []
  for (let column = 0; column < Math.min(record.length, fileLimits.table.columns); column++) {
    const cell = readCell(column, record[column] ?? '')
    if (cell) cells.push(cell)
  }
  return cells
}
