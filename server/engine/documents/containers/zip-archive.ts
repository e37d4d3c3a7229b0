import { readFile } from 'node:fs/promises'
import { pipeline, type Readable } from 'node:stream'
import { createInflateRaw } from 'node:zlib'
import { type Entry, fromBufferPromise, openPromise, type ZipFile } from 'yauzl'
import { fileLimits } from '../../limits'
import { UnreadableFile } from '../format/unreadable-file'

export interface ZipArchive {
  /** Names of the files in the archive, with forward slashes and without a leading one. */
  readonly names: readonly string[]
  /** Finds an entry, ignoring case. */
  find(name: string): string | null
  /** Uncompressed size of an entry by the directory, in bytes; 0 if there is none of this name. */
  sizeOf(name: string): number
  /**
   * Decompresses an entry in chunks of at most 64 KiB. Throws UnreadableFile if it is missing, damaged or over a limit.
   */
  read(name: string): AsyncGenerator<Uint8Array>
  close(): void
}

const options = { autoClose: false, decodeStrings: false, validateEntrySizes: false }

/**
 * Opens a zip archive of at most 2,000 entries that unpack to at most 256 MiB and 100 times the archive's size. The
 * directory is checked here, and each entry again while it is read. Nothing is written, so names cannot escape. Throws
 * UnreadableFile.
 */
export async function openZip(path: string): Promise<ZipArchive> {
  const zip = await orUnreadable(openPromise(path, options).catch((error) => openWithoutTail(path, error)))
  // Errors on close have no one to handle them.
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

/** Opens an archive with trailing bytes, which are ignored. */
async function openWithoutTail(path: string, error: unknown): Promise<ZipFile> {
  const bytes = await readFile(path)
  const end = bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (end < 0 || end + 22 > bytes.length) throw error
  const archiveEnd = end + 22 + bytes.readUInt16LE(end + 20)
  if (archiveEnd >= bytes.length) throw error
  return fromBufferPromise(bytes.subarray(0, archiveEnd), options)
}

async function readDirectory(zip: ZipFile): Promise<Map<string, Entry>> {
  const { entries: max, unpackedBytes, ratio, ratioExemptBytes } = fileLimits.zip
  if (zip.entryCount > max) throw new UnreadableFile('file-too-complex')
  const entries = new Map<string, Entry>()
  let sum = 0
  await orUnreadable(
    (async () => {
      for await (const entry of zip.eachEntry()) {
        sum += entry.uncompressedSize
        const name = nameOf(entry)
        // Of duplicate names, keeps the one that a sequential reader finds first.
        if (!name.endsWith('/') && !entries.has(name)) entries.set(name, entry)
      }
    })(),
  )
  if (sum > unpackedBytes || (sum > ratioExemptBytes && sum > ratio * zip.fileSize)) {
    throw new UnreadableFile('file-too-complex')
  }
  return entries
}

function nameOf(entry: Entry): string {
  // The name is bytes, since strings are not decoded.
  const name = entry.fileNameRaw.toString('utf8').replaceAll('\\', '/')
  return name.startsWith('/') ? name.slice(1) : name
}

async function* readEntry(zip: ZipFile, entry: Entry | undefined): AsyncGenerator<Uint8Array> {
  if (entry === undefined) throw new UnreadableFile('file-broken')
  if (entry.isEncrypted()) throw new UnreadableFile('file-encrypted')
  const { ratio, ratioExemptBytes } = fileLimits.zip
  const max = Math.max(ratioExemptBytes, ratio * entry.compressedSize)
  if (entry.uncompressedSize > max) throw new UnreadableFile('file-too-complex')
  let size = 0
  try {
    for await (const chunk of await unpack(zip, entry)) {
      size += chunk.length
      if (size > entry.uncompressedSize) throw new UnreadableFile('file-broken')
      yield chunk
    }
  } catch (error) {
    throw toUnreadable(error)
  }
  if (size < entry.uncompressedSize) throw new UnreadableFile('file-broken')
}

async function unpack(zip: ZipFile, entry: Entry): Promise<Readable> {
  const compressed = await zip.openReadStreamPromise(entry, { decodeFileData: false })
  if (entry.compressionMethod === 0) return compressed
  if (entry.compressionMethod !== 8) {
    compressed.destroy()
    throw new UnreadableFile('file-broken')
  }
  const inflated = createInflateRaw({ chunkSize: 64 * 1024 })
  // The stream itself reports failures to its reader.
  pipeline(compressed, inflated, () => {})
  return inflated
}

async function orUnreadable<Value>(value: Promise<Value>): Promise<Value> {
  try {
    return await value
  } catch (error) {
    throw toUnreadable(error)
  }
}

/** Converts errors of the library; system errors are returned unchanged. */
function toUnreadable(error: unknown): unknown {
  const isKnown = error instanceof UnreadableFile || (error instanceof Error && 'syscall' in error)
  return isKnown ? error : new UnreadableFile('file-broken')
}
