import { constants, deflateRawSync } from 'node:zlib'
import type { ReasonCode } from '../../contract/reasons'
import { docxOf, paragraphOf } from '../support/files/docx'
import { oleOf } from '../support/files/ole'
import { makePdf } from '../support/files/pdf'
import { type ZipEntry, zipOf } from '../support/files/zip'
import { seededRandom } from '../support/seeded-random'

/** A malicious or damaged file. */
export interface BadFile {
  what: string
  name: string
  make(): Buffer
  /** The expected reason; 'read' if its text is found. */
  outcome: ReasonCode | 'read'
  /** Takes a minute or more. */
  isSlow?: boolean
}

const mebibyte = 2 ** 20
const main = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const docx = docxOf({ body: paragraphOf('The storm lamp hums.') })
const pdf = makePdf({ pages: [{ texts: [{ text: 'The storm lamp hums.', x: 72, y: 700 }] }] })

/** Returns one file of each kind. A file that requests `witness` has followed a link. */
export function badFiles(witness: string): BadFile[] {
  return [
    file('a truncated Word file', 'cut.docx', 'file-broken', () => docx.subarray(0, docx.length / 2)),
    file('a truncated PDF', 'cut.pdf', 'file-broken', () => pdf.subarray(0, 60)),
    file('a PDF with one page left', 'damaged.pdf', 'read', damagedPages),
    file('nothing but white space', 'blank.txt', 'file-empty', () => Buffer.from(' \n\t\n')),
    file('a Word file with a password', 'locked.docx', 'file-encrypted', encryptedArchive),
    file('a PDF with a password', 'locked.pdf', 'file-encrypted', () =>
      makePdf({ pages: [{ texts: [] }], passwords: { user: 'lamp', owner: 'house' } }),
    ),
    file('a Word file renamed', 'renamed.pdf', 'file-mismatch', () => docx),
    file('a program renamed', 'program.txt', 'file-mismatch', () =>
      Buffer.from(Array.from({ length: 9_000 }, (_, index) => (index * 7_919) % 251)),
    ),
    file('a PDF that is an archive, too', 'both.docx', 'file-mismatch', () => Buffer.concat([pdf, docx])),
    file('an archive that is a PDF, too', 'both.pdf', 'file-mismatch', () => Buffer.concat([docx, pdf])),
    file('2 MB that decompress to 558 GB', 'bomb.xlsx', 'file-too-complex', overlappingBomb),
    file('a Word file of 256 MiB of text', 'large.docx', 'file-too-complex', largeDocument),
    { ...file('a Word file at the size limit', 'largest.docx', 'read', createMaxSizeDocument), isSlow: true },
    file('a directory that lies about 256 MiB', 'liar.docx', 'file-broken', () => largeDocument(mebibyte)),
    file('one cell at the end of a sheet', 'far.xlsx', 'read', farCell),
    file('nested entities, Word', 'entities.docx', 'file-broken', () => entityBomb('word/document.xml')),
    file('nested entities, Excel', 'entities.xlsx', 'read', () => entityBomb('xl/worksheets/sheet1.xml')),
    file('external links', 'links.docx', 'read', () => externalLinks(witness)),
    file('a PDF with loops', 'loops.pdf', 'read', loops),
    file('a PDF of 100,000 pages in a tree', 'tree.pdf', 'read', treeOfPages),
    { ...file('a PDF of 100,000 pages in a row', 'row.pdf', 'read', rowOfPages), isSlow: true },
    file('one line of 64 MiB', 'line.csv', 'read', () => Buffer.alloc(64 * mebibyte, 'storm lamp,')),
    file('one word of 2 MB', 'word.txt', 'read', () => Buffer.alloc(2e6, 'lamp')),
  ]
}

function file(what: string, name: string, outcome: BadFile['outcome'], make: () => Buffer): BadFile {
  return { what, name, outcome, make }
}

/** A PDF whose second and third page cannot be found. */
function damagedPages(): Buffer {
  const texts = [{ text: 'The storm lamp hums.', x: 72, y: 700 }]
  const intact = makePdf({ pages: [{ texts }, { texts }, { texts }] }).toString('latin1')
  return Buffer.from(intact.replace('\n9 0 obj', '\n9 0 obn').replace('\n11 0 obj', '\n11 0 obn'), 'latin1')
}

function encryptedArchive(): Buffer {
  return oleOf({ streams: { EncryptedPackage: Buffer.alloc(100), EncryptionInfo: Buffer.alloc(100) } })
}

/** Returns a deflate stream that repeats a chunk, without ever holding it decompressed. */
function deflated(chunk: Buffer, times: number): Buffer {
  return Buffer.concat([...Array<Buffer>(times).fill(flushed(chunk)), Buffer.from([3, 0])])
}

/** Compresses a chunk so that others can follow in the same stream. */
function flushed(chunk: Buffer): Buffer {
  return deflateRawSync(chunk, { finishFlush: constants.Z_FULL_FLUSH })
}

/** 260 entries that share the same data, which decompresses to 2 GiB. */
function overlappingBomb(): Buffer {
  const compressed = deflated(Buffer.alloc(mebibyte), 2_048)
  const says = { method: 8, unpacked: 2 ** 31, packed: compressed.length, offset: 0 }
  const entries = Array.from({ length: 260 }, (_, index): ZipEntry => {
    return { name: `xl/worksheets/sheet${index}.xml`, content: index === 0 ? compressed : '', stored: true, says }
  })
  return zipOf(entries)
}

function largeDocument(unpacked = 256 * mebibyte): Buffer {
  const [before = '', after = ''] = paragraphOf('|').split('|')
  const chunk = Buffer.from(`${before.padEnd(mebibyte - after.length, 'a')}${after}`)
  return documentOf(deflated(chunk, 256), unpacked)
}

/** Just within the limit of an archive. */
function createMaxSizeDocument(): Buffer {
  const random = seededRandom(1, 'largest')
  const words = Array.from({ length: 1_600 }, () => random().toString(36).slice(2)).join(' ')
  const paragraph = paragraphOf(words)
  const chunk = paragraph.repeat(Math.floor(mebibyte / paragraph.length)).padEnd(mebibyte)
  const [head, tail] = [`<w:document xmlns:w="${main}"><w:body>`, '</w:body></w:document>']
  const compressed = [
    flushed(Buffer.from(head)),
    ...Array<Buffer>(250).fill(flushed(Buffer.from(chunk))),
    deflateRawSync(tail),
  ]
  return documentOf(Buffer.concat(compressed), head.length + 250 * mebibyte + tail.length)
}

/** `compressed` is the data, `unpacked` the size in the directory, which may be wrong. */
function documentOf(compressed: Buffer, unpacked: number): Buffer {
  const says = { method: 8, unpacked }
  return zipOf([{ name: 'word/document.xml', content: compressed, stored: true, says }])
}

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const declared = (type: string, part: string) =>
  `<Types><Override PartName="/${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`

function workbook(sheet: string): Buffer {
  const parts = {
    '[Content_Types].xml': declared('spreadsheetml.sheet', 'xl/workbook.xml'),
    '_rels/.rels': `<Relationships><Relationship Id="a" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': '<workbook><sheets><sheet name="Lamps" sheetId="1" r:id="a"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="a" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': sheet,
  }
  return zipOf(Object.entries(parts).map(([name, content]) => ({ name, content })))
}

function farCell(): Buffer {
  const cell = '<row r="1048576"><c r="XFD1048576"><v>7</v></c></row>'
  return workbook(`<worksheet><dimension ref="A1:XFD1048576"/><sheetData>${cell}</sheetData></worksheet>`)
}

function entityBomb(part: string): Buffer {
  const entities = Array.from(
    { length: 10 },
    (_, index) => `<!ENTITY e${index + 1} "${`&e${index};`.repeat(10)}">`,
  ).join('')
  const doctype = `<!DOCTYPE a [<!ENTITY e0 "ha"><!ENTITY file SYSTEM "file:///etc/passwd">${entities}]>`
  if (part.startsWith('xl/')) {
    const cells = '<c t="str"><v>&e10;&file;</v></c><c t="str"><v>lamp</v></c>'
    return workbook(`${doctype}<worksheet><sheetData><row r="1">${cells}</row></sheetData></worksheet>`)
  }
  const body = `<w:document xmlns:w="${main}"><w:body>${paragraphOf('&e10;&file;')}</w:body></w:document>`
  return zipOf([{ name: part, content: `${doctype}${body}` }])
}

function externalLinks(witness: string): Buffer {
  const kinds = ['styles', 'numbering', 'footnotes', 'settings', 'attachedTemplate', 'image', 'subDocument', 'aFChunk']
  const links = kinds.map(
    (kind) => `<Relationship Id="${kind}" Type="${office}/${kind}" Target="${witness}${kind}" TargetMode="External"/>`,
  )
  const instruction = `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>INCLUDETEXT "${witness}field"</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`
  const body = `${paragraphOf('The storm lamp hums.')}<w:p>${instruction}</w:p><w:altChunk r:id="aFChunk"/><w:subDoc r:id="subDocument"/>`
  const relationships = `<Relationships>${links.join('')}</Relationships>`
  return docxOf({ body, more: [{ name: 'word/_rels/document.xml.rels', content: relationships }] })
}

/** Builds a PDF of objects; the first is the catalog. */
function pdfOf(objects: string[], previous: (start: number) => string = () => ''): Buffer {
  let text = '%PDF-1.7\n'
  const rows = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const start = text.length
  const size = objects.length + 1
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R ${previous(start)} >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(`${text}xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}${trailer}`, 'latin1')
}

const stream = (dictionary: string, content: string) =>
  `<< ${dictionary} /Length ${content.length} >>\nstream\n${content}\nendstream`
const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
const line = 'BT /F 10 Tf 72 700 Td (The storm lamp hums.) Tj ET'

/** Loops of pages, parents, the outline, a form that draws itself, and cross-reference tables. */
function loops(): Buffer {
  const resources = '/Resources << /Font << /F 5 0 R >> /XObject << /X 6 0 R >> >>'
  return pdfOf(
    [
      '<< /Type /Catalog /Pages 2 0 R /Outlines 7 0 R >>',
      '<< /Type /Pages /Count 9 /Kids [3 0 R 2 0 R 3 0 R] /Parent 2 0 R >>',
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents [4 0 R 4 0 R] ${resources} >>`,
      stream('', `${line} /X Do`),
      font,
      stream(`/Type /XObject /Subtype /Form /BBox [0 0 612 792] ${resources}`, `${line} /X Do`),
      '<< /Type /Outlines /First 8 0 R /Last 8 0 R >>',
      '<< /Title (Lamps) /Parent 8 0 R /Next 8 0 R /First 8 0 R /Last 8 0 R /Dest [3 0 R /Fit] >>',
    ],
    (start) => `/Prev ${start}`,
  )
}

const page = '/Type /Page /MediaBox [0 0 612 792] /Contents 3 0 R /Resources << /Font << /F 4 0 R >> >>'

/** One page that is listed 100,000 times. */
function rowOfPages(): Buffer {
  const kids = '5 0 R '.repeat(100_000)
  const tree = `<< /Type /Pages /Count 100000 /Kids [${kids}] >>`
  return pdfOf(['<< /Type /Catalog /Pages 2 0 R >>', tree, stream('', line), font, `<< ${page} /Parent 2 0 R >>`])
}

/** Five levels, each of which lists the next one ten times. */
function treeOfPages(): Buffer {
  const levels = Array.from({ length: 5 }, (_, index) => {
    const kids = `${index + 6} 0 R `.repeat(10)
    return `<< /Type /Pages /Count ${10 ** (5 - index)} /Kids [${kids}] >>`
  })
  const catalog = '<< /Type /Catalog /Pages 5 0 R >>'
  return pdfOf([catalog, 'null', stream('', line), font, ...levels, `<< ${page} /Parent 9 0 R >>`])
}
