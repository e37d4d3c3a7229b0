/** `name` fits into 'This is not a web page but …'; '' when nobody can tell. */
export type FileKind = { kind: 'page' } | { kind: 'xml' } | { kind: 'file'; name: string }

/** First bytes of files, as characters of Latin-1. */
const signatures: [string, string][] = [
  ['%PDF-', 'a PDF document'],
  ['{\\rtf', 'an RTF document'],
  ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'an older Office document'],
  ['\x89PNG\r\n', 'an image'],
  ['\xff\xd8\xff', 'an image'],
  ['GIF8', 'an image'],
  ['II*\0', 'an image'],
  ['MM\0*', 'an image'],
  ['%!PS', 'a PostScript document'],
  ['\x1f\x8b', 'a gzip archive'],
  ['BZh', 'a bzip2 archive'],
  ['\xfd7zXZ\0', 'an xz archive'],
  ['7z\xbc\xaf\x27\x1c', 'a 7z archive'],
  ['Rar!\x1a\x07', 'a RAR archive'],
  ['OggS', 'a sound or video file'],
  ['ID3', 'a sound file'],
  ['\x1aE\xdf\xa3', 'a video'],
  ['wOF', 'a font'],
  ['\0asm', 'a program'],
  ['\x7fELF', 'a program'],
]

/** What office files name inside of the zip archive that they are. */
const zipped: [string, string][] = [
  ['word/', 'a Word document'],
  ['xl/', 'an Excel workbook'],
  ['ppt/', 'a PowerPoint presentation'],
  ['application/epub+zip', 'an e-book'],
  ['opendocument.text', 'an OpenDocument text'],
  ['opendocument.spreadsheet', 'an OpenDocument spreadsheet'],
  ['opendocument.presentation', 'an OpenDocument presentation'],
]

/** By media type, for an answer that was not read, first match. */
const types: [RegExp, string][] = [
  [/^application\/pdf$/, 'a PDF document'],
  [/wordprocessingml|^application\/msword$/, 'a Word document'],
  [/spreadsheetml|ms-excel$/, 'an Excel workbook'],
  [/presentationml|ms-powerpoint$/, 'a PowerPoint presentation'],
  [/opendocument/, 'an OpenDocument file'],
  [/^application\/epub\+zip$/, 'an e-book'],
  [/^application\/(x-)?zip/, 'a zip archive'],
  [/^image\//, 'an image'],
  [/^audio\//, 'a sound file'],
  [/^video\//, 'a video'],
  [/^font\//, 'a font'],
  [/^text\/plain$/, 'plain text'],
  [/^text\/markdown$/, 'Markdown text'],
  [/^text\/css$/, 'a style sheet'],
  [/javascript$/, 'a script'],
  [/^text\/csv$/, 'a CSV table'],
  [/[/+]json$/, 'JSON data'],
  [/^text\/calendar$/, 'a calendar'],
]

const sniffed = 2048

/** What an answer is: by its first bytes, which cannot lie, then by what its header says. */
export function fileKindOf(contentType: string, body: Uint8Array): FileKind {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  // A TextDecoder's Latin-1 is windows-1252, which moves some of the bytes.
  const head = Buffer.from(body.subarray(0, sniffed)).toString('latin1')
  const name = nameOfBytes(head)
  if (name !== null) return { kind: 'file', name }
  const isXml = /^(application|text)\/([\w.-]+\+)?xml$/.test(type)
  const isHtml = type === 'text/html' || type === 'application/xhtml+xml'
  if (!isXml && !isHtml && type !== '') {
    return { kind: 'file', name: types.find(([pattern]) => pattern.test(type))?.[1] ?? type }
  }
  const root = rootOf(head)
  if (isHtml) return { kind: /^(rss|feed|rdf:rdf)$/.test(root) ? 'xml' : 'page' }
  if (/^(!doctype html|html|head|body|title)$/.test(root)) return { kind: 'page' }
  if (isXml || /^(\xef\xbb\xbf)?\s*<\?xml/.test(head)) return { kind: 'xml' }
  return { kind: 'file', name: '' }
}

function nameOfBytes(head: string): string | null {
  if (head.startsWith('PK\x03\x04')) return zipped.find(([sign]) => head.includes(sign))?.[1] ?? 'a zip archive'
  if (head.startsWith('RIFF')) return head.startsWith('WEBP', 8) ? 'an image' : 'a sound or video file'
  if (head.startsWith('ftyp', 4)) return 'a video'
  return signatures.find(([sign]) => head.startsWith(sign))?.[1] ?? null
}

/** Name of the first element, in lower case, or what a doctype names; '' for what does not start with markup. */
function rootOf(head: string): string {
  if (!/^(\xef\xbb\xbf)?\s*</.test(head)) return ''
  for (let at = head.indexOf('<'); at >= 0; at = head.indexOf('<', at + 1)) {
    if (head.startsWith('<!--', at)) {
      at = head.indexOf('-->', at)
      if (at < 0) return ''
    } else if (!head.startsWith('<?', at)) {
      const doctype = /^<!doctype\s+(\w+)/i.exec(head.slice(at, at + 64))?.[1]?.toLowerCase()
      if (doctype) return doctype === 'html' ? '!doctype html' : doctype
      const name = /^<([a-z][\w:.-]*)/i.exec(head.slice(at, at + 64))?.[1]
      if (name) return name.toLowerCase()
    }
  }
  return ''
}
