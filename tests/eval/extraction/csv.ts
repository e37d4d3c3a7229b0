import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { readRecords } from '../../../server/engine/documents/sheets/csv/records'

interface ParserTest {
  description: string
  input: string
  config?: Record<string, unknown>
  expected: { data: unknown[]; errors?: unknown[] }
}

interface Case {
  name: string
  input: string
  expected: string[][]
  /** Why it is not counted; null where it is well-formed and asks for nothing that the product does not offer. */
  outside: string | null
}

/** Prints how many well-formed cases of csv-spectrum and of papaparse's tests come out exactly, and what is not one. */
export async function measureCsv(root: string): Promise<void> {
  const folder = join(root, 'csv-small')
  if (!existsSync(folder)) return console.log(`csv-small: left out, for it is not in ${root}.`)
  await measure('csv-spectrum', spectrumCases(folder))
  for (const name of ['core_parser_tests', 'parse_tests']) {
    await measure(`papaparse ${name}`, parserCases(join(folder, 'papaparse', `${name}.json`)))
  }
}

async function measure(name: string, cases: Case[]): Promise<void> {
  const counted = cases.filter(({ outside }) => outside === null)
  const wrong: Case[] = []
  for (const each of counted) {
    if (!isDeepStrictEqual(await recordsOf(each.input), withoutEnd(each.expected))) wrong.push(each)
  }
  console.log(`\n${name}: ${counted.length - wrong.length} of ${counted.length} well-formed cases exact`)
  for (const each of wrong) console.log(`  wrong: ${each.name}`)
  const reasons = new Map<string, string[]>()
  for (const { outside, name: title } of cases) {
    if (outside !== null) reasons.set(outside, [...(reasons.get(outside) ?? []), title])
  }
  for (const [reason, names] of reasons) console.log(`  not counted, ${reason}: ${names.length} (${names.join('; ')})`)
}

async function recordsOf(input: string): Promise<string[][]> {
  const records: string[][] = []
  // A byte order mark ends where a file is decoded.
  for await (const batch of readRecords([input.replace(/^\ufeff/, '')])) records.push(...batch)
  return withoutEnd(records)
}

/** The end of the last line starts no record. */
function withoutEnd(records: string[][]): string[][] {
  return isDeepStrictEqual(records.at(-1), ['']) ? records.slice(0, -1) : records
}

function spectrumCases(folder: string): Case[] {
  return readdirSync(join(folder, 'csvs')).map((file) => {
    const parsed = JSON.parse(readFileSync(join(folder, 'json', file.replace('.csv', '.json')), 'utf8')) as object
    // A file of one row is expected as that row alone.
    const rows = Array.isArray(parsed) ? (parsed as object[]) : [parsed]
    const input = readFileSync(join(folder, 'csvs', file), 'utf8')
    const expected = recordsOfObjects(rows)
    return { name: file, input, expected, outside: isWellFormed(input.trimEnd(), expected) ? null : notWellFormed }
  })
}

function recordsOfObjects(rows: object[]): string[][] {
  return [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row).map(String))]
}

function parserCases(path: string): Case[] {
  const tests = JSON.parse(readFileSync(path, 'utf8')) as ParserTest[]
  return tests.map((test) => {
    const { data } = test.expected
    const isOfObjects = test.config?.header === true && !Array.isArray(data[0]) && data.length > 0
    const expected = isOfObjects ? recordsOfObjects(data as object[]) : (data as string[][])
    return { name: test.description, input: test.input, expected, outside: outsideOf(test, expected) }
  })
}

const notWellFormed = 'not as RFC 4180 writes it'

/** Settings that change nothing in what has to be read. */
const harmless = new Set(['newline', 'header', 'fastMode'])

function outsideOf(
  { input, config = {}, expected: { data, errors = [] } }: ParserTest,
  expected: string[][],
): string | null {
  const { delimiter } = config
  const settings = Object.keys(config).filter((key) => !harmless.has(key) && key !== 'delimiter')
  if (settings.length > 0) return `asks for a setting (${settings.join(', ')})`
  if (delimiter !== undefined && !/^[,;|\t]$/.test(String(delimiter))) return 'asks for another delimiter'
  if (config.header === true && data.length === 0) return 'a header alone, which is expected to vanish'
  if (config.header === true && /_\d/.test(JSON.stringify(expected[0]))) return 'asks for columns to be renamed'
  if (config.header === true && errors.length > 0) return 'objects that leave fields out'
  return isWellFormed(input.replace(/^\ufeff/, ''), expected) ? null : notWellFormed
}

/** RFC 4180 with any of four delimiters and one kind of line end throughout; lines may be empty, or of any length. */
function isWellFormed(input: string, expected: string[][]): boolean {
  return [',', ';', '|', '\t'].some((delimiter) =>
    ['\r\n', '\n', '\r'].some((newline) => {
      const quoted = '"(?:[^"]|"")*"'
      const field = `(?:${quoted}|[^"\\r\\n${delimiter === '|' ? '\\|' : delimiter}]*)`
      const cut = delimiter === '|' ? '\\|' : delimiter
      const record = `${field}(?:${cut}${field})*`
      if (!new RegExp(`^${record}(?:${newline}${record})*$`).test(input)) return false
      return expected.length === 0 || expected.some((fields) => fields.length > 1) === input.includes(delimiter)
    }),
  )
}
