import { open } from 'node:fs/promises'
import type { FileType } from '../../../contract/file'
import { openOle } from './containers/ole-file'
import { openZip, type ZipArchive } from './containers/zip-archive'
import type { FileRefusal } from './ports'

/** Bytes in which a type shows: of a file, of a PDF that has others in front, of what an archive says of its parts. */
const telling = { start: 4096, pdf: 1024, contentTypes: 1024 * 1024 }

/** First bytes, as characters of Latin-1. */
const signatures = {
  pdf: '%PDF-',
  zip: 'PK',
  /** An archive with entries, which no text starts with. */
  packed: 'PK\x03\x04',
  ole: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
  rtf: '{\\rtf',
  postScript: '%!PS',
} as const

/** What an archive says that its text is, by type. */
const mainParts: [FileType, RegExp][] = [
  ['docx', /(wordprocessingml\.(document|template)|ms-word\.(document|template)\.macroEnabled)\.main\+xml/i],
  ['xlsx', /(spreadsheetml\.(sheet|template)|ms-excel\.(sheet|template)\.macroEnabled)\.main\+xml/i],
]

/** Where the text usually stands, for an archive that says nothing of it. */
const usualParts: Partial<Record<FileType, string>> = { docx: 'word/document.xml', xlsx: 'xl/workbook.xml' }

/** Streams of older Office files by type; an old sheet is kept bare, too. */
const mainStreams: [FileType, RegExp][] = [
  ['doc', /^WordDocument$/],
  ['xls', /^(Workbook|Book)$/i],
]

/**
 * Null where the content of a file agrees with the type that its name gives it, else why it cannot be read: its type is
 * what stands at its start, whatever stands further on.
 */
export async function refusalOfType(path: string, type: FileType): Promise<FileRefusal | null> {
  const start = await readStart(path)
  const head = start.toString('latin1')
  if (type === 'pdf') return isPdf(head) ? null : 'file-mismatch'
  if (type === 'txt' || type === 'csv') return isText(head) ? null : 'file-mismatch'
  if (head.startsWith(signatures.ole)) return refusalOfOle(path, type)
  if (type === 'doc') return 'file-mismatch'
  if (type === 'xls') return isBareSheet(start) ? null : 'file-mismatch'
  if (!head.startsWith(signatures.zip)) return 'file-mismatch'
  return refusalOfZip(path, type)
}

async function readStart(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(telling.start), 0, telling.start, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Some have other bytes in front of their header, or start without one. */
function isPdf(head: string): boolean {
  if ([signatures.zip, signatures.ole, signatures.rtf].some((signature) => head.startsWith(signature))) return false
  const start = head.slice(0, telling.pdf)
  return start.includes(signatures.pdf) || /(^|[\r\n])\d{1,10} \d{1,5} obj\b/.test(start)
}

/** Whether the rest is text is told by who decodes it. */
function isText(head: string): boolean {
  const { pdf, packed, ole, rtf, postScript } = signatures
  return ![pdf, packed, ole, rtf, postScript].some((signature) => head.startsWith(signature))
}

/** The first record of a sheet as it was kept before compound files: its beginning, in versions 2 to 5. */
function isBareSheet(start: Buffer): boolean {
  if (start.length < 4) return false
  const [record, length] = [start.readUInt16LE(0), start.readUInt16LE(2)]
  return [0x0009, 0x0209, 0x0409, 0x0809].includes(record) && length >= 4 && length <= 16
}

async function refusalOfOle(path: string, type: FileType): Promise<FileRefusal | null> {
  const ole = await openOle(path)
  try {
    const names = [...ole.names]
    // How an archive with a password is kept.
    if (type === 'docx' || type === 'xlsx')
      return names.includes('EncryptedPackage') ? 'file-encrypted' : 'file-mismatch'
    return agrees(type, mainStreams, (pattern) => names.some((name) => pattern.test(name)))
  } finally {
    await ole.close()
  }
}

async function refusalOfZip(path: string, type: FileType): Promise<FileRefusal | null> {
  const zip = await openZip(path)
  try {
    const types = await readContentTypes(zip)
    const refusal = agrees(type, mainParts, (pattern) => pattern.test(types))
    return refusal === null || zip.find(usualParts[type] ?? '') !== null ? null : refusal
  } finally {
    zip.close()
  }
}

async function readContentTypes(zip: ZipArchive): Promise<string> {
  const name = zip.find('[Content_Types].xml')
  if (name === null) return ''
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of zip.read(name)) {
    pieces.push(piece)
    size += piece.length
    if (size > telling.contentTypes) break
  }
  // Some are in UTF-16.
  return Buffer.concat(pieces).toString('latin1').replaceAll('\0', '')
}

/** A file may show several types, as a document that carries a sheet; one of them has to be its own. */
function agrees(type: FileType, signs: [FileType, RegExp][], isThere: (sign: RegExp) => boolean): FileRefusal | null {
  const found = signs.filter(([, sign]) => isThere(sign)).map(([of]) => of)
  return found.includes(type) ? null : 'file-mismatch'
}
