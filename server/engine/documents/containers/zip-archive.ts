import { readFile } from 'node:fs/promises'
import { pipeline, type Readable } from 'node:stream'
import { createInflateRaw } from 'node:zlib'
import { type Entry, fromBufferPromise, openPromise, type ZipFile } from 'yauzl'
import { fileLimits } from '../../limits'
import { RefusedFile } from '../format/unreadable-file'

export interface ZipArchive {
  /** As they stand in the directory, with forward strokes and without one in front; folders are left out. */
  readonly names: readonly string[]
  /** The name of an entry, written in any case. */
  find(name: string): string | null
  /** Bytes of an entry unpacked, as the directory says; 0 where there is none of this name. */
  sizeOf(name: string): number
  /** Unpacks one entry, in pieces of at most 64 KiB. Throws RefusedFile where it is missing, damaged or against a limit. */
  read(name: string): AsyncGenerator<Uint8Array>
  close(): void
}

const options = { autoClose: false, decodeStrings: false, validateEntrySizes: false }

/**
 * Opens a zip archive, at most 2,000 entries that unpack to 256 MiB in sum and 100 times the archive. What the directory
 * says is checked here, and again while an entry is read. Throws RefusedFile. Names lead nowhere: nothing is written.
 */
export async function openZip(path: string): Promise<ZipArchive> {
  const zip = await orRefuse(openPromise(path, options).catch((error) => openWithoutTail(path, error)))
  // Nobody waits for what goes wrong when it is closed.
  zip.on('error', () => {})
  try {
    const entries = await readDirectory(zip)
    const byLowerCase = new Map([...entries.keys()].map((name) => [name.toLowerCase(), name]))
    return {
      names: [...entries.keys()],
      find: (name) => byLowerCase.get(name.toLowerCase()) ?? null,
      sizeOf: (name) => entries.get(name)?.uncompressedSize ?? 0,
      read: (name) => readEntry(zip, entries.get(name)),
      close: () => zip.close(),
    }
  } catch (error) {
    zip.close()
    throw error
  }
}

/** Some archives have bytes behind their end, which are left alone. */
async function openWithoutTail(path: string, error: unknown): Promise<ZipFile> {
  const bytes = await readFile(path)
  const end = bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (end < 0 || end + 22 > bytes.length) throw error
  const whole = end + 22 + bytes.readUInt16LE(end + 20)
  if (whole >= bytes.length) throw error
  return fromBufferPromise(bytes.subarray(0, whole), options)
}

async function readDirectory(zip: ZipFile): Promise<Map<string, Entry>> {
  const { entries: most, unpackedBytes, ratio, anyRatioBytes } = fileLimits.zip
  if (zip.entryCount > most) throw new RefusedFile('file-too-complex')
  const entries = new Map<string, Entry>()
  let sum = 0
  await orRefuse(
    (async () => {
      for await (const entry of zip.eachEntry()) {
        sum += entry.uncompressedSize
        const name = nameOf(entry)
        // The first of two with one name is what a reader from the start finds.
        if (!name.endsWith('/') && !entries.has(name)) entries.set(name, entry)
      }
    })(),
  )
  if (sum > unpackedBytes || (sum > anyRatioBytes && sum > ratio * zip.fileSize)) {
    throw new RefusedFile('file-too-complex')
  }
  return entries
}

function nameOf(entry: Entry): string {
  // With strings left undecoded, the name is the bytes.
  const name = entry.fileNameRaw.toString('utf8').replaceAll('\\', '/')
  return name.startsWith('/') ? name.slice(1) : name
}

async function* readEntry(zip: ZipFile, entry: Entry | undefined): AsyncGenerator<Uint8Array> {
  if (entry === undefined) throw new RefusedFile('file-broken')
  if (entry.isEncrypted()) throw new RefusedFile('file-encrypted')
  const { ratio, anyRatioBytes } = fileLimits.zip
  const most = Math.max(anyRatioBytes, ratio * entry.compressedSize)
  if (entry.uncompressedSize > most) throw new RefusedFile('file-too-complex')
  let size = 0
  try {
    for await (const piece of await unpack(zip, entry)) {
      size += piece.length
      if (size > entry.uncompressedSize) throw new RefusedFile('file-broken')
      yield piece
    }
  } catch (error) {
    throw asRefusal(error)
  }
  if (size < entry.uncompressedSize) throw new RefusedFile('file-broken')
}

async function unpack(zip: ZipFile, entry: Entry): Promise<Readable> {
  const packed = await zip.openReadStreamPromise(entry, { decodeFileData: false })
  if (entry.compressionMethod === 0) return packed
  if (entry.compressionMethod !== 8) {
    packed.destroy()
    throw new RefusedFile('file-broken')
  }
  const unpacked = createInflateRaw({ chunkSize: 64 * 1024 })
  // Whoever reads is told of a failure by the stream.
  pipeline(packed, unpacked, () => {})
  return unpacked
}

async function orRefuse<Value>(value: Promise<Value>): Promise<Value> {
  try {
    return await value
  } catch (error) {
    throw asRefusal(error)
  }
}

/** Failures of the machine stay what they are. */
function asRefusal(error: unknown): unknown {
  const isOurs = error instanceof RefusedFile || (error instanceof Error && 'syscall' in error)
  return isOurs ? error : new RefusedFile('file-broken')
}
