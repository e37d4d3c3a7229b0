import { type FileType, fileNameOf, fileTypeOf, maxFileNameLength } from '../../../../../contract/sources/file'

const mediaTypes: [RegExp, FileType][] = [
  [/^application\/pdf$/, 'pdf'],
  [/^application\/msword$/, 'doc'],
  [/wordprocessingml/, 'docx'],
  [/ms-excel$/, 'xls'],
  [/spreadsheetml/, 'xlsx'],
  [/presentationml/, 'pptx'],
  [/^text\/csv$/, 'csv'],
  [/^text\/(?:x-)?markdown$/, 'md'],
  [/^text\/plain$/, 'txt'],
]

/** Names of contents that only the URL identifies; the reader of a text refuses binary data. */
const ambiguous = new Set(['plain text', 'application/octet-stream', ''])
/** Types of texts that only their URL tells apart. */
const namedTexts = new Set<FileType>(['txt', 'csv', 'md'])

const sniffedBytes = 2048

/**
 * The type of a document by its first bytes, else by its header; null for any other file. `contentName` comes from
 * `sniffContent`. Unidentified bytes are documents only where the URL says so.
 */
export function documentTypeOf(
  contentName: string,
  contentType: string,
  body: Uint8Array,
  url: string,
): FileType | null {
  const named = fileTypeOf(new URL(url).pathname)
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const declared = mediaTypes.find(([pattern]) => pattern.test(type))?.[1] ?? null
  const oneOf = (...types: FileType[]) =>
    [declared, named].find((item) => item !== null && types.includes(item)) ?? null
  const head = Buffer.from(body.subarray(0, sniffedBytes)).toString('latin1')
  if (head.startsWith('%PDF-')) return 'pdf'
  if (head.startsWith('\xd0\xcf\x11\xe0')) return oneOf('doc', 'xls')
  if (head.startsWith('PK\x03\x04')) {
    if (head.includes('word/')) return 'docx'
    if (head.includes('ppt/')) return 'pptx'
    return head.includes('xl/') ? 'xlsx' : oneOf('docx', 'xlsx', 'pptx')
  }
  if (ambiguous.has(contentName)) return named !== null && namedTexts.has(named) ? named : declared
  // The bytes of any other file have another name.
  return /PDF|Word|Excel|PowerPoint|CSV|Markdown/.test(contentName) ? declared : null
}

/** The type of a stored document by its Content-Type (for an upload, its file type) or name; null for a page. */
export function storedTypeOf(contentType: string, url: string): FileType | null {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const upload = fileTypeOf(`.${type}`)
  if (upload === null && /html|xml$/.test(type)) return null
  const declared = upload ?? mediaTypes.find(([pattern]) => pattern.test(type))?.[1]
  return declared ?? fileTypeOf(url.replace(/[?#].*/, ''))
}

/** The last part of the URL's path, or the host. */
export function documentNameOf(url: string): string {
  const { pathname, host } = new URL(url)
  return fileNameOf(decoded(pathname)).slice(0, maxFileNameLength).toWellFormed() || host
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
