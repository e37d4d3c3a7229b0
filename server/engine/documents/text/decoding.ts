import { isAscii, isUtf8 } from 'node:buffer'
import { type FileHandle, open } from 'node:fs/promises'
import { encodingOfText } from '../../charset/decode-html'
import { decodeAs } from '../../charset/decoders'
import { RefusedFile } from '../format/unreadable-file'

export interface DecodedPiece {
  text: string
  /** Bytes of the file up to the end of this piece, and of all of it. */
  done: number
  total: number
}

const pieceBytes = 256 * 1024
/** Looked at for a mark, for UTF-16 and for what is no text at all. */
const headBytes = 64 * 1024
/** Bytes around those beyond ASCII, by which an encoding is told. */
const sampleBytes = 256 * 1024
/** Of the bytes of a text, at most this share is controls that no text has. */
const mostControls = 0.05

/**
 * The text of a file, piece by piece; its encoding is told by a byte order mark, by all of it being UTF-8, or by its first
 * signs beyond ASCII. Zeros and the mark are left out. Throws RefusedFile where the bytes are no text.
 */
export async function* readDecoded(path: string): AsyncGenerator<DecodedPiece> {
  const file = await open(path)
  try {
    const { size: total } = await file.stat()
    const encoding = await encodingOfFile(file)
    const decode = decoderOf(encoding)
    let done = 0
    for await (const bytes of readBytes(file, pieceBytes)) {
      done += bytes.length
      yield { text: decode(bytes), done, total }
    }
    yield { text: decode(null), done, total }
  } finally {
    await file.close()
  }
}

async function encodingOfFile(file: FileHandle): Promise<string> {
  const head = Buffer.alloc(headBytes)
  const { bytesRead } = await file.read(head, 0, headBytes, 0)
  const start = head.subarray(0, bytesRead)
  // Without what is beyond ASCII at its end, where a sign may be cut in two.
  const byHead = encodingOfText(withoutCutSign(start))
  if (byHead.startsWith('utf-16')) return byHead
  if (controlsIn(start) > mostControls * start.length) throw new RefusedFile('file-mismatch')
  if (byHead === 'iso-2022-jp') return byHead
  const { isValid, sample } = await lookThrough(file)
  return isValid || isMostlyUtf8(sample) ? 'utf-8' : encodingOfText(sample)
}

function withoutCutSign(bytes: Buffer): Buffer {
  let end = bytes.length
  while (end > 0 && bytes.length - end < 4 && (bytes[end - 1] ?? 0) > 0x7f) end--
  return bytes.subarray(0, end)
}

function controlsIn(bytes: Buffer): number {
  let controls = 0
  for (const byte of bytes) {
    // Tab to carriage return, escape and the end of file of old systems stand in texts.
    if (byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1a && byte !== 0x1b) controls++
  }
  return controls
}

/** Whether all of a file is UTF-8, and its first bytes beyond ASCII among their neighbours. */
async function lookThrough(file: FileHandle): Promise<{ isValid: boolean; sample: Buffer }> {
  const sample: Buffer[] = []
  let sampled = 0
  let isValid = true
  let carried: Buffer = Buffer.alloc(0)
  for await (const bytes of readBytes(file, pieceBytes)) {
    if (carried.length === 0 && isAscii(bytes)) continue
    if (sampled < sampleBytes) {
      const first = Math.max(0, bytes.findIndex((byte) => byte > 0x7f) - 1)
      const part = Buffer.from(bytes.subarray(first, first + sampleBytes - sampled))
      sample.push(part)
      sampled += part.length
    }
    const joined = Buffer.concat([carried, bytes])
    const end = endOfWholeSigns(joined)
    isValid &&= isUtf8(joined.subarray(0, end))
    carried = Buffer.from(joined.subarray(end))
    if (!isValid && sampled >= sampleBytes) break
  }
  return { isValid: isValid && carried.length === 0, sample: Buffer.concat(sample) }
}

/** Where a sign of UTF-8 starts that the bytes do not hold to its end; else their end. */
function endOfWholeSigns(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) break
    if (byte < 0xc0) continue
    const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    return length > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}

/** A stray byte does not make another encoding of it. */
function isMostlyUtf8(sample: Buffer): boolean {
  let broken = 0
  let whole = 0
  for (const sign of sample.toString('utf8')) {
    if (sign === '\ufffd') broken++
    else if (sign > '\x7f') whole++
  }
  return whole > 0 && whole >= 2 * broken
}

/** From the start of the file; the pieces share their memory. */
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
    // It has no state, and Node alone decodes it wrongly.
    if (encoding === 'windows-1252') return bytes === null ? '' : withoutZeros(decodeAs(encoding, bytes))
    return withoutZeros(bytes === null ? decoder.decode() : decoder.decode(bytes, { stream: true }))
  }
}

function withoutZeros(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text
}
