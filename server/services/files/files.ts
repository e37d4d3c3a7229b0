import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { asc, eq } from 'drizzle-orm'
import { reasonText } from '../../../contract/reasons'
import {
  type FileType,
  fileNameOf,
  fileTexts,
  fileTypeOf,
  maxFileBytes,
  maxFileNameLength,
} from '../../../contract/sources/file'
import type { Database } from '../../../db/database'
import { files } from '../../../db/schema/files'
import type { FileStore, LocalFile } from '../../engine/ports/file-store'
import { AppError } from '../../errors'

type FileRow = typeof files.$inferSelect

/** An upload on disk that does not belong to a source yet. */
export interface StagedFile {
  id: string
  /** Normalized for storage and display. */
  name: string
  type: FileType
  bytes: number
  sha256: string
}

export interface StoredFile {
  id: string
  name: string
  type: FileType
  bytes: number
  sha256: string
  /** Whether it replaces the source's current file as soon as it has been read. */
  isWaiting: boolean
}

/**
 * Age at which a file without a row is a leftover of a killed process. Documents of sites may wait in the folder for more
 * than an hour.
 */
const minLeftoverAgeMs = 6 * 3_600_000
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** Stores uploaded files under the ids of their rows. A file's name is never used as a path. */
export function createFiles({ db, fileStore }: { db: Database; fileStore: FileStore }) {
  const { incomingFolder: incoming } = fileStore

  /**
   * Writes an upload to disk as it arrives, and flushes it. Removes it on any error. Throws invalid_input for an invalid
   * name or type, too_large, storage_full, and what `chunks` throws. `assertAllowed` is called with the bytes so far and
   * may throw for a limit of its own.
   */
  async function receive(
    originalName: string,
    chunks: AsyncIterable<Uint8Array>,
    assertAllowed: (bytes: number) => void = () => {},
  ): Promise<StagedFile> {
    const { name, type } = checkName(originalName)
    await mkdir(incoming, { recursive: true, mode: 0o700 })
    const id = randomUUID()
    try {
      return { id, name, type, ...(await write(join(incoming, id), chunks, assertAllowed)) }
    } catch (error) {
      await rm(join(incoming, id), { force: true })
      throw isDiskFull(error) ? storageFull(error) : error
    }
  }

  /** Moves an upload into the store and runs `work`, which stores its row. Removes the file if that fails. */
  async function store<Result>({ id }: StagedFile, work: () => Promise<Result>): Promise<Result> {
    await fileStore.put(id, join(incoming, id))
    try {
      return await work()
    } catch (error) {
      await fileStore.remove(id)
      throw error
    }
  }

  /** Removes an upload that is not stored. */
  async function discard({ id }: Pick<StagedFile, 'id'>): Promise<void> {
    await rm(join(incoming, id), { force: true })
  }

  /** Returns the file of a source; null without one. */
  async function find(sourceId: string): Promise<StoredFile | null> {
    const [row] = await rowsOf(sourceId)
    return row ? storedFile(row) : null
  }

  /** Returns the file to read next: the one that is waiting, or the current one. */
  async function findPendingFile(sourceId: string): Promise<StoredFile | null> {
    const row = (await rowsOf(sourceId)).at(-1)
    return row ? storedFile(row) : null
  }

  /** The current file, then the one that is waiting. */
  function rowsOf(sourceId: string): Promise<FileRow[]> {
    return db.read.select().from(files).where(eq(files.sourceId, sourceId)).orderBy(asc(files.isWaiting))
  }

  function storedFile({ id, name, type, bytes, sha256, isWaiting }: FileRow): StoredFile {
    return { id, name, type, bytes, sha256, isWaiting }
  }

  /** Removes the files; ignores missing ones. */
  async function removeBytes(ids: string[]): Promise<void> {
    for (const id of ids) await fileStore.remove(id)
  }

  /** Reads a stored file. Throws unavailable for a missing one. */
  async function read({ id }: Pick<StoredFile, 'id'>): Promise<AsyncIterable<Uint8Array>> {
    return fileStore.read(id).catch((cause: unknown) => {
      throw new AppError('unavailable', 'The file is missing on this server. Upload it again.', { cause })
    })
  }

  /** A file on this machine with the content of a stored one. Rejects for a missing one. */
  function openLocal({ id }: Pick<StoredFile, 'id'>): Promise<LocalFile> {
    return fileStore.open(id)
  }

  /** Removes the files that killed processes left. Returns their number. */
  async function removeLeftovers(now = new Date()): Promise<number> {
    let removed = 0
    const isOld = (modifiedMs: number) => modifiedMs <= now.getTime() - minLeftoverAgeMs
    for (const id of (await listNames(incoming)).filter((name) => uuid.test(name))) {
      const path = join(incoming, id)
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
      if (!isOld(mtimeMs)) continue
      await rm(path, { force: true })
      removed++
    }
    for await (const { id, modifiedAt } of fileStore.list()) {
      if (!uuid.test(id) || !isOld(modifiedAt.getTime()) || (await hasRow(id))) continue
      await fileStore.remove(id)
      removed++
    }
    return removed
  }

  async function hasRow(id: string): Promise<boolean> {
    return (await db.read.$count(files, eq(files.id, id))) > 0
  }

  return {
    assertSize,
    receive,
    store,
    discard,
    find,
    findPendingFile,
    removeBytes,
    removeLeftovers,
    read,
    openLocal,
  }
}

export type Files = ReturnType<typeof createFiles>

function checkName(originalName: string): { name: string; type: FileType } {
  const name = fileNameOf(originalName)
  const type = fileTypeOf(name)
  if (name === '') throw invalidFile('The file has no visible name. Rename it and upload it again.')
  if (name.length > maxFileNameLength)
    throw invalidFile(`The file's name can have at most ${maxFileNameLength} characters.`)
  if (type === null) throw invalidFile(reasonText('file-unknown'))
  return { name, type }
}

async function write(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  assertAllowed: (bytes: number) => void,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length
      assertSize(bytes)
      assertAllowed(bytes)
      hash.update(chunk)
      await writeAll(file, chunk)
    }
    if (bytes === 0) throw invalidFile('The file is empty.')
    await file.sync()
  } finally {
    await file.close()
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** A single write may be partial. */
async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let index = 0; index < chunk.length; ) index += (await file.write(chunk, index)).bytesWritten
}

async function listNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/** Throws too_large, with the contract's texts, for more than `maxFileBytes`. */
function assertSize(bytes: number): void {
  if (bytes <= maxFileBytes) return
  const details = { title: fileTexts.tooLarge, fields: { file: [fileTexts.trySmaller] } }
  throw new AppError('too_large', fileTexts.trySmaller, { details })
}

export function invalidFile(message: string): AppError {
  return new AppError('invalid_input', message, { details: { fields: { file: [message] } } })
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}

function storageFull(cause: unknown): AppError {
  const message = 'The disk of this server is full, so nothing can be stored. Free some space, then try again.'
  return new AppError('storage_full', message, { cause })
}
