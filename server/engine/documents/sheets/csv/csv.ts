import { fileLimits } from '../../../limits'
import type { Block } from '../../../ports/extractor'
import { catchUnreadable, UnreadableFile } from '../../format/unreadable-file'
import type { FileFormat, FilePart } from '../../ports'
import { type DecodedChunk, readDecoded } from '../../text/decoding'
import { createTable } from '../table/table'
import { type Cell, readCell } from '../workbook/cell'
import { readRecords } from './records'

/** Rows per batch of blocks. */
const batchRows = 500

/**
 * Reads a CSV file of any length, with a few of its records in memory. Detects delimiter, line ends and encoding. Rows
 * have the numbers that a spreadsheet program shows: anchor 'row=7'. Truncates what exceeds the limits of a table, and
 * says so in a note.
 */
export const readCsv: FileFormat = (path) => catchUnreadable(readParts(path))

async function* readParts(path: string): AsyncGenerator<FilePart> {
  yield { kind: 'facts', facts: { title: '', language: '', publishedAt: null, modifiedAt: null } }
  const table = createTable({ name: '', anchor: null, anchorOf: (row) => `row=${row}` })
  let progress = { done: 0, total: 0 }
  let number = 0
  let isEmpty = true
  let hasMoreColumns = false

  async function* texts(chunks: AsyncIterable<DecodedChunk>): AsyncGenerator<string> {
    for await (const { text, done, total } of chunks) {
      progress = { done, total }
      yield text
    }
  }

  for await (const records of readRecords(texts(readDecoded(path)))) {
    for (let start = 0; start < records.length; start += batchRows) {
      const blocks: Block[] = []
      for (const record of records.slice(start, start + batchRows)) {
        number++
        const cells = cellsOf(record)
        hasMoreColumns ||= record.slice(fileLimits.table.columns).some((field) => /\S/.test(field))
        if (cells.length === 0) continue
        isEmpty = false
        blocks.push(...table.add({ number, cells }))
      }
      if (blocks.length > 0) yield { kind: 'blocks', blocks }
    }
    yield { kind: 'progress', ...progress }
  }
  if (isEmpty) throw new UnreadableFile('file-empty')
  yield { kind: 'blocks', blocks: table.end() }
  if (hasMoreColumns || table.isTruncated()) yield { kind: 'note', reason: 'file-shortened' }
}

function cellsOf(record: string[]): Cell[] {
  const cells: Cell[] = []
  for (let column = 0; column < Math.min(record.length, fileLimits.table.columns); column++) {
    const cell = readCell(column, record[column] ?? '')
    if (cell) cells.push(cell)
  }
  return cells
}
