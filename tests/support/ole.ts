export interface OleSource {
  /** By name. */
  streams: Record<string, Uint8Array>
  /** What the table of sectors says in place of the truth: which sector follows which. */
  followers?: Record<number, number>
}

const sectorSize = 512
const none = 0xffffffff
const end = 0xfffffffe

/**
 * A compound file: a header, one table of sectors, the directory, then the streams. It has no short streams. Sector 0 is
 * the table, the directory follows it, and the streams come in their order.
 */
export function oleOf({ streams, followers = {} }: OleSource): Buffer {
  const names = Object.keys(streams)
  const directory = directoryOf(names.length + 1)
  const sectors = directory.length / sectorSize
  const table = new Uint32Array(sectorSize / 4).fill(none)
  table[0] = 0xfffffffd
  chain(table, 1, sectors)
  putEntry(directory, 0, { name: 'Root Entry', kind: 5, child: 1, next: none, first: end, size: 0 })
  let first = 1 + sectors
  const contents = names.map((name, at) => {
    const content = padded(streams[name] ?? new Uint8Array())
    const next = at + 2 > names.length ? none : at + 2
    putEntry(directory, at + 1, { name, kind: 2, child: none, next, first, size: streams[name]?.length ?? 0 })
    chain(table, first, content.length / sectorSize)
    first += content.length / sectorSize
    return content
  })
  for (const [sector, follower] of Object.entries(followers)) table[Number(sector)] = follower
  return Buffer.concat([header(), padded(new Uint8Array(table.buffer)), directory, ...contents])
}

interface Entry {
  name: string
  kind: number
  child: number
  next: number
  first: number
  size: number
}

function header(): Buffer {
  const bytes = Buffer.alloc(sectorSize, 0xff)
  bytes.fill(0, 0, 76)
  bytes.write('d0cf11e0a1b11ae1', 'hex')
  bytes.writeUInt16LE(3, 26)
  bytes.writeUInt16LE(9, 30)
  bytes.writeUInt16LE(6, 32)
  bytes.writeUInt32LE(1, 44)
  bytes.writeUInt32LE(1, 48)
  bytes.writeUInt32LE(end, 60)
  bytes.writeUInt32LE(end, 68)
  bytes.writeUInt32LE(0, 76)
  return bytes
}

function directoryOf(entries: number): Buffer {
  return Buffer.alloc(Math.ceil((entries * 128) / sectorSize) * sectorSize)
}

function putEntry(directory: Buffer, at: number, { name, kind, child, next, first, size }: Entry): void {
  const entry = directory.subarray(at * 128, (at + 1) * 128)
  entry.write(name, 'utf16le')
  entry.writeUInt16LE(name.length * 2 + 2, 64)
  entry[66] = kind
  entry.writeUInt32LE(none, 68)
  entry.writeUInt32LE(next, 72)
  entry.writeUInt32LE(child, 76)
  entry.writeUInt32LE(first, 116)
  entry.writeUInt32LE(size, 120)
}

function chain(table: Uint32Array, first: number, count: number): void {
  for (let at = 0; at < count; at++) table[first + at] = at + 1 < count ? first + at + 1 : end
}

function padded(bytes: Uint8Array): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((sectorSize - (bytes.length % sectorSize)) % sectorSize)])
}
