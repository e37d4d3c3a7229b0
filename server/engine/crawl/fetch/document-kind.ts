import { type FileType, fileNameOf, fileTypeOf, maxFileNameLength } from '../../../../contract/file'

const media: [RegExp, FileType][] = [
  [/^application\/pdf$/, 'pdf'],
  [/^application\/msword$/, 'doc'],
  [/wordprocessingml/, 'docx'],
  [/ms-excel$/, 'xls'],
  [/spreadsheetml/, 'xlsx'],
  [/^text\/csv$/, 'csv'],
]

/** Text, or bytes of which their server says nothing: the reader of a text refuses what is none. */
const unnamed = new Set(['plain text', 'application/octet-stream', ''])

const sniffed = 2048

/**
 * The type of a document that is read, by its first bytes, or else by its header; null for any other file. `called` is
 * what `fileKindOf` calls it. Plain text is a document only where its address says so, for much of it is code or data; so are bytes that nobody names.
 */
export function documentTypeOf(
  called: string,
  contentType: string,
  body: Uint8Array,
  address: string,
): FileType | null {
  const named = fileTypeOf(new URL(address).pathname)
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const said = media.find(([pattern]) => pattern.test(type))?.[1] ?? null
  const oneOf = (...types: FileType[]) => [said, named].find((one) => one !== null && types.includes(one)) ?? null
  const head = Buffer.from(body.subarray(0, sniffed)).toString('latin1')
  if (head.startsWith('%PDF-')) return 'pdf'
  if (head.startsWith('\xd0\xcf\x11\xe0')) return oneOf('doc', 'xls')
  if (head.startsWith('PK\x03\x04')) {
    if (head.includes('word/')) return 'docx'
    return head.includes('xl/') ? 'xlsx' : oneOf('docx', 'xlsx')
  }
  if (unnamed.has(called)) return named === 'txt' || named === 'csv' ? named : null
  // Other bytes than those of a document have another name.
  return /PDF|Word|Excel|CSV/.test(called) ? said : null
}

/**
 * The type of what was read, by what is kept of it: by its header, which of an uploaded file is its type, or else by its
 * name. Null for a page.
 */
export function storedTypeOf(contentType: string, address: string): FileType | null {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (/html|xml$/.test(type)) return null
  const said = fileTypeOf(`.${type}`) ?? media.find(([pattern]) => pattern.test(type))?.[1]
  return said ?? fileTypeOf(address.replace(/[?#].*/, ''))
}

/** What people call a document: the last part of its address. */
export function documentNameOf(address: string): string {
  const { pathname, host } = new URL(address)
  return fileNameOf(decoded(pathname)).slice(0, maxFileNameLength).toWellFormed() || host
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
