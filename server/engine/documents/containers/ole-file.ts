import { type FileHandle, open } from 'node:fs/promises'
import { UnreadableFile } from '../format/unreadable-file'

export interface OleFile {
  /** Names of the streams and storages in the root storage. */
  names: ReadonlySet<string>
  /** Reads a stream of the root storage, as far as the file has it; null if there is none of this name. */
  readStream(name: string): Promise<Buffer | null>
  close(): Promise<void>
}

interface Entry {
  name: string
  isStream: boolean
  firstSector: number
  size: number
  left: number
  right: number
  child: number
}

interface Header {
  sectorSize: number
  miniSectorSize: number
  fatSectorCount: number
  firstDirectorySector: number
  /** Shorter streams are in the mini stream. */
  miniStreamCutoff: number
  firstMiniFatSector: number
  firstDifatSector: number
  /** FAT sectors listed in the header. */
  difat: number[]
}

const signature = 'd0cf11e0a1b11ae1'
const entrySize = 128
const headerSize = 512
const noSector = 0xffffffff

/**
 * Opens an OLE compound file ([MS-CFB]), the container of Office files before 2007. Chains of sectors that loop or
 * leave the file end there. Throws UnreadableFile.
 */
export async function openOle(path: string): Promise<OleFile> {
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    const header = readHeader(await readAt(handle, 0, headerSize))
    const sectors = await openSectors(handle, size, header)
    const entries = readEntries(await sectors.read(header.firstDirectorySector, size))
    const root = entries[0]
    if (root === undefined) throw new UnreadableFile('file-broken')
    const rootEntries = entriesOfRoot(entries, root)
    return {
      names: new Set(rootEntries.keys()),
      async readStream(name) {
        const entry = rootEntries.get(name)
        if (!entry?.isStream) return null
        if (entry.size >= header.miniStreamCutoff) return sectors.read(entry.firstSector, entry.size)
        return readMiniStream(
          await sectors.read(root.firstSector, size),
          await sectors.read(header.firstMiniFatSector, size),
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
  if (bytes.length < headerSize || bytes.toString('hex', 0, 8) !== signature) throw new UnreadableFile('file-broken')
  const sectorShift = bytes.readUInt16LE(30)
  const miniShift = bytes.readUInt16LE(32)
  if (sectorShift < 7 || sectorShift > 16 || miniShift < 4 || miniShift >= sectorShift) {
    throw new UnreadableFile('file-broken')
  }
  return {
    sectorSize: 2 ** sectorShift,
    miniSectorSize: 2 ** miniShift,
    fatSectorCount: bytes.readUInt32LE(44),
    firstDirectorySector: bytes.readUInt32LE(48),
    miniStreamCutoff: bytes.readUInt32LE(56),
    firstMiniFatSector: bytes.readUInt32LE(60),
    firstDifatSector: bytes.readUInt32LE(68),
    difat: readUint32s(bytes.subarray(76)),
  }
}

/** Reads the FAT and returns a reader of sector chains. */
async function openSectors(handle: FileHandle, fileSize: number, header: Header) {
  const { sectorSize } = header
  const count = Math.ceil(fileSize / sectorSize)
  const perSector = sectorSize / 4
  const fatSectors = header.difat.slice(0, header.fatSectorCount)
  for (let index = header.firstDifatSector, read = 0; index < count && read < count; read++) {
    const listed = readUint32s(await readSector(index))
    index = listed[perSector - 1] ?? noSector
    fatSectors.push(...listed.slice(0, perSector - 1))
  }
  const next = new Uint32Array(count).fill(noSector)
  const max = Math.min(fatSectors.length, header.fatSectorCount, Math.ceil(count / perSector))
  for (let index = 0; index < max; index++) {
    const sector = fatSectors[index] ?? noSector
    if (sector >= count) continue
    readUint32s(await readSector(sector)).forEach((follower, offset) => {
      const of = index * perSector + offset
      if (of < count) next[of] = follower
    })
  }

  function readSector(sector: number): Promise<Buffer> {
    return readAt(handle, (sector + 1) * sectorSize, sectorSize)
  }

  return {
    /** Reads up to `size` bytes of a chain. */
    async read(first: number, size: number): Promise<Buffer> {
      const chunks: Buffer[] = []
      const needed = Math.min(Math.ceil(size / sectorSize), count)
      let done = 0
      for (let index = first; index < count && done < needed; ) {
        // Adjacent sectors are read together.
        let last = index
        while (next[last] === last + 1 && last + 1 < count && last + 1 - index < needed - done) last++
        chunks.push(await readAt(handle, (index + 1) * sectorSize, (last + 1 - index) * sectorSize))
        done += last + 1 - index
        index = next[last] ?? noSector
      }
      return Buffer.concat(chunks).subarray(0, size)
    },
  }
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

function readUint32s(bytes: Buffer): number[] {
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => bytes.readUInt32LE(index * 4))
}

function readEntries(bytes: Buffer): Entry[] {
  return Array.from({ length: Math.floor(bytes.length / entrySize) }, (_, index) => {
    const entry = bytes.subarray(index * entrySize, (index + 1) * entrySize)
    const nameBytes = Math.min(Math.max(entry.readUInt16LE(64) - 2, 0), 62)
    return {
      name: entry.toString('utf16le', 0, nameBytes),
      isStream: entry[66] === 2,
      left: entry.readUInt32LE(68),
      right: entry.readUInt32LE(72),
      child: entry.readUInt32LE(76),
      firstSector: entry.readUInt32LE(116),
      size: entry.readUInt32LE(120),
    }
  })
}

function entriesOfRoot(entries: Entry[], root: Entry): Map<string, Entry> {
  const rootEntries = new Map<string, Entry>()
  const seen = new Set<number>()
  const pending = [root.child]
  for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
    const entry = entries[index]
    if (entry === undefined || seen.has(index)) continue
    seen.add(index)
    rootEntries.set(entry.name, entry)
    pending.push(entry.left, entry.right)
  }
  return rootEntries
}

/** Reads a short stream from the mini stream, by the mini FAT. */
function readMiniStream(
  miniStream: Buffer,
  miniFat: Buffer,
  { firstSector, size }: Entry,
  { miniSectorSize }: Header,
): Buffer {
  const chunks: Buffer[] = []
  const count = Math.floor(miniFat.length / 4)
  for (let index = firstSector, done = 0; index < count && done < size; done += miniSectorSize) {
    chunks.push(miniStream.subarray(index * miniSectorSize, (index + 1) * miniSectorSize))
    index = miniFat.readUInt32LE(index * 4)
  }
  return Buffer.concat(chunks).subarray(0, size)
}
