import { isAscii, isUtf8 } from 'node:buffer'
import { type FileHandle, open } from 'node:fs/promises'
import { encodingOfText } from '../../charset/decode-html'
import { decodeAs } from '../../charset/decoders'
import { UnreadableFile } from '../format/unreadable-file'

export interface DecodedChunk {
  text: string
  /** Bytes of the file read so far, and its size. */
  done: number
  total: number
}

const chunkBytes = 256 * 1024
/** Bytes checked for a byte order mark, for UTF-16 and for binary content. */
const headBytes = 64 * 1024
/** Bytes around non-ASCII characters from which an encoding is detected. */
const sampleBytes = 256 * 1024
/** Share of control characters above which a file is binary. */
const maxControlShare = 0.05

/**
 * Decodes a file in chunks. The encoding is that of a byte order mark, UTF-8 if the whole file is valid, or detected
 * from the first non-ASCII characters. Null characters and the mark are removed. Throws UnreadableFile for binary
 * files.
 */
export async function* readDecoded(path: string): AsyncGenerator<DecodedChunk> {
  const file = await open(path)
  try {
    const { size: total } = await file.stat()
    const encoding = await detectFileEncoding(file)
    const decode = decoderOf(encoding)
    let done = 0
    for await (const bytes of readBytes(file, chunkBytes)) {
      done += bytes.length
      yield { text: decode(bytes), done, total }
    }
    yield { text: decode(null), done, total }
  } finally {
    await file.close()
  }
}

async function detectFileEncoding(file: FileHandle): Promise<string> {
  const head = Buffer.alloc(headBytes)
  const { bytesRead } = await file.read(head, 0, headBytes, 0)
  const start = head.subarray(0, bytesRead)
  // A character may be cut off at the end.
  const headEncoding = encodingOfText(withoutPartialCharacter(start))
  if (headEncoding.startsWith('utf-16')) return headEncoding
  if (countControls(start) > maxControlShare * start.length) throw new UnreadableFile('file-mismatch')
  if (headEncoding === 'iso-2022-jp') return headEncoding
  const { isValid, sample } = await scanFile(file)
  return isValid || isMostlyUtf8(sample) ? 'utf-8' : encodingOfText(sample)
}

function withoutPartialCharacter(bytes: Buffer): Buffer {
  let end = bytes.length
  while (end > 0 && bytes.length - end < 4 && (bytes[end - 1] ?? 0) > 0x7f) end--
  return bytes.subarray(0, end)
}

function countControls(bytes: Buffer): number {
  let controls = 0
  for (const byte of bytes) {
    // Tab to carriage return, escape, and Ctrl-Z of old systems occur in texts.
    if (byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1a && byte !== 0x1b) controls++
  }
  return controls
}

/** Reads the file to see whether it is valid UTF-8, and samples its first non-ASCII bytes with their neighbors. */
async function scanFile(file: FileHandle): Promise<{ isValid: boolean; sample: Buffer }> {
  const sample: Buffer[] = []
  let sampled = 0
  let isValid = true
  let incomplete: Buffer = Buffer.alloc(0)
  for await (const bytes of readBytes(file, chunkBytes)) {
    if (incomplete.length === 0 && isAscii(bytes)) continue
    if (sampled < sampleBytes) {
      const first = Math.max(0, bytes.findIndex((byte) => byte > 0x7f) - 1)
      const part = Buffer.from(bytes.subarray(first, first + sampleBytes - sampled))
      sample.push(part)
      sampled += part.length
    }
    const joined = Buffer.concat([incomplete, bytes])
    const end = endOfCompleteCharacters(joined)
    isValid &&= isUtf8(joined.subarray(0, end))
    incomplete = Buffer.from(joined.subarray(end))
    if (!isValid && sampled >= sampleBytes) break
  }
  return { isValid: isValid && incomplete.length === 0, sample: Buffer.concat(sample) }
}

/** Returns the index of an incomplete UTF-8 character at the end of the bytes, or their length. */
function endOfCompleteCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) break
    if (byte < 0xc0) continue
    const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    return length > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}

/** Tolerates stray bytes in UTF-8. */
function isMostlyUtf8(sample: Buffer): boolean {
  let broken = 0
  let valid = 0
  for (const character of sample.toString('utf8')) {
    if (character === '\ufffd') broken++
    else if (character > '\x7f') valid++
  }
  return valid > 0 && valid >= 2 * broken
}

/** Reads the file from its start. All chunks share one buffer. */
async function* readBytes(file: FileHandle, length: number): AsyncGenerator<Buffer> {
  const buffer = Buffer.alloc(length)
  for (let position = 0; ; ) {
    const { bytesRead } = await file.read(buffer, 0, length, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

function decoderOf(encoding: string): (bytes: Uint8Array | null) => string {
  const decoder = new TextDecoder(encoding)
  return (bytes) => {
    // This encoding is stateless, and some versions of Node decode it wrongly.
    if (encoding === 'windows-1252') return bytes === null ? '' : withoutZeros(decodeAs(encoding, bytes))
    return withoutZeros(bytes === null ? decoder.decode() : decoder.decode(bytes, { stream: true }))
  }
}

function withoutZeros(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text
}
