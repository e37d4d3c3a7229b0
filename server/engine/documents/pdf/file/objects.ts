/** The start of an object in the bytes of a PDF, regardless of the cross-reference table. */
export interface PdfObjectStart {
  number: number
  generation: number
  /** Offset in bytes after the keyword 'obj'. */
  at: number
}

/** An object with a stream. */
export interface PdfStream extends PdfObjectStart {
  dictionary: string
  /** The stream's bytes are those from `start` to `end`. */
  start: number
  end: number
}

/** An object's new content between 'obj' and 'endobj'. */
export interface PdfObjectUpdate extends PdfObjectStart {
  content: Buffer
}

/** Bytes of a dictionary before a stream. */
const maxDictionaryBytes = 4_096
/** Occurrences of the keyword 'stream' that are examined. */
const maxStreams = 100_000
const maxReferences = 1_000
/** The largest object number. */
const maxObjectNumber = 8_388_607

/** Finds all streams, in the order of the file. */
export function* streamsOf(data: Buffer): Generator<PdfStream> {
  let position = data.indexOf('stream')
  for (let remaining = maxStreams; position >= 0 && remaining > 0; remaining -= 1) {
    const stream = streamAt(data, position)
    if (stream) yield stream
    position = data.indexOf('stream', Math.max(position + 1, stream?.end ?? 0))
  }
}

function streamAt(data: Buffer, index: number): PdfStream | null {
  // Without a dictionary before it, this is 'endstream'.
  if (!/>>\s{0,4}$/.test(data.toString('latin1', Math.max(0, index - 6), index))) return null
  const object = objectBefore(data, index, maxDictionaryBytes)
  if (!object) return null
  const dictionary = data.toString('latin1', object.at, index)
  const word = index + 'stream'.length
  const start = word + (/^(?:\r\n|\r|\n)/.exec(data.toString('latin1', word, word + 2))?.[0].length ?? 0)
  return { ...object, dictionary, start, end: endOf(data, start, dictionary) }
}

/** Returns the object that contains an offset, if it starts at most `maxDistance` bytes before it. */
export function objectBefore(data: Buffer, index: number, maxDistance: number): PdfObjectStart | null {
  const from = Math.max(0, index - maxDistance)
  const before = data.toString('latin1', from, index)
  const word = before.lastIndexOf('obj')
  const match = /(?:^|\D)(\d{1,7})\s{1,9}(\d{1,5})\s{0,9}$/.exec(
    before.slice(Math.max(0, word - 40), Math.max(0, word)),
  )
  if (!match) return null
  return { number: Number(match[1]), generation: Number(match[2]), at: from + word + 'obj'.length }
}

/** Returns the end of a stream: by its length if 'endstream' is there, else at the next 'endstream'. */
function endOf(data: Buffer, start: number, dictionary: string): number {
  const length = /\/Length\s{0,9}(\d{1,9})(?!\d|\s{1,9}\d{1,9}\s{1,9}R)/.exec(dictionary)?.[1]
  const declared = start + Number(length ?? Number.NaN)
  if (declared <= data.length && /^\s{0,4}endstream/.test(data.toString('latin1', declared, declared + 16)))
    return declared
  const end = data.indexOf('endstream', start)
  return end < 0 ? data.length : end
}

/**
 * Appends changed objects as an incremental update (ISO 32000-1, 7.5.6). Objects that are redefined later in the file
 * are not changed.
 */
export function appendUpdates(data: Buffer, changes: PdfObjectUpdate[]): Buffer {
  const current = changes.filter((change) => isLast(data, change))
  if (current.length === 0) return data
  const chunks: Buffer[] = [data]
  let rows = ''
  let length = data.length
  const write = (chunk: Buffer) => {
    chunks.push(chunk)
    length += chunk.length
  }
  for (const { number, generation, content } of current) {
    write(Buffer.from('\n'))
    rows += `${number} 1\n${String(length).padStart(10, '0')} ${String(generation).padStart(5, '0')} n \n`
    write(Buffer.concat([Buffer.from(`${number} ${generation} obj\n`), content, Buffer.from('\nendobj\n')]))
  }
  const trailer = trailerAfter(data)
  // Without a trailer, pdfjs scans the file for objects, and the last definitions win.
  if (trailer) write(Buffer.from(`xref\n${rows}trailer\n<< ${trailer} >>\nstartxref\n${length}\n%%EOF\n`))
  return Buffer.concat(chunks)
}

function isLast(data: Buffer, { number, generation, at }: PdfObjectStart): boolean {
  const head = `${number} ${generation} obj`
  for (let next = data.indexOf(head, at); next >= 0; next = data.indexOf(head, next + 1)) {
    // '16 0 obj' ends with '6 0 obj', too.
    if (!/\d/.test(data.toString('latin1', next - 1, next))) return false
  }
  return true
}

/** Returns the entries of a trailer that continues the file's own; null if that is not found. */
function trailerAfter(data: Buffer): string | null {
  const position = data.lastIndexOf('startxref')
  const table =
    position < 0 ? null : /^startxref\s{1,9}(\d{1,10})/.exec(data.toString('latin1', position, position + 40))?.[1]
  const root = lastReference('/Root', data)
  if (!Number(table) || !root) return null
  const info = lastReference('/Info', data)
  return `/Root ${root} ${info ? `/Info ${info} ` : ''}/Size ${maxObjectNumber} /Prev ${table}`
}

function lastReference(key: string, data: Buffer): string | null {
  let position = data.lastIndexOf(key)
  for (let remaining = maxReferences; position >= 0 && remaining > 0; remaining -= 1) {
    const match = /^\/\w+\s{0,9}(\d{1,7}\s{1,9}\d{1,5}\s{1,9}R)/.exec(
      data.toString('latin1', position, position + 60),
    )?.[1]
    if (match) return match
    position = position === 0 ? -1 : data.lastIndexOf(key, position - 1)
  }
  return null
}
