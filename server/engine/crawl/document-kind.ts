import { type FileType, fileNameOf, fileTypeOf, longestFileName } from '../../../contract/file'

const media: [RegExp, FileType][] = [
  [/^application\/pdf$/, 'pdf'],
  [/^application\/msword$/, 'doc'],
  [/wordprocessingml/, 'docx'],
  [/ms-excel$/, 'xls'],
  [/spreadsheetml/, 'xlsx'],
  [/^text\/csv$/, 'csv'],
]

const sniffed = 2048

/**
 * The type of a document that is read, by its first bytes, or else by its header; null for any other file. `called` is
 * what `fileKindOf` calls it. Plain text is a document only where its address says so: much of it is code or data.
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
  if (called === 'plain text') return named === 'txt' || named === 'csv' ? named : null
  // Other bytes than those of a document have another name.
  return /PDF|Word|Excel|CSV/.test(called) ? said : null
}

/** What people call a document: the last part of its address. */
export function documentNameOf(address: string): string {
  const { pathname, host } = new URL(address)
  return fileNameOf(decoded(pathname)).slice(0, longestFileName).toWellFormed() || host
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
