import { once } from 'node:events'
import { type Readable, Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import { crawlLimits, type FetchLimits } from '../engine/limits'

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

/**
 * Reads a body to its end and undoes its encodings, holding both limits while bytes arrive. With `cut`, what stands
 * before a limit is kept instead of a refusal. Throws what the source itself throws.
 */
export async function decodeBody(
  source: Readable,
  encodings: Encoding[],
  limits: FetchLimits,
  cut: boolean,
): Promise<DecodedBody> {
  const chunks: Uint8Array[] = []
  let total = 0
  const collector = new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      const room = limits.decodedBytes - total
      chunks.push(chunk.subarray(0, room))
      total += chunk.length
      done(total > limits.decodedBytes ? new OverLimit() : null)
    },
  })
  const steps = []
  for (const [index, encoding] of encodings.entries()) {
    const raw = index === 0 && encoding === 'deflate' && !looksLikeZlib(await peek(source))
    steps.push(raw ? createInflateRaw() : decoders[encoding]())
  }
  try {
    await pipeline([source, countBytes(limits.wireBytes), ...steps, collector])
  } catch (error) {
    if (error instanceof OverLimit) return cut ? joined(chunks) : { kind: 'too-large' }
    if (isZlibError(error)) return { kind: 'bad-encoding' }
    throw error
  }
  return joined(chunks)
}

class OverLimit extends Error {}

function countBytes(limit: number): Transform {
  let total = 0
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      total += chunk.length
      if (total > limit) done(new OverLimit())
      else done(null, chunk)
    },
  })
}

async function peek(source: Readable): Promise<Uint8Array> {
  if (source.readableLength === 0 && !source.readableEnded) await once(source, 'readable')
  const chunk = source.read() as Uint8Array | null
  if (chunk) source.unshift(chunk)
  return chunk ?? new Uint8Array()
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

function joined(chunks: Uint8Array[]): DecodedBody {
  return { kind: 'decoded', body: Buffer.concat(chunks) }
}
