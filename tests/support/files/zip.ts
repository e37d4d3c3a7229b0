import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipEntry {
  name: string
  content: string | Uint8Array
  /** Stored without compression. */
  stored?: boolean
  /** Wrong values in the directory. */
  says?: { unpacked?: number; packed?: number; flags?: number; method?: number; offset?: number }
}

/** Builds a zip archive with the entries in order; the directory can be made wrong. */
export function zipOf(entries: ZipEntry[], { comment = '', count = entries.length } = {}): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let position = 0
  for (const { name, content, stored = false, says = {} } of entries) {
    const bytes = Buffer.from(content as Uint8Array)
    const compressed = stored ? bytes : deflateRawSync(bytes)
    const nameBytes = Buffer.from(name)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(says.flags ?? 0x800, 2)
    common.writeUInt16LE(says.method ?? (stored ? 0 : 8), 4)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(says.packed ?? compressed.length, 14)
    common.writeUInt32LE(says.unpacked ?? bytes.length, 18)
    common.writeUInt16LE(nameBytes.length, 22)
    const attributes = Buffer.alloc(14)
    attributes.writeUInt32LE(says.offset ?? position, 10)
    parts.push(signatureBytes('PK\x03\x04'), common, nameBytes, compressed)
    directory.push(signatureBytes('PK\x01\x02\x14\x00'), common, attributes, nameBytes)
    position += 30 + nameBytes.length + compressed.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(count & 0xffff, 4)
  end.writeUInt16LE(count & 0xffff, 6)
  end.writeUInt32LE(listed.length, 8)
  end.writeUInt32LE(position, 12)
  end.writeUInt16LE(comment.length, 16)
  return Buffer.concat([...parts, listed, signatureBytes('PK\x05\x06'), end, Buffer.from(comment, 'latin1')])
}

function signatureBytes(signature: string): Buffer {
  return Buffer.from(signature, 'latin1')
}
