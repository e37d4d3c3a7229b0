/** `name` completes the sentence 'This is not a web page but …'; '' for unknown content. */
export type ContentKind = { kind: 'page' } | { kind: 'xml' } | { kind: 'file'; name: string }

/** First bytes of files, as Latin-1 characters. */
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

/** Names of entries in zip archives that office documents are. */
const zipEntries: [string, string][] = [
  ['word/', 'a Word document'],
  ['xl/', 'an Excel workbook'],
  ['ppt/', 'a PowerPoint presentation'],
  ['application/epub+zip', 'an e-book'],
  ['opendocument.text', 'an OpenDocument text'],
  ['opendocument.spreadsheet', 'an OpenDocument spreadsheet'],
  ['opendocument.presentation', 'an OpenDocument presentation'],
]

/** Kinds by media type; the first match decides. */
const mediaTypes: [RegExp, string][] = [
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
  [/^text\/(?:x-)?markdown$/, 'Markdown text'],
  [/^text\/css$/, 'a style sheet'],
  [/javascript$/, 'a script'],
  [/^text\/csv$/, 'a CSV table'],
  [/[/+]json$/, 'JSON data'],
  [/^text\/calendar$/, 'a calendar'],
]

const sniffedBytes = 2048

/** Identifies content by its first bytes, which are more reliable than its header, then by the header. */
export function sniffContent(contentType: string, body: Uint8Array): ContentKind {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  // TextDecoder decodes 'latin1' as windows-1252, which changes some bytes.
  const head = Buffer.from(body.subarray(0, sniffedBytes)).toString('latin1')
  const name = nameOfBytes(head)
  if (name !== null) return { kind: 'file', name }
  const isXml = /^(application|text)\/([\w.-]+\+)?xml$/.test(type)
  const isHtml = type === 'text/html' || type === 'application/xhtml+xml'
  if (!isXml && !isHtml && type !== '') {
    return { kind: 'file', name: mediaTypes.find(([pattern]) => pattern.test(type))?.[1] ?? type }
  }
  const root = rootElement(head)
  if (isHtml) return { kind: /^(rss|feed|rdf:rdf)$/.test(root) ? 'xml' : 'page' }
  if (/^(!doctype html|html|head|body|title)$/.test(root)) return { kind: 'page' }
  if (isXml || /^(\xef\xbb\xbf)?\s*<\?xml/.test(head)) return { kind: 'xml' }
  return { kind: 'file', name: '' }
}

function nameOfBytes(head: string): string | null {
  if (head.startsWith('PK\x03\x04')) return zipEntries.find(([sign]) => head.includes(sign))?.[1] ?? 'a zip archive'
  if (head.startsWith('RIFF')) return head.startsWith('WEBP', 8) ? 'an image' : 'a sound or video file'
  if (head.startsWith('ftyp', 4)) return 'a video'
  return signatures.find(([sign]) => head.startsWith(sign))?.[1] ?? null
}

/** Lower-case name of the first element, or of the doctype; '' for content that does not start with markup. */
function rootElement(head: string): string {
  if (!/^(\xef\xbb\xbf)?\s*</.test(head)) return ''
  for (let index = head.indexOf('<'); index >= 0; index = head.indexOf('<', index + 1)) {
    if (head.startsWith('<!--', index)) {
      index = head.indexOf('-->', index)
      if (index < 0) return ''
    } else if (!head.startsWith('<?', index)) {
      const doctype = /^<!doctype\s+(\w+)/i.exec(head.slice(index, index + 64))?.[1]?.toLowerCase()
      if (doctype) return doctype === 'html' ? '!doctype html' : doctype
      const name = /^<([a-z][\w:.-]*)/i.exec(head.slice(index, index + 64))?.[1]
      if (name) return name.toLowerCase()
    }
  }
  return ''
}
