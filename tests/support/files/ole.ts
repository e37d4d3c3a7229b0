export interface OleSource {
  streams: Record<string, Uint8Array>
  /** Overrides of the FAT: the next sector by sector. */
  followers?: Record<number, number>
}

const sectorSize = 512
const freeSector = 0xffffffff
const endOfChain = 0xfffffffe

/**
 * Builds an OLE file: a header, the FAT in sector 0, the directory, then the streams in order. All streams use regular
 * sectors.
 */
export function oleOf({ streams, followers: nextSectors = {} }: OleSource): Buffer {
  const names = Object.keys(streams)
  const directory = allocateDirectory(names.length + 1)
  const sectors = directory.length / sectorSize
  const fat = new Uint32Array(sectorSize / 4).fill(freeSector)
  fat[0] = 0xfffffffd
  chain(fat, 1, sectors)
  writeEntry(directory, 0, { name: 'Root Entry', kind: 5, child: 1, next: freeSector, first: endOfChain, size: 0 })
  let first = 1 + sectors
  const contents = names.map((name, index) => {
    const content = padded(streams[name] ?? new Uint8Array())
    const next = index + 2 > names.length ? freeSector : index + 2
    writeEntry(directory, index + 1, {
      name,
      kind: 2,
      child: freeSector,
      next,
      first,
      size: streams[name]?.length ?? 0,
    })
    chain(fat, first, content.length / sectorSize)
    first += content.length / sectorSize
    return content
  })
  for (const [sector, nextSector] of Object.entries(nextSectors)) fat[Number(sector)] = nextSector
  return Buffer.concat([header(), padded(new Uint8Array(fat.buffer)), directory, ...contents])
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
  bytes.writeUInt32LE(endOfChain, 60)
  bytes.writeUInt32LE(endOfChain, 68)
  bytes.writeUInt32LE(0, 76)
  return bytes
}

function allocateDirectory(entries: number): Buffer {
  return Buffer.alloc(Math.ceil((entries * 128) / sectorSize) * sectorSize)
}

function writeEntry(directory: Buffer, index: number, { name, kind, child, next, first, size }: Entry): void {
  const entry = directory.subarray(index * 128, (index + 1) * 128)
  entry.write(name, 'utf16le')
  entry.writeUInt16LE(name.length * 2 + 2, 64)
  entry[66] = kind
  entry.writeUInt32LE(freeSector, 68)
  entry.writeUInt32LE(next, 72)
  entry.writeUInt32LE(child, 76)
  entry.writeUInt32LE(first, 116)
  entry.writeUInt32LE(size, 120)
}

function chain(fat: Uint32Array, first: number, count: number): void {
  for (let index = 0; index < count; index++) fat[first + index] = index + 1 < count ? first + index + 1 : endOfChain
}

function padded(bytes: Uint8Array): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((sectorSize - (bytes.length % sectorSize)) % sectorSize)])
}
