import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, open, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Papa from 'papaparse'
import { createTokenizer } from '../../server/adapters/embedding/model-tokenizer'
import { readPdf } from '../../server/engine/documents/pdf/pdf'
import type { FileFormat } from '../../server/engine/documents/ports'
import { readCsv } from '../../server/engine/documents/sheets/csv/csv'
import { readSheet } from '../../server/engine/documents/sheets/sheet'
import { readText } from '../../server/engine/documents/text/text'
import { readDocument } from '../../server/engine/ingest/read-document'
import { fileLimits } from '../../server/engine/limits'
import { makePdf } from '../support/files/pdf'
import { zipOf } from '../support/files/zip'

/**
 * Measures processor time and memory for reading large files, each in a process of its own, and for chunking a CSV file
 * next to parsing it with papaparse: `npx tsx tests/bench/files.ts`
 */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'files-bench-'))
  try {
    const csv = join(folder, 'million.csv')
    await writeCsv(csv)
    const ours = await measure('csv', csv)
    const papaparse = await measure('papaparse', csv)
    console.log(`csv / papaparse alone ${(ours / papaparse).toFixed(1)}`)
    const line = join(folder, 'line.csv')
    await writeFile(line, Buffer.alloc(largest, '"a, b'))
    await measure('csv', line, 'one line without an end')
    await measure('fragments', csv, 'of the same rows')
    await measure('text', csv, 'as a text')
    const xlsx = join(folder, 'million.xlsx')
    await writeXlsx(xlsx)
    await measure('xlsx', xlsx)
    const pdf = join(folder, 'pages.pdf')
    await writeFile(pdf, makePdf({ pages: Array.from({ length: 1_000 }, (_, index) => pdfPage(index)) }))
    await measure('pdf', pdf, '1,000 pages')
  } finally {
    await rm(folder, { recursive: true })
  }
}

const largest = 64 * 1024 * 1024
const rows = 1_000_000

async function writeCsv(path: string): Promise<void> {
  const file = await open(path, 'w')
  await file.write('number,name,price,day,open,note\n')
  const step = 10_000
  for (let start = 0; start < rows; start += step) {
    const lines = Array.from({ length: step }, (_, index) => csvLine(start + index))
    await file.write(lines.join(''))
  }
  await file.close()
}

function csvLine(row: number): string {
  const day = `2024-0${1 + (row % 9)}-1${row % 10}`
  return `${row},Article ${row},${((row * 37) % 9973) / 100},${day},${row % 2 === 0},"${row % 7} left, ""soon"" more"\n`
}

function pdfPage(page: number) {
  const words = (line: number) => `Article ${page * 45 + line} is one of those that the catalogue has under this number`
  return { texts: Array.from({ length: 45 }, (_, line) => ({ text: words(line), x: 72, y: 740 - line * 14 })) }
}

async function writeXlsx(path: string): Promise<void> {
  const types = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${types}/${type}" Target="${target}"/>`
  const cells: string[] = []
  const strings: string[] = []
  let noise = 1
  for (let row = 1; row <= rows; row++) {
    noise = (noise * 1_103_515_245 + 12_345) % 2_147_483_648
    const price = `<c r="B${row}"><v>${noise / 1000}</v></c><c r="C${row}"><v>${(noise * 31) % 1_000_003}</v></c>`
    cells.push(`<row r="${row}"><c r="A${row}" t="s"><v>${row - 1}</v></c>${price}</row>`)
    strings.push(`<si><t>article ${row}, ${randomBytes(36).toString('base64')}</t></si>`)
  }
  const parts: Record<string, string> = {
    '_rels/.rels': `<Relationships>${relation('a', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': '<workbook><sheets><sheet name="Data" sheetId="1" r:id="a"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': `<Relationships>${relation('a', 'worksheet', 'worksheets/sheet1.xml')}${relation('b', 'sharedStrings', 'sharedStrings.xml')}</Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${cells.join('')}</sheetData></worksheet>`,
    'xl/sharedStrings.xml': `<sst>${strings.join('')}</sst>`,
  }
  await writeFile(path, zipOf(Object.entries(parts).map(([name, content]) => ({ name, content }))))
}

interface Measured {
  blocks: number
  seconds: number
  peakMebibytes: number
}

/** Reads a file in a process with the product's heap limit. Returns the seconds of processor time. */
async function measure(reader: string, path: string, remark = ''): Promise<number> {
  const { size } = await stat(path)
  const heap = `--max-old-space-size=${fileLimits.process.heapBytes / 2 ** 20}`
  const child = fork(fileURLToPath(import.meta.url), [reader, path], { execArgv: [...process.execArgv, heap] })
  const { blocks, seconds, peakMebibytes } = await new Promise<Measured>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Measured))
    child.once('exit', (code) => reject(new Error(`The reader ended with ${code}.`)))
  })
  const speed = `${(size / 1e6 / seconds).toFixed(1)} MB/s`
  const name = `${reader}${remark && `, ${remark}`}`
  const mebibytes = `${(size / 1024 / 1024).toFixed(1)} MiB`
  console.log(
    `${name}: ${mebibytes}, ${blocks} blocks, ${seconds.toFixed(1)} s, ${speed}, peak ${peakMebibytes.toFixed(0)} MiB`,
  )
  return seconds
}

const readers: Record<string, FileFormat> = { csv: readCsv, xlsx: readSheet, text: readText, pdf: readPdf }

async function read(name: string, path: string): Promise<Measured> {
  const before = process.cpuUsage()
  const format = readers[name]
  const count = name === 'fragments' ? countFragments : countRecords
  const blocks = format ? await countBlocks(format, path) : await count(path)
  const { user, system } = process.cpuUsage(before)
  const seconds = (user + system) / 1e6
  return { blocks, seconds, peakMebibytes: process.resourceUsage().maxRSS / 1024 }
}

async function countBlocks(format: FileFormat, path: string): Promise<number> {
  let count = 0
  for await (const part of format(path)) {
    if (part.kind === 'blocks') count += part.blocks.length
    if (part.kind === 'refused') throw new Error(`The file was refused: ${part.reason}.`)
  }
  return count
}

/** The fragments as in the product. */
async function countFragments(path: string): Promise<number> {
  let count = 0
  const tokenizer = createTokenizer('models/all-MiniLM-L6-v2')
  for await (const reading of readDocument(readCsv(path), { name: 'million.csv' }, tokenizer)) {
    if (reading.kind === 'fragments') count += reading.fragments.length
  }
  return count
}

function countRecords(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let count = 0
    Papa.parse<string[]>(createReadStream(path), {
      step: () => {
        count++
      },
      complete: () => resolve(count),
      error: reject,
    })
  })
}

const [reader, path] = process.argv.slice(2)
if (reader !== undefined && path !== undefined) process.send?.(await read(reader, path))
else await main()
