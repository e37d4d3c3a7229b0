import { type FileHandle, open } from 'node:fs/promises'
import { RefusedFile } from '../format/unreadable-file'

export interface OleFile {
  /** Streams and storages that stand at the top. */
  names: ReadonlySet<string>
  /** The bytes of a stream at the top, as many as the file has; null where there is none. */
  stream(name: string): Promise<Buffer | null>
  close(): Promise<void>
}

interface Entry {
  name: string
  isStream: boolean
  first: number
  size: number
  before: number
  behind: number
  child: number
}

interface Header {
  sectorSize: number
  smallSize: number
  tableCount: number
  directory: number
  smallUpTo: number
  smallTable: number
  moreTables: number
  tables: number[]
}

const signature = 'd0cf11e0a1b11ae1'
const entrySize = 128
const headerSize = 512
const none = 0xffffffff

/**
 * Opens a compound file, which is how Office files were kept before 2007. Chains of sectors that lead in a circle, or out
 * of the file, end there. Throws RefusedFile.
 */
export async function openOle(path: string): Promise<OleFile> {
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    const header = readHeader(await readAt(handle, 0, headerSize))
    const sectors = await openSectors(handle, size, header)
    const entries = readEntries(await sectors.read(header.directory, size))
    const root = entries[0]
    if (root === undefined) throw new RefusedFile('file-broken')
    const top = topOf(entries, root)
    return {
      names: new Set(top.keys()),
      async stream(name) {
        const entry = top.get(name)
        if (!entry?.isStream) return null
        if (entry.size >= header.smallUpTo) return sectors.read(entry.first, entry.size)
        return readSmall(
          await sectors.read(root.first, size),
          await sectors.read(header.smallTable, size),
          entry,
          header,
        )
      },
      close: () => handle.close(),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

function readHeader(bytes: Buffer): Header {
  if (bytes.length < headerSize || bytes.toString('hex', 0, 8) !== signature) throw new RefusedFile('file-broken')
  const sectorShift = bytes.readUInt16LE(30)
  const smallShift = bytes.readUInt16LE(32)
  if (sectorShift < 7 || sectorShift > 16 || smallShift < 4 || smallShift >= sectorShift) {
    throw new RefusedFile('file-broken')
  }
  return {
    sectorSize: 2 ** sectorShift,
    smallSize: 2 ** smallShift,
    tableCount: bytes.readUInt32LE(44),
    directory: bytes.readUInt32LE(48),
    smallUpTo: bytes.readUInt32LE(56),
    smallTable: bytes.readUInt32LE(60),
    moreTables: bytes.readUInt32LE(68),
    tables: numbersOf(bytes.subarray(76)),
  }
}

/** Reads chains of sectors by the table that says which one follows which. */
async function openSectors(handle: FileHandle, fileSize: number, header: Header) {
  const { sectorSize } = header
  const count = Math.ceil(fileSize / sectorSize)
  const perTable = sectorSize / 4
  const tables = header.tables.slice(0, header.tableCount)
  for (let at = header.moreTables, read = 0; at < count && read < count; read++) {
    const listed = numbersOf(await readSector(at))
    at = listed[perTable - 1] ?? none
    tables.push(...listed.slice(0, perTable - 1))
  }
  const next = new Uint32Array(count).fill(none)
  const most = Math.min(tables.length, header.tableCount, Math.ceil(count / perTable))
  for (let index = 0; index < most; index++) {
    const sector = tables[index] ?? none
    if (sector >= count) continue
    numbersOf(await readSector(sector)).forEach((follower, place) => {
      const of = index * perTable + place
      if (of < count) next[of] = follower
    })
  }

  function readSector(sector: number): Promise<Buffer> {
    return readAt(handle, (sector + 1) * sectorSize, sectorSize)
  }

  return {
    /** At most `size` bytes of a chain. */
    async read(first: number, size: number): Promise<Buffer> {
      const pieces: Buffer[] = []
      const wanted = Math.min(Math.ceil(size / sectorSize), count)
      let got = 0
      for (let at = first; at < count && got < wanted; ) {
        // Sectors that stand side by side are read together.
        let last = at
        while (next[last] === last + 1 && last + 1 < count && last + 1 - at < wanted - got) last++
        pieces.push(await readAt(handle, (at + 1) * sectorSize, (last + 1 - at) * sectorSize))
        got += last + 1 - at
        at = next[last] ?? none
      }
      return Buffer.concat(pieces).subarray(0, size)
    },
  }
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

function numbersOf(bytes: Buffer): number[] {
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => bytes.readUInt32LE(index * 4))
}

function readEntries(bytes: Buffer): Entry[] {
  return Array.from({ length: Math.floor(bytes.length / entrySize) }, (_, index) => {
    const entry = bytes.subarray(index * entrySize, (index + 1) * entrySize)
    const nameBytes = Math.min(Math.max(entry.readUInt16LE(64) - 2, 0), 62)
    return {
      name: entry.toString('utf16le', 0, nameBytes),
      isStream: entry[66] === 2,
      before: entry.readUInt32LE(68),
      behind: entry.readUInt32LE(72),
      child: entry.readUInt32LE(76),
      first: entry.readUInt32LE(116),
      size: entry.readUInt32LE(120),
    }
  })
}

function topOf(entries: Entry[], root: Entry): Map<string, Entry> {
  const top = new Map<string, Entry>()
  const seen = new Set<number>()
  const waiting = [root.child]
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    const entry = entries[index]
    if (entry === undefined || seen.has(index)) continue
    seen.add(index)
    top.set(entry.name, entry)
    waiting.push(entry.before, entry.behind)
  }
  return top
}

/** Short streams share one long one, in small sectors with a table of their own. */
function readSmall(shared: Buffer, table: Buffer, { first, size }: Entry, { smallSize }: Header): Buffer {
  const pieces: Buffer[] = []
  const count = Math.floor(table.length / 4)
  for (let at = first, got = 0; at < count && got < size; got += smallSize) {
    pieces.push(shared.subarray(at * smallSize, (at + 1) * smallSize))
    at = table.readUInt32LE(at * 4)
  }
  return Buffer.concat(pieces).subarray(0, size)
}
