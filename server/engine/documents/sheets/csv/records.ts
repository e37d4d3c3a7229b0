import Papa from 'papaparse'
import { fileLimits } from '../../../limits'
import { type CsvDialect, dialectOf } from './dialect'

/** Signs that are parsed at once, and those by which the dialect is told. */
const stepLength = 128 * 1024
const sampleLength = 64 * 1024

/**
 * Records of a CSV text, empty lines among them as one empty field, in batches. A quoted field without an end, or a
 * record over the limit, does not take the rest of the file with it: its quotes are taken for signs like others.
 */
export async function* readRecords(pieces: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string[][]> {
  let dialect: CsvDialect | null = null
  let rest = ''
  /** Signs that are waited for. */
  let wanted = stepLength
  /** Signs at the start of the rest in which quotes are signs like others. */
  let plain = 0
  /** Within a record that was cut, up to its end. */
  let isPassing = false

  for await (const piece of pieces) {
    rest += piece
    for (;;) {
      if (isPassing && dialect) {
        const end = endOfLine(rest, dialect)
        isPassing = end < 0
        rest = end < 0 ? '' : rest.slice(end)
      }
      if (rest.length < wanted) break
      if (dialect === null) {
        dialect = dialectOf(rest.slice(0, sampleLength))
        rest = rest.slice(dialect.skipped)
      }
      const step = rest.slice(0, wanted)
      const isOver = wanted >= fileLimits.csv.recordLength
      let { records, length } = parse(step, dialect, plain > 0 ? 'plain' : 'whole')
      if (length === 0 && isOver && plain === 0) {
        plain = step.length
        wanted = stepLength
        continue
      }
      if (length === 0 && isOver) {
        records = parse(step, dialect, 'cut').records
        length = step.length
        isPassing = true
      }
      if (records.length > 0) yield records
      rest = rest.slice(length)
      plain = Math.max(0, plain - length)
      // Twice as much each time that nothing came of it: a long record is not read again and again.
      wanted = length === 0 ? 2 * wanted : stepLength
    }
    // Whoever reads is told that a long record goes on.
    yield []
  }
  if (rest === '') return
  if (dialect === null) {
    dialect = dialectOf(rest.slice(0, sampleLength))
    rest = rest.slice(dialect.skipped)
  }
  yield parse(rest, dialect, 'last').records
}

interface Parsed {
  records: string[][]
  /** Signs that the records take. */
  length: number
}

/**
 * 'whole': the records that have an end; 'plain': those, with quotes as signs like others; 'cut': the one record that has
 * none, so too; 'last': all up to the end of the file.
 */
function parse(text: string, dialect: CsvDialect, part: 'whole' | 'plain' | 'cut' | 'last'): Parsed {
  const { delimiter, newline } = dialect
  const isPlain = part === 'plain' || part === 'cut'
  const parser = new Papa.Parser({ delimiter, newline, fastMode: isPlain ? true : undefined })
  const isLastLeft = part === 'whole' || part === 'plain'
  const { data, errors, meta } = parser.parse(text, 0, isLastLeft) as {
    data: string[][]
    errors: { code: string }[]
    meta: { cursor: number }
  }
  if (errors.some(({ code }) => code === 'MissingQuotes')) return withPlainEnd(text, dialect)
  if (isPlain) for (const record of data) withoutQuotes(record)
  if (newline === '\n') for (const record of data) withoutReturn(record)
  return { records: data, length: meta.cursor }
}

/** The last record opens a quote that nothing closes: what starts with it is read with quotes as signs like others. */
function withPlainEnd(text: string, dialect: CsvDialect): Parsed {
  const before = parse(text, dialect, 'whole')
  const end = parse(text.slice(before.length), dialect, 'cut')
  return { records: [...before.records, ...end.records], length: text.length }
}

function withoutQuotes(record: string[]): void {
  for (const [index, field] of record.entries()) {
    if (field.length > 1 && field.startsWith('"') && field.endsWith('"')) record[index] = field.slice(1, -1)
  }
}

/** Lines that end in a pair among others that do not. */
function withoutReturn(record: string[]): void {
  const last = record.length - 1
  const field = record[last]
  if (field?.endsWith('\r')) record[last] = field.slice(0, -1)
}

function endOfLine(text: string, { newline }: CsvDialect): number {
  const at = text.indexOf(newline)
  return at < 0 ? -1 : at + newline.length
}
