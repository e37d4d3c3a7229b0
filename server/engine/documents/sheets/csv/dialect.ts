import Papa from 'papaparse'

/** How the records of a file are written. Quotes are '"', doubled inside quoted fields. */
export interface CsvDialect {
  delimiter: string
  newline: '\n' | '\r' | '\r\n'
  /** Length of a first line that only names the delimiter. */
  skippedLength: number
}

/** Delimiters in order of preference if two fit equally well. */
const delimiters = ['\t', '|', ';', ',']
/** Records in the sample. */
const maxSampleRecords = 200

/** Detects the dialect: by a first line 'sep=;', else by the delimiter that splits the sample most evenly. */
export function detectDialect(sample: string): CsvDialect {
  const newline = detectNewline(sample)
  const [line = '', declared] = /^"?sep=([^\r\n"])"?(?:\r\n|\r|\n|$)/i.exec(sample) ?? []
  if (declared !== undefined) return { delimiter: declared, newline, skippedLength: line.length }
  let best = { delimiter: ',', fit: { evenness: 0, fields: 1, decimals: 0 } }
  for (const delimiter of delimiters) {
    const fit = fitOf(sample, delimiter, newline)
    if (isBetter(fit, best)) best = { delimiter, fit }
  }
  return { delimiter: best.delimiter, newline, skippedLength: 0 }
}

/** Carriage returns end lines only without line feeds; a single line feed among pairs means line feeds. */
function detectNewline(sample: string): CsvDialect['newline'] {
  let isQuoted = false
  let pairs = 0
  let returns = 0
  for (const [match] of sample.matchAll(/"|\r\n|\r|\n/g)) {
    if (match === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (match === '\n') return '\n'
    else if (match === '\r') returns++
    else pairs++
  }
  return pairs > 0 ? '\r\n' : returns > 0 ? '\r' : '\n'
}

interface Fit {
  /** Share of the records with the most frequent number of fields above one. */
  evenness: number
  fields: number
  /** Share of the fields with a comma that are decimal numbers. */
  decimals: number
}

function fitOf(sample: string, delimiter: string, newline: string): Fit {
  const parser = new Papa.Parser({ delimiter, newline: newline as '\n', preview: maxSampleRecords })
  const parsed = parser.parse(sample, 0, false) as { data: string[][] }
  const records = parsed.data.filter((record) => record.length > 1 || record[0]?.trim())
  // The sample ends in the middle of a record.
  if (records.length > 2) records.pop()
  const counts = new Map<number, number>()
  for (const { length } of records) if (length > 1) counts.set(length, (counts.get(length) ?? 0) + 1)
  const [fields, times] = [...counts].reduce((max, each) => (each[1] > max[1] ? each : max), [1, 0])
  const withComma = records.flat().filter((field) => field.includes(','))
  const numbers = withComma.filter((field) => /^\s*[+-]?[\d.\s]*\d,\d+\s*[%€]?\s*$/.test(field))
  return {
    evenness: times / Math.max(1, records.length),
    fields,
    decimals: numbers.length / Math.max(1, withComma.length),
  }
}

function isBetter(fit: Fit, best: { delimiter: string; fit: Fit }): boolean {
  if (Math.abs(fit.evenness - best.fit.evenness) > 0.05) return fit.evenness > best.fit.evenness
  // Decimal commas are not delimiters.
  if (best.fit.decimals > 0.5) return false
  return fit.fields > best.fit.fields
}
