import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipEntry {
  name: string
  content: string | Uint8Array
  /** Kept as it is, where it is not deflated. */
  stored?: boolean
  /** What the directory says in place of the truth. */
  says?: { unpacked?: number; packed?: number; flags?: number; method?: number; offset?: number }
}

/** A zip archive of the entries, in their order; the directory can be made to lie. */
export function zipOf(entries: ZipEntry[], { comment = '', count = entries.length } = {}): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const { name, content, stored = false, says = {} } of entries) {
    const bytes = Buffer.from(content as Uint8Array)
    const packed = stored ? bytes : deflateRawSync(bytes)
    const nameBytes = Buffer.from(name)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(says.flags ?? 0x800, 2)
    common.writeUInt16LE(says.method ?? (stored ? 0 : 8), 4)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(says.packed ?? packed.length, 14)
    common.writeUInt32LE(says.unpacked ?? bytes.length, 18)
    common.writeUInt16LE(nameBytes.length, 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(says.offset ?? at, 10)
    parts.push(signed('PK\x03\x04'), common, nameBytes, packed)
    directory.push(signed('PK\x01\x02\x14\x00'), common, place, nameBytes)
    at += 30 + nameBytes.length + packed.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(count & 0xffff, 4)
  end.writeUInt16LE(count & 0xffff, 6)
  end.writeUInt32LE(listed.length, 8)
  end.writeUInt32LE(at, 12)
  end.writeUInt16LE(comment.length, 16)
  return Buffer.concat([...parts, listed, signed('PK\x05\x06'), end, Buffer.from(comment, 'latin1')])
}

function signed(signature: string): Buffer {
  return Buffer.from(signature, 'latin1')
}
