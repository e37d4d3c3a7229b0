import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { asc, eq } from 'drizzle-orm'
import {
  type FileType,
  fileNameOf,
  fileTexts,
  fileTypeOf,
  maxFileBytes,
  maxFileNameLength,
} from '../../../contract/file'
import { reasonText } from '../../../contract/reasons'
import type { Database } from '../../../db/database'
import { files } from '../../../db/schema/files'
import { AppError } from '../../errors'
import { syncFolder } from './fsync-folder'

type FileRow = typeof files.$inferSelect

/** An upload that lies on the disk and belongs to nothing yet. */
export interface StagedFile {
  id: string
  /** As it is kept and shown. */
  name: string
  type: FileType
  bytes: number
  sha256: string
}

export interface StoredFile {
  id: string
  /** On this machine. */
  path: string
  name: string
  type: FileType
  bytes: number
  sha256: string
  /** To take the place of the one that its source has, once it was read. */
  isWaiting: boolean
}

/** Where uploads stand until they are whole. */
export const incomingName = 'incoming'
/**
 * Older than this, what belongs to nothing was left behind by a process that ended. Milliseconds. Documents of sites lie
 * there while they wait for their turn, which may take longer than an hour.
 */
const leftoverMs = 6 * 3_600_000
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** The bytes of uploaded files, in `folder` under the ids of their rows. What people call a file is never a path. */
export function createFiles({ db, folder }: { db: Database; folder: string }) {
  const incoming = join(folder, incomingName)

  /**
   * Writes an upload to the disk as it arrives and waits until it is safe there. Whatever goes wrong leaves nothing.
   * Throws invalid_input for a name or a type that cannot be, too_large, storage_full, and what `pieces` throws;
   * `refuse` is asked with the bytes so far and throws for a limit of its own.
   */
  async function receive(
    given: string,
    pieces: AsyncIterable<Uint8Array>,
    refuse: (bytes: number) => void = () => {},
  ): Promise<StagedFile> {
    const { name, type } = checkName(given)
    await mkdir(incoming, { recursive: true, mode: 0o700 })
    const id = randomUUID()
    try {
      return { id, name, type, ...(await write(join(incoming, id), pieces, refuse)) }
    } catch (error) {
      await rm(join(incoming, id), { force: true })
      throw isFull(error) ? storageFull(error) : error
    }
  }

  /** Puts an upload in its place and runs `work`, which stores its row; where that fails, the bytes are gone. */
  async function keep<Result>({ id }: StagedFile, work: () => Promise<Result>): Promise<Result> {
    const place = pathOf(id)
    await rename(join(incoming, id), place)
    try {
      await syncFolder(folder)
      return await work()
    } catch (error) {
      await rm(place, { force: true })
      throw error
    }
  }

  /** For an upload that came to nothing. */
  async function discard({ id }: Pick<StagedFile, 'id'>): Promise<void> {
    await rm(join(incoming, id), { force: true })
  }

  /** The file of a source; null where it has none. */
  async function find(sourceId: string): Promise<StoredFile | null> {
    const [row] = await rowsOf(sourceId)
    return row ? stored(row) : null
  }

  /** The file that is to be read: the one that waits, where there is one. */
  async function findToRead(sourceId: string): Promise<StoredFile | null> {
    const row = (await rowsOf(sourceId)).at(-1)
    return row ? stored(row) : null
  }

  /** The source's own first, then the one that waits. */
  function rowsOf(sourceId: string): Promise<FileRow[]> {
    return db.read.select().from(files).where(eq(files.sourceId, sourceId)).orderBy(asc(files.isWaiting))
  }

  function stored({ id, name, type, bytes, sha256, isWaiting }: FileRow): StoredFile {
    return { id, path: pathOf(id), name, type, bytes, sha256, isWaiting }
  }

  /** Takes the bytes away; nothing happens where they are gone already. */
  async function removeBytes(ids: string[]): Promise<void> {
    for (const id of ids) await rm(pathOf(id), { force: true })
  }

  /** Takes away what processes that were killed have left behind. Returns how many files. */
  async function removeLeftovers(now = new Date()): Promise<number> {
    let removed = 0
    for (const place of [incoming, folder]) {
      for (const id of (await namesIn(place)).filter((name) => uuid.test(name))) {
        const path = join(place, id)
        const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
        if (mtimeMs > now.getTime() - leftoverMs || (place === folder && (await hasRow(id)))) continue
        await rm(path, { force: true })
        removed++
      }
    }
    return removed
  }

  async function hasRow(id: string): Promise<boolean> {
    return (await db.read.$count(files, eq(files.id, id))) > 0
  }

  function pathOf(id: string): string {
    return join(folder, id)
  }

  return { assertSize, receive, keep, discard, find, findToRead, removeBytes, removeLeftovers }
}

export type Files = ReturnType<typeof createFiles>

function checkName(given: string): { name: string; type: FileType } {
  const name = fileNameOf(given)
  const type = fileTypeOf(name)
  if (name === '') throw wrongFile('The file has no name that can be shown. Give it one and upload it again.')
  if (name.length > maxFileNameLength)
    throw wrongFile(`The file's name can have at most ${maxFileNameLength} characters.`)
  if (type === null) throw wrongFile(reasonText('file-unknown'))
  return { name, type }
}

async function write(
  path: string,
  pieces: AsyncIterable<Uint8Array>,
  refuse: (bytes: number) => void,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const piece of pieces) {
      bytes += piece.length
      assertSize(bytes)
      refuse(bytes)
      hash.update(piece)
      await writeAll(file, piece)
    }
    if (bytes === 0) throw wrongFile('The file is empty.')
    await file.sync()
  } finally {
    await file.close()
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** A write may take less than it was given. */
async function writeAll(file: FileHandle, piece: Uint8Array): Promise<void> {
  for (let at = 0; at < piece.length; ) at += (await file.write(piece, at)).bytesWritten
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/** Throws too_large, in the contract's words, for more bytes than a file may have. */
function assertSize(bytes: number): void {
  if (bytes <= maxFileBytes) return
  const details = { title: fileTexts.tooLarge, fields: { file: [fileTexts.trySmaller] } }
  throw new AppError('too_large', fileTexts.trySmaller, { details })
}

export function wrongFile(message: string): AppError {
  return new AppError('invalid_input', message, { details: { fields: { file: [message] } } })
}

function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}

function storageFull(cause: unknown): AppError {
  const message = 'The disk of this server is full, so nothing can be stored. Make space, then try again.'
  return new AppError('storage_full', message, { cause })
}
