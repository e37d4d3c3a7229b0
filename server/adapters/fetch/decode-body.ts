import { once } from 'node:events'
import { type Readable, Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import { crawlLimits, type FetchLimits } from '../../engine/limits'
import type { FetchRequest } from '../../engine/ports'

export type DecodedBody = { kind: 'decoded'; body: Uint8Array } | { kind: 'too-large' } | { kind: 'bad-encoding' }

const decoders = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
  deflate: createInflate,
}

type Encoding = keyof typeof decoders

/** Content-Encoding as a list, the one to undo first in front; null when one is unknown or there are too many. */
export function encodingsOf(header: string): Encoding[] | null {
  const names = header
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity')
  return names.length <= crawlLimits.encodings && names.every(isEncoding) ? names.reverse() : null
}

function isEncoding(name: string): name is Encoding {
  return Object.hasOwn(decoders, name)
}

export interface DecodeOptions {
  /** What stands before a limit is kept; otherwise the body is refused. */
  cut: boolean
  /** Given the pieces, in place of a body. */
  take?: FetchRequest['onChunk']
}

/**
 * Reads a body to its end and undoes its encodings, holding both limits while bytes arrive. Throws what the source itself
 * throws.
 */
export async function decodeBody(
  source: Readable,
  encodings: Encoding[],
  limits: FetchLimits,
  { cut, take }: DecodeOptions,
): Promise<DecodedBody> {
  const held = take ? handOnUpTo(limits.decodedBytes, take) : collectUpTo(limits.decodedBytes)
  const isRaw = encodings[0] === 'deflate' && !looksLikeZlib(await peek(source))
  const steps = encodings.map((encoding, index) => (isRaw && index === 0 ? createInflateRaw() : decoders[encoding]()))
  // What is cut is cut by the collector, to the byte; here a whole piece would be lost.
  const counter = countBytes(cut ? limits.wireBytes + 64 * 1024 : limits.wireBytes)
  try {
    await pipeline([source, counter.stream, ...steps, held.stream])
    return { kind: 'decoded', body: held.bytes() }
  } catch (error) {
    if (error instanceof OverLimit) return cut ? { kind: 'decoded', body: held.bytes() } : { kind: 'too-large' }
    // An answer without a body has nothing to unpack, whatever its headers say.
    if (isZlibError(error) && counter.total() > 0) return { kind: 'bad-encoding' }
    if (!isZlibError(error)) throw error
    return { kind: 'decoded', body: held.bytes() }
  } finally {
    held.letGo()
  }
}

class OverLimit extends Error {}

/** A piece costs at least so many bytes: one of a single byte takes more than that on its way, and in memory. */
const minChunkCost = 16

function countBytes(limit: number) {
  let total = 0
  const stream = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      total += Math.max(chunk.length, minChunkCost)
      if (total > limit) done(new OverLimit())
      else done(null, chunk)
    },
  })
  return { stream, total: () => total }
}

function handOnUpTo(limit: number, take: NonNullable<FetchRequest['onChunk']>) {
  let total = 0
  const stream = new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      const taken = chunk.subarray(0, limit - total)
      total += taken.length
      take(taken).then(() => done(taken.length < chunk.length ? new OverLimit() : null), done)
    },
  })
  return { stream, bytes: () => new Uint8Array(), letGo: () => undefined }
}

/** Most pages are smaller; what is larger is gathered in steps of this many bytes. */
const step = { first: 64 * 1024, further: 1024 * 1024 }

/**
 * Gathers pieces in one place that grows where it stands. What is refused is given back to the system at once, neither
 * copied before nor left to the garbage collector, which would let a few bombs take many times their limit.
 */
function collectUpTo(limit: number) {
  let held: Held = { buffer: null, bytes: Buffer.allocUnsafeSlow(Math.min(limit, step.first)) }
  let total = 0

  function makeRoom(size: number): void {
    if (size <= held.bytes.length) return
    const buffer = held.buffer ?? new ArrayBuffer(0, { maxByteLength: limit })
    buffer.resize(Math.min(limit, Math.ceil(size / step.further) * step.further))
    const bytes = new Uint8Array(buffer)
    if (!held.buffer) bytes.set(held.bytes)
    held = { buffer, bytes }
  }

  const stream = new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      const taken = chunk.subarray(0, limit - total)
      makeRoom(total + taken.length)
      held.bytes.set(taken, total)
      total += taken.length
      done(taken.length < chunk.length ? new OverLimit() : null)
    },
  })

  /** A buffer of its own size: who sends it to a thread sends nothing else. */
  function bytes(): Uint8Array {
    const own = Buffer.allocUnsafeSlow(total)
    own.set(held.bytes.subarray(0, total))
    return own
  }
  return { stream, bytes, letGo: () => void held.buffer?.resize(0) }
}

/** `buffer`: where it can grow. */
interface Held {
  buffer: ArrayBuffer | null
  bytes: Uint8Array
}

/** The first two bytes, or what there is; they stay to be read. */
async function peek(source: Readable): Promise<Uint8Array> {
  let seen = -1
  // The end comes as a 'readable' that brings nothing new, or where nothing came at all as the 'end'.
  while (source.readableLength < 2 && source.readableLength !== seen && !source.readableEnded) {
    seen = source.readableLength
    const over = new AbortController()
    try {
      await Promise.race(['readable', 'end'].map((event) => once(source, event, { signal: over.signal })))
    } finally {
      over.abort()
    }
  }
  const bytes = source.read() as Uint8Array | null
  if (bytes) source.unshift(bytes)
  return bytes ?? new Uint8Array()
}

/** Half of the world sends raw deflate under this name; the other half, and RFC 9110, wrap it in zlib. */
function looksLikeZlib(bytes: Uint8Array): boolean {
  const [method = 0, flags = 0] = bytes
  return (method & 0x0f) === 8 && ((method << 8) | flags) % 31 === 0
}

function isZlibError(error: unknown): boolean {
  const { code = '' } = error as { code?: string }
  return /^(Z_|ERR__ERROR_|ERR_BROTLI|ERR_ZLIB)/.test(code)
}
