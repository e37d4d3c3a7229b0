import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type BookType, utils, write } from '@e965/xlsx'
import { fileTypeOf } from '../../contract/sources/file'
import { openZip } from '../../server/engine/documents/containers/zip-archive'
import { docOf } from '../support/files/doc'
import { docxOf, paragraphOf, tableOf } from '../support/files/docx'
import { makePdf } from '../support/files/pdf'
import { pptxOf, shapeOf, slideTableOf } from '../support/files/pptx'
import type { ZipEntry } from '../support/files/zip'
import { seededRandom } from '../support/seeded-random'
import { below } from './mutate'

export const kinds = ['page', 'txt', 'pdf', 'doc', 'docx', 'xls', 'xlsx', 'csv', 'md', 'html', 'pptx'] as const
export type Kind = (typeof kinds)[number]

/** A readable file from which mutations are made. */
export interface Sample {
  kind: Kind
  name: string
  bytes: Buffer
  /** The entries of an archive. */
  entries: ZipEntry[]
}

type Found = Omit<Sample, 'entries'>

/** Published test sets, with the folder of their files. */
const sets = [
  'pdf-pdfjs',
  'pdf-verapdf',
  'office-poi',
  'csv-small/csvs',
  'trafilatura-eval/html',
  'readability-pages',
] as const
const maxSampleBytes = 1024 * 1024

/** Returns fixtures of the tests, generated files, and up to `perSet` files of each published set that is available. */
export async function findSamples(seed: number, perSet: number): Promise<Sample[]> {
  const found = [...generated(), ...fixtures(), ...sets.flatMap((set) => published(set, seed, perSet))]
  const samples: Sample[] = []
  for (const sample of found) samples.push({ ...sample, entries: await entriesOf(sample) })
  return samples
}

function* generated(): Generator<Found> {
  const prose = 'The storm lamp hums, and it burns for nine hours. '
  const rows = [
    ['lamp', 'price', 'day'],
    ...Array.from({ length: 30 }, (_, index) => [`Storm ${index}`, index * 1.5, index]),
  ]
  const docx = docxOf({
    body: `${paragraphOf('Lamps', '<w:pStyle w:val="h"/>')}${paragraphOf(prose.repeat(20))}${tableOf([
      ['lamp', 'price'],
      ['Storm', '12'],
    ])}${paragraphOf('an item', '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>')}<w:p><w:r><w:footnoteReference w:id="2"/></w:r></w:p>`,
    styles: '<w:style w:type="paragraph" w:styleId="h"><w:name w:val="heading 1"/></w:style>',
    numbering:
      '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>',
    footnotes: `<w:footnote w:id="2">${paragraphOf('A note.')}</w:footnote>`,
    properties: '<dc:title>Lamps</dc:title>',
  })
  yield { kind: 'docx', name: 'made.docx', bytes: docx }
  yield { kind: 'doc', name: 'made.doc', bytes: docOf({ paragraphs: [{ text: `${prose}\r` }, { text: 'Lamps\r' }] }) }
  const workbook = utils.book_new()
  utils.book_append_sheet(workbook, utils.aoa_to_sheet(rows), 'Lamps')
  const written = (bookType: BookType): Buffer => write(workbook, { type: 'buffer', bookType })
  yield { kind: 'xlsx', name: 'made.xlsx', bytes: written('xlsx') }
  yield { kind: 'xls', name: 'made.xls', bytes: written('biff8') }
  yield { kind: 'xls', name: 'old.xls', bytes: written('biff5') }
  const texts = Array.from({ length: 30 }, (_, index) => ({ text: `${index} ${prose}`, x: 72, y: 700 - index * 14 }))
  const pages = [{ texts, hasImage: true }, { texts }, { texts: texts.slice(0, 5) }]
  const outline = [1, 2, 1].map((level, index) => ({ title: `${index} ${prose.slice(0, 20)}`, level }))
  yield { kind: 'pdf', name: 'made.pdf', bytes: makePdf({ pages, outline, info: { Title: 'Lamps' }, language: 'en' }) }
  yield { kind: 'pdf', name: 'locked.pdf', bytes: makePdf({ pages, passwords: { user: '', owner: 'a' } }) }
  const csv = rows.map((row) => row.map((cell) => `"${cell}"`).join(';')).join('\r\n')
  yield { kind: 'csv', name: 'made.csv', bytes: Buffer.from(csv) }
  const slides = [
    {
      shapes: `${shapeOf(prose)}${slideTableOf(
        rows.slice(0, 9).map((row) => row.map(String)),
        9,
      )}`,
      notes: 'A note.',
    },
    { shapes: shapeOf('Lamps') },
  ]
  yield { kind: 'pptx', name: 'made.pptx', bytes: pptxOf(slides, 'Lamps') }
  const marked = `---\ntitle: Lamps\n---\n# Lamps\n\n${prose}\n\n- one\n  - two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n\`\`\`js\nlight()\n\`\`\`\n`
  yield { kind: 'md', name: 'made.md', bytes: Buffer.from(marked) }
  yield { kind: 'html', name: 'made.html', bytes: Buffer.from(`<title>Lamps</title><h1>Lamps</h1><p>${prose}</p>`) }
  const text = `Lamps\n=====\n\n${prose.repeat(30)}\n\n- one\n- two\n  - three\n\n${'col  umn\n'.repeat(9)}\n\u{1f600} caf\u00e9 \u706f\n`
  yield { kind: 'txt', name: 'made.txt', bytes: Buffer.from(text) }
  yield { kind: 'txt', name: 'wide.txt', bytes: Buffer.from(`\ufeff${text}`, 'utf16le') }
}

function* fixtures(): Generator<Found> {
  const files = 'tests/fixtures/files'
  for (const name of readdirSync(files)) {
    const kind = fileTypeOf(name)
    if (kind) yield { kind, name, bytes: readFileSync(join(files, name)) }
  }
  const pages = 'tests/fixtures/pages'
  for (const name of readdirSync(pages)) {
    yield { kind: 'page', name: `${name}.html`, bytes: readFileSync(join(pages, name, 'source.html')) }
  }
}

function published(set: string, seed: number, max: number): Found[] {
  const folder = join('..', 'shared', 'eval', set)
  if (!existsSync(folder)) return []
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => kindOf(name) !== null && !name.includes('expected'))
    .sort()
  const random = seededRandom(seed, set)
  const chosen = new Set<string>()
  for (let remaining = Math.min(max, names.length); remaining > 0; remaining--)
    chosen.add(names[below(names.length, random)] ?? '')
  return [...chosen].flatMap((name) => {
    const kind = kindOf(name)
    const path = join(folder, name)
    if (!kind || statSync(path).size > maxSampleBytes) return []
    const bytes = readFileSync(path)
    return [{ kind, name: `${set}/${name}`, bytes: kind === 'page' ? gunzipSync(bytes) : bytes }]
  })
}

function kindOf(name: string): Kind | null {
  return name.endsWith('.html.gz') ? 'page' : fileTypeOf(name)
}

/** Returns no entries for other kinds, and for archives that cannot be read. */
async function entriesOf({ kind, bytes }: Found): Promise<ZipEntry[]> {
  if (kind !== 'docx' && kind !== 'xlsx' && kind !== 'pptx') return []
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-'))
  const entries: ZipEntry[] = []
  try {
    const path = join(folder, 'archive')
    writeFileSync(path, bytes)
    const zip = await openZip(path)
    try {
      for (const name of zip.names) {
        const chunks: Uint8Array[] = []
        for await (const chunk of zip.read(name)) chunks.push(chunk)
        entries.push({ name, content: Buffer.concat(chunks) })
      }
    } finally {
      zip.close()
    }
    return entries
  } catch {
    return []
  } finally {
    rmSync(folder, { recursive: true })
  }
}
