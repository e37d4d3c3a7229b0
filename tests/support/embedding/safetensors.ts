type NumberType = 'F32' | 'F16' | 'BF16'

/** A file in the format safetensors, with these tensors in order. `named` is the type that its header claims. */
export function safetensorsOf(
  tensors: Record<string, { shape: number[]; values: number[] }>,
  type: NumberType,
  named: string = type,
): Uint8Array {
  const header: Record<string, unknown> = { __metadata__: { format: 'pt' } }
  const parts: Uint8Array[] = []
  let end = 0
  for (const [name, { shape, values }] of Object.entries(tensors)) {
    const bytes = bytesOf(values, type)
    header[name] = { dtype: named, shape, data_offsets: [end, end + bytes.length] }
    end += bytes.length
    parts.push(bytes)
  }
  const json = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(json.length))
  return Uint8Array.from(Buffer.concat([length, json, ...parts]))
}

function bytesOf(values: number[], type: NumberType): Uint8Array {
  const floats = Float32Array.from(values)
  if (type === 'F32') return new Uint8Array(floats.buffer)
  const bits = new Uint32Array(floats.buffer)
  const halves = Uint16Array.from(bits, type === 'BF16' ? (value) => value >>> 16 : halfOf)
  return new Uint8Array(halves.buffer)
}

/** For 0 and numbers that a half can hold exactly and that are not smaller than 2^-14. */
function halfOf(bits: number): number {
  if (bits === 0) return 0
  const exponent = ((bits >>> 23) & 0xff) - 127 + 15
  return ((bits >>> 16) & 0x8000) | (exponent << 10) | ((bits >>> 13) & 0x3ff)
}
