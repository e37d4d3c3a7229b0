/** Where an object of a PDF begins, as its bytes tell it, whatever the rest of the file says of it. */
export interface PdfPlace {
  number: number
  generation: number
  /** Behind the word 'obj', in bytes. */
  at: number
}

/** An object with a stream. */
export interface PdfStream extends PdfPlace {
  dictionary: string
  /** The bytes of the stream are those from `start` to `end`. */
  start: number
  end: number
}

/** What is to stand between 'obj' and 'endobj' in the place of an object. */
export interface PdfChange extends PdfPlace {
  content: Buffer
}

/** Bytes; a dictionary in front of a stream is shorter. */
const longestDictionary = 4_096
/** Words 'stream' that are looked at. */
const mostStreams = 100_000
const mostReferences = 1_000
/** Of an object. */
const largestNumber = 8_388_607

/** All streams that can be seen, in the order of the file. */
export function* streamsOf(data: Buffer): Generator<PdfStream> {
  let at = data.indexOf('stream')
  for (let left = mostStreams; at >= 0 && left > 0; left -= 1) {
    const stream = streamAt(data, at)
    if (stream) yield stream
    at = data.indexOf('stream', Math.max(at + 1, stream?.end ?? 0))
  }
}

function streamAt(data: Buffer, at: number): PdfStream | null {
  // What ends one has no dictionary in front of it.
  if (!/>>\s{0,4}$/.test(data.toString('latin1', Math.max(0, at - 6), at))) return null
  const place = placeBefore(data, at, longestDictionary)
  if (!place) return null
  const dictionary = data.toString('latin1', place.at, at)
  const word = at + 'stream'.length
  const start = word + (/^(?:\r\n|\r|\n)/.exec(data.toString('latin1', word, word + 2))?.[0].length ?? 0)
  return { ...place, dictionary, start, end: endOf(data, start, dictionary) }
}

/** The object that a place is in, if it begins at most so many bytes in front of it. */
export function placeBefore(data: Buffer, at: number, farthest: number): PdfPlace | null {
  const from = Math.max(0, at - farthest)
  const before = data.toString('latin1', from, at)
  const word = before.lastIndexOf('obj')
  const found = /(?:^|\D)(\d{1,7})\s{1,9}(\d{1,5})\s{0,9}$/.exec(
    before.slice(Math.max(0, word - 40), Math.max(0, word)),
  )
  if (!found) return null
  return { number: Number(found[1]), generation: Number(found[2]), at: from + word + 'obj'.length }
}

/** By the length that the dictionary gives, if the stream ends there; otherwise where its end is said. */
function endOf(data: Buffer, start: number, dictionary: string): number {
  const length = /\/Length\s{0,9}(\d{1,9})(?!\d|\s{1,9}\d{1,9}\s{1,9}R)/.exec(dictionary)?.[1]
  const told = start + Number(length ?? Number.NaN)
  if (told <= data.length && /^\s{0,4}endstream/.test(data.toString('latin1', told, told + 16))) return told
  const found = data.indexOf('endstream', start)
  return found < 0 ? data.length : found
}

/**
 * The file with changed objects behind its end: an update, as programs append them (ISO 32000-1, 7.5.6). An object that is
 * defined again further on is left as it is.
 */
export function withChanges(data: Buffer, changes: PdfChange[]): Buffer {
  const current = changes.filter((change) => isLast(data, change))
  if (current.length === 0) return data
  const pieces: Buffer[] = [data]
  let rows = ''
  let length = data.length
  const write = (piece: Buffer) => {
    pieces.push(piece)
    length += piece.length
  }
  for (const { number, generation, content } of current) {
    write(Buffer.from('\n'))
    rows += `${number} 1\n${String(length).padStart(10, '0')} ${String(generation).padStart(5, '0')} n \n`
    write(Buffer.concat([Buffer.from(`${number} ${generation} obj\n`), content, Buffer.from('\nendobj\n')]))
  }
  const trailer = trailerAfter(data)
  // Without one, pdfjs looks for all objects of the file, of which the last ones count.
  if (trailer) write(Buffer.from(`xref\n${rows}trailer\n<< ${trailer} >>\nstartxref\n${length}\n%%EOF\n`))
  return Buffer.concat(pieces)
}

function isLast(data: Buffer, { number, generation, at }: PdfPlace): boolean {
  const head = `${number} ${generation} obj`
  for (let next = data.indexOf(head, at); next >= 0; next = data.indexOf(head, next + 1)) {
    // '16 0 obj' is not '6 0 obj'.
    if (!/\d/.test(data.toString('latin1', next - 1, next))) return false
  }
  return true
}

/** The entries of a trailer that goes on from the file's own; null where that one cannot be found. */
function trailerAfter(data: Buffer): string | null {
  const at = data.lastIndexOf('startxref')
  const table = at < 0 ? null : /^startxref\s{1,9}(\d{1,10})/.exec(data.toString('latin1', at, at + 40))?.[1]
  const root = lastReference('/Root', data)
  if (!Number(table) || !root) return null
  const info = lastReference('/Info', data)
  return `/Root ${root} ${info ? `/Info ${info} ` : ''}/Size ${largestNumber} /Prev ${table}`
}

function lastReference(key: string, data: Buffer): string | null {
  let at = data.lastIndexOf(key)
  for (let left = mostReferences; at >= 0 && left > 0; left -= 1) {
    const found = /^\/\w+\s{0,9}(\d{1,7}\s{1,9}\d{1,5}\s{1,9}R)/.exec(data.toString('latin1', at, at + 60))?.[1]
    if (found) return found
    at = at === 0 ? -1 : data.lastIndexOf(key, at - 1)
  }
  return null
}
