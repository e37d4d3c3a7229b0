import { open } from 'node:fs/promises'
import type { FileType } from '../../../contract/sources/file'
import { openOle } from './containers/ole-file'
import { openZip, type ZipArchive } from './containers/zip-archive'
import type { FileRefusal } from './ports'

/** Bytes searched for a type: of a file, of a PDF with a prefix, and of the content types of an archive. */
const searchedBytes = { start: 4096, pdf: 1024, contentTypes: 1024 * 1024 }

/** First bytes of a file, as Latin-1 characters. */
const signatures = {
  pdf: '%PDF-',
  zip: 'PK',
  /** An archive with at least one entry; no text starts like this. */
  zipEntry: 'PK\x03\x04',
  ole: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
  rtf: '{\\rtf',
  postScript: '%!PS',
} as const

const textTypes = new Set<FileType>(['txt', 'csv', 'md', 'html'])

/** Content types of the main part of an archive, by file type. */
const mainParts: [FileType, RegExp][] = [
  ['docx', /(wordprocessingml\.(document|template)|ms-word\.(document|template)\.macroEnabled)\.main\+xml/i],
  [
    'pptx',
    /(presentationml\.(presentation|slideshow|template)|ms-powerpoint\.(presentation|slideshow|template)\.macroEnabled)\.main\+xml/i,
  ],
  ['xlsx', /(spreadsheetml\.(sheet|template)|ms-excel\.(sheet|template)\.macroEnabled)\.main\+xml/i],
]

/** Where the main part is by convention, for archives without content types. */
const defaultParts: Partial<Record<FileType, string>> = {
  docx: 'word/document.xml',
  pptx: 'ppt/presentation.xml',
  xlsx: 'xl/workbook.xml',
}

/** Streams of OLE files by file type; old sheets also exist without a container. */
const mainStreams: [FileType, RegExp][] = [
  ['doc', /^WordDocument$/],
  ['xls', /^(Workbook|Book)$/i],
]

/**
 * Checks the content of a file against the type of its name. Returns null if they agree, else why the file is refused.
 * Only the start of the file decides.
 */
export async function checkFileType(path: string, type: FileType): Promise<FileRefusal | null> {
  const start = await readStart(path)
  const head = start.toString('latin1')
  if (type === 'pdf') return isPdf(head) ? null : 'file-mismatch'
  if (textTypes.has(type)) return isText(head) ? null : 'file-mismatch'
  if (head.startsWith(signatures.ole)) return refusalOfOle(path, type)
  if (type === 'doc') return 'file-mismatch'
  if (type === 'xls') return isBareBiff(start) ? null : 'file-mismatch'
  if (!head.startsWith(signatures.zip)) return 'file-mismatch'
  return refusalOfZip(path, type)
}

async function readStart(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(searchedBytes.start), 0, searchedBytes.start, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** PDFs may have other bytes before their header, or no header. */
function isPdf(head: string): boolean {
  if ([signatures.zip, signatures.ole, signatures.rtf].some((signature) => head.startsWith(signature))) return false
  const start = head.slice(0, searchedBytes.pdf)
  return start.includes(signatures.pdf) || /(^|[\r\n])\d{1,10} \d{1,5} obj\b/.test(start)
}

/** Whether a file may be text; its decoder checks the rest. */
function isText(head: string): boolean {
  const { pdf, zipEntry, ole, rtf, postScript } = signatures
  return ![pdf, zipEntry, ole, rtf, postScript].some((signature) => head.startsWith(signature))
}

/** Whether a file starts with the BOF record of a sheet without container (BIFF 2 to 5). */
function isBareBiff(start: Buffer): boolean {
  if (start.length < 4) return false
  const [record, length] = [start.readUInt16LE(0), start.readUInt16LE(2)]
  return [0x0009, 0x0209, 0x0409, 0x0809].includes(record) && length >= 4 && length <= 16
}

async function refusalOfOle(path: string, type: FileType): Promise<FileRefusal | null> {
  const ole = await openOle(path)
  try {
    const names = [...ole.names]
    // Encrypted archives are wrapped into an OLE file.
    if (type === 'docx' || type === 'xlsx' || type === 'pptx')
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
    return refusal === null || zip.find(defaultParts[type] ?? '') !== null ? null : refusal
  } finally {
    zip.close()
  }
}

async function readContentTypes(zip: ZipArchive): Promise<string> {
  const name = zip.find('[Content_Types].xml')
  if (name === null) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of zip.read(name)) {
    chunks.push(chunk)
    size += chunk.length
    if (size > searchedBytes.contentTypes) break
  }
  // Some are UTF-16.
  return Buffer.concat(chunks).toString('latin1').replaceAll('\0', '')
}

/** Whether one of the types found is the expected one: a document with an embedded sheet shows both. */
function agrees(type: FileType, patterns: [FileType, RegExp][], has: (pattern: RegExp) => boolean): FileRefusal | null {
  const found = patterns.filter(([, pattern]) => has(pattern)).map(([foundType]) => foundType)
  return found.includes(type) ? null : 'file-mismatch'
}
