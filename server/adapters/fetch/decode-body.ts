import { once } from 'node:events'
import { type Readable, Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import { crawlLimits, type FetchLimits } from '../../engine/limits'
import type { FetchRequest } from '../../engine/ports/fetcher'

export type DecodedBody = { kind: 'decoded'; body: Uint8Array } | { kind: 'too-large' } | { kind: 'bad-encoding' }

const decoders = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
  deflate: createInflate,
}

type Encoding = keyof typeof decoders

/** Parses Content-Encoding. The encoding to decode first comes first; null for unknown or too many encodings. */
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
  /** Keeps the bytes before a limit; otherwise the body is refused. */
  mayTruncate: boolean
  /** Receives the chunks; the body is empty then. */
  onChunk?: FetchRequest['onChunk'] | undefined
}

/**
 * Reads and decodes a body, applying the limits of encoded and decoded size as bytes arrive. Rejects with the errors of
 * the source.
 */
export async function decodeBody(
  source: Readable,
  encodings: Encoding[],
  limits: FetchLimits,
  { mayTruncate, onChunk }: DecodeOptions,
): Promise<DecodedBody> {
  const sink = onChunk ? forwardUpTo(limits.decodedBytes, onChunk) : collectUpTo(limits.decodedBytes)
  const isRaw = encodings[0] === 'deflate' && !looksLikeZlib(await peek(source))
  const steps = encodings.map((encoding, index) => (isRaw && index === 0 ? createInflateRaw() : decoders[encoding]()))
  // The sink truncates to the byte; the counter would drop a whole chunk.
  const counter = countBytes(mayTruncate ? limits.wireBytes + 64 * 1024 : limits.wireBytes)
  try {
    await pipeline([source, counter.stream, ...steps, sink.stream])
    return { kind: 'decoded', body: sink.bytes() }
  } catch (error) {
    if (error instanceof OverLimit) return mayTruncate ? { kind: 'decoded', body: sink.bytes() } : { kind: 'too-large' }
    // An empty body needs no decoding, whatever its headers say.
    if (isZlibError(error) && counter.total() > 0) return { kind: 'bad-encoding' }
    if (!isZlibError(error)) throw error
    return { kind: 'decoded', body: sink.bytes() }
  } finally {
    sink.release()
  }
}

class OverLimit extends Error {}

/** Bytes that a chunk counts at least, because tiny chunks cost more memory and work than their length. */
const minChunkBytes = 16

function countBytes(limit: number) {
  let total = 0
  const stream = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      total += Math.max(chunk.length, minChunkBytes)
      if (total > limit) done(new OverLimit())
      else done(null, chunk)
    },
  })
  return { stream, total: () => total }
}

function forwardUpTo(limit: number, onChunk: NonNullable<FetchRequest['onChunk']>) {
  let total = 0
  const stream = new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      const accepted = chunk.subarray(0, limit - total)
      total += accepted.length
      onChunk(accepted).then(() => done(accepted.length < chunk.length ? new OverLimit() : null), done)
    },
  })
  return { stream, bytes: () => new Uint8Array(), release: () => undefined }
}

/** Most pages fit the first buffer; it grows in steps of `growBytes`. */
const bufferSize = { firstBytes: 64 * 1024, growBytes: 1024 * 1024 }

/**
 * Collects chunks in one resizable buffer. The buffer of a refused body is released at once, neither copied nor left to
 * the garbage collector, because a few decompression bombs would otherwise take many times their limit.
 */
function collectUpTo(limit: number) {
  let storage: Storage = { buffer: null, bytes: Buffer.allocUnsafeSlow(Math.min(limit, bufferSize.firstBytes)) }
  let total = 0

  function ensureSize(size: number): void {
    if (size <= storage.bytes.length) return
    const buffer = storage.buffer ?? new ArrayBuffer(0, { maxByteLength: limit })
    buffer.resize(Math.min(limit, Math.ceil(size / bufferSize.growBytes) * bufferSize.growBytes))
    const bytes = new Uint8Array(buffer)
    if (!storage.buffer) bytes.set(storage.bytes)
    storage = { buffer, bytes }
  }

  const stream = new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      const accepted = chunk.subarray(0, limit - total)
      ensureSize(total + accepted.length)
      storage.bytes.set(accepted, total)
      total += accepted.length
      done(accepted.length < chunk.length ? new OverLimit() : null)
    },
  })

  /** An exact copy, so that transferring it to a thread transfers nothing else. */
  function bytes(): Uint8Array {
    const copy = Buffer.allocUnsafeSlow(total)
    copy.set(storage.bytes.subarray(0, total))
    return copy
  }
  return { stream, bytes, release: () => void storage.buffer?.resize(0) }
}

/** `buffer` is null for the first buffer, which cannot grow. */
interface Storage {
  buffer: ArrayBuffer | null
  bytes: Uint8Array
}

/** The first two bytes, or fewer, without consuming them. */
async function peek(source: Readable): Promise<Uint8Array> {
  let seen = -1
  // The end is a 'readable' event without new bytes, or 'end' for an empty body.
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

/** RFC 9110 defines 'deflate' as zlib, but many servers send raw deflate. */
function looksLikeZlib(bytes: Uint8Array): boolean {
  const [method = 0, flags = 0] = bytes
  return (method & 0x0f) === 8 && ((method << 8) | flags) % 31 === 0
}

function isZlibError(error: unknown): boolean {
  const { code = '' } = error as { code?: string }
  return /^(Z_|ERR__ERROR_|ERR_BROTLI|ERR_ZLIB)/.test(code)
}
