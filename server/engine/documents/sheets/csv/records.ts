import Papa from 'papaparse'
import { fileLimits } from '../../../limits'
import { type CsvDialect, detectDialect } from './dialect'

/** Characters parsed at once, and characters from which the dialect is detected. */
const stepLength = 128 * 1024
const sampleLength = 64 * 1024

/**
 * Reads the records of a CSV text in batches; an empty line is a record of one empty field. A quoted field without an
 * end, or a record over the limit, does not swallow the rest of the file: its quotes are then read as ordinary
 * characters.
 */
export async function* readRecords(chunks: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string[][]> {
  let dialect: CsvDialect | null = null
  let rest = ''
  /** Characters needed before the next step. */
  let needed = stepLength
  /** Characters at the start of the rest in which quotes are ordinary characters. */
  let plainLength = 0
  /** Skipping the rest of a truncated record. */
  let isSkipping = false

  for await (const chunk of chunks) {
    rest += chunk
    for (;;) {
      if (isSkipping && dialect) {
        const end = endOfLine(rest, dialect)
        isSkipping = end < 0
        rest = end < 0 ? '' : rest.slice(end)
      }
      if (rest.length < needed) break
      if (dialect === null) {
        dialect = detectDialect(rest.slice(0, sampleLength))
        rest = rest.slice(dialect.skippedLength)
      }
      const step = rest.slice(0, needed)
      const isOver = needed >= fileLimits.csv.recordLength
      let { records, length } = parse(step, dialect, plainLength > 0 ? 'plain' : 'complete')
      if (length === 0 && isOver && plainLength === 0) {
        plainLength = step.length
        needed = stepLength
        continue
      }
      if (length === 0 && isOver) {
        records = parse(step, dialect, 'cut').records
        length = step.length
        isSkipping = true
      }
      if (records.length > 0) yield records
      rest = rest.slice(length)
      plainLength = Math.max(0, plainLength - length)
      // Doubles the step while no record ends, so that a long record is not parsed again and again.
      needed = length === 0 ? 2 * needed : stepLength
    }
    // Lets the consumer report progress within a long record.
    yield []
  }
  if (rest === '') return
  if (dialect === null) {
    dialect = detectDialect(rest.slice(0, sampleLength))
    rest = rest.slice(dialect.skippedLength)
  }
  yield parse(rest, dialect, 'last').records
}

interface Parsed {
  records: string[][]
  /** Characters of the text that the records cover. */
  length: number
}

/**
 * Parses records: 'complete' those that end, 'plain' likewise with quotes as ordinary characters, 'cut' a single one
 * without end, likewise, 'last' all up to the end of the file.
 */
function parse(text: string, dialect: CsvDialect, part: 'complete' | 'plain' | 'cut' | 'last'): Parsed {
  const { delimiter, newline } = dialect
  const isPlain = part === 'plain' || part === 'cut'
  const parser = new Papa.Parser({ delimiter, newline, fastMode: isPlain ? true : undefined })
  const ignoresLast = part === 'complete' || part === 'plain'
  const { data, errors, meta } = parser.parse(text, 0, ignoresLast) as {
    data: string[][]
    errors: { code: string }[]
    meta: { cursor: number }
  }
  if (errors.some(({ code }) => code === 'MissingQuotes')) return withPlainEnd(text, dialect)
  if (isPlain) for (const record of data) withoutQuotes(record)
  if (newline === '\n') for (const record of data) withoutReturn(record)
  return { records: data, length: meta.cursor }
}

/** Reads the last record, which opens a quote that nothing closes, with quotes as ordinary characters. */
function withPlainEnd(text: string, dialect: CsvDialect): Parsed {
  const before = parse(text, dialect, 'complete')
  const end = parse(text.slice(before.length), dialect, 'cut')
  return { records: [...before.records, ...end.records], length: text.length }
}

function withoutQuotes(record: string[]): void {
  for (const [index, field] of record.entries()) {
    if (field.length > 1 && field.startsWith('"') && field.endsWith('"')) record[index] = field.slice(1, -1)
  }
}

/** Removes the carriage return of a CRLF line among LF lines. */
function withoutReturn(record: string[]): void {
  const last = record.length - 1
  const field = record[last]
  if (field?.endsWith('\r')) record[last] = field.slice(0, -1)
}

function endOfLine(text: string, { newline }: CsvDialect): number {
  const position = text.indexOf(newline)
  return position < 0 ? -1 : position + newline.length
}
