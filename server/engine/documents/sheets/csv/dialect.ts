import Papa from 'papaparse'

/** How the records of a file are written. Quotes are '"', doubled within. */
export interface CsvDialect {
  delimiter: string
  newline: '\n' | '\r' | '\r\n'
  /** Length of a first line that only names the delimiter. */
  skipped: number
}

/** In this order where two fit equally well. */
const delimiters = ['\t', '|', ';', ',']
/** Records that are looked at. */
const sampled = 200

/** By the first line where it says 'sep=;', else by what cuts the records of the sample most alike. */
export function dialectOf(sample: string): CsvDialect {
  const newline = newlineIn(sample)
  const [line = '', named] = /^"?sep=([^\r\n"])"?(?:\r\n|\r|\n|$)/i.exec(sample) ?? []
  if (named !== undefined) return { delimiter: named, newline, skipped: line.length }
  let best = { delimiter: ',', fit: { alike: 0, fields: 1, decimals: 0 } }
  for (const delimiter of delimiters) {
    const fit = fitOf(sample, delimiter, newline)
    if (isBetter(fit, best)) best = { delimiter, fit }
  }
  return { delimiter: best.delimiter, newline, skipped: 0 }
}

/** A carriage return ends a line only where no line feed does; line feeds alone among pairs mean line feeds. */
function newlineIn(sample: string): CsvDialect['newline'] {
  let isQuoted = false
  let pairs = 0
  let returns = 0
  for (const [sign] of sample.matchAll(/"|\r\n|\r|\n/g)) {
    if (sign === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (sign === '\n') return '\n'
    else if (sign === '\r') returns++
    else pairs++
  }
  return pairs > 0 ? '\r\n' : returns > 0 ? '\r' : '\n'
}

interface Fit {
  /** Share of the records that have the most frequent number of fields above one. */
  alike: number
  fields: number
  /** Of the fields with a comma, the share that are numbers with one. */
  decimals: number
}

function fitOf(sample: string, delimiter: string, newline: string): Fit {
  const parser = new Papa.Parser({ delimiter, newline: newline as '\n', preview: sampled })
  const parsed = parser.parse(sample, 0, false) as { data: string[][] }
  const records = parsed.data.filter((record) => record.length > 1 || record[0]?.trim())
  // The sample ends within a record.
  if (records.length > 2) records.pop()
  const counts = new Map<number, number>()
  for (const { length } of records) if (length > 1) counts.set(length, (counts.get(length) ?? 0) + 1)
  const [fields, times] = [...counts].reduce((most, each) => (each[1] > most[1] ? each : most), [1, 0])
  const withComma = records.flat().filter((field) => field.includes(','))
  const numbers = withComma.filter((field) => /^\s*[+-]?[\d.\s]*\d,\d+\s*[%€]?\s*$/.test(field))
  return {
    alike: times / Math.max(1, records.length),
    fields,
    decimals: numbers.length / Math.max(1, withComma.length),
  }
}

function isBetter(fit: Fit, best: { delimiter: string; fit: Fit }): boolean {
  if (Math.abs(fit.alike - best.fit.alike) > 0.05) return fit.alike > best.fit.alike
  // Commas that stand in numbers separate nothing.
  if (best.fit.decimals > 0.5) return false
  return fit.fields > best.fit.fields
}
