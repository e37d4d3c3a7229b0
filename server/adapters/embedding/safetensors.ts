import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** Lengths that a header or a tensor of a single layer cannot exceed. */
const maxHeaderBytes = 1_000_000
const headerLengthBytes = 8

const header = z.record(
  z.string(),
  z.looseObject({
    dtype: z.string().optional(),
    shape: z.array(z.number().int().nonnegative()).optional(),
    data_offsets: z.tuple([z.number().int().nonnegative(), z.number().int().nonnegative()]).optional(),
  }),
)

export interface Matrix {
  shape: number[]
  values: Float32Array
}

/** Bytes of a number, and how to read it. */
const numberTypes: Record<string, { bytes: number; read: (view: DataView, at: number) => number }> = {
  F32: { bytes: 4, read: (view, at) => view.getFloat32(at, true) },
  F16: { bytes: 2, read: (view, at) => fromHalf(view.getUint16(at, true)) },
  BF16: { bytes: 2, read: (view, at) => fromBits(view.getUint16(at, true) << 16) },
}

/**
 * Reads the tensors of a file in the format safetensors: the length of a JSON header, the header, and the numbers. Throws an
 * error that names the file if it is damaged or has numbers of another type.
 */
export function readSafetensors(path: string, name: string): Map<string, Matrix> {
  const file = readFileSync(path)
  const length = file.length < headerLengthBytes ? Number.NaN : Number(file.readBigUInt64LE())
  const dataStart = headerLengthBytes + length
  if (!(length <= maxHeaderBytes && dataStart <= file.length)) throw new Error(`${name} is damaged: it has no header.`)
  const parsed = header.safeParse(jsonOf(file.toString('utf8', headerLengthBytes, dataStart)))
  if (!parsed.success) throw new Error(`${name} is damaged: its header is not valid.`)
  const tensors = new Map<string, Matrix>()
  for (const [key, { dtype, shape, data_offsets: offsets }] of Object.entries(parsed.data)) {
    if (key === '__metadata__' || !dtype || !shape || !offsets) continue
    const type = numberTypes[dtype]
    if (!type) throw new Error(`${name} has numbers of the type ${dtype}, which is not supported.`)
    const count = shape.reduce((product, size) => product * size, 1)
    const [start, end] = offsets
    if (end - start !== count * type.bytes || dataStart + end > file.length)
      throw new Error(`${name} is damaged: ${key} is incomplete.`)
    const view = new DataView(file.buffer, file.byteOffset + dataStart + start, end - start)
    tensors.set(key, { shape, values: Float32Array.from({ length: count }, (_, n) => type.read(view, n * type.bytes)) })
  }
  return tensors
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const scratch = new DataView(new ArrayBuffer(4))
function fromBits(bits: number): number {
  scratch.setInt32(0, bits)
  return scratch.getFloat32(0)
}

/** A number of 16 bits: 1 of sign, 5 of exponent, 10 of fraction. */
function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 0x1f
  const fraction = bits & 0x3ff
  if (exponent === 0) return sign * fraction * 2 ** -24
  if (exponent === 0x1f) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY
  return sign * (1 + fraction / 1_024) * 2 ** (exponent - 15)
}
