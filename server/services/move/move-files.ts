import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Connection, countRows, send } from '../../../db/copy/table-rows'
import { type FileStore, storedIds } from '../../engine/ports/file-store'
import { AppError } from '../../errors'

export interface MoveFilesOptions {
  /** Has the rows of the files. */
  rows: Connection
  from: FileStore
  /** Null if both installations use the same files. */
  to: FileStore | null
  show(step: string, done: number, total: number): void
  signal: AbortSignal
}

export interface MovedFiles {
  files: number
  bytes: number
  /** Names of files that the old installation has lost. */
  missing: string[]
}

interface FileRow {
  id: string
  name: string
  sha256: string
}

/** Copies the files that the target lacks, reads them all back, and compares them with the hashes of their rows. */
export async function moveFiles({ rows, from, to, show, signal }: MoveFilesOptions): Promise<MovedFiles> {
  const total = await countRows(rows, 'files')
  const stored = await storedIds(from)
  const copied = to ? await storedIds(to) : stored
  const moved: MovedFiles = { files: 0, bytes: 0, missing: [] }
  for await (const file of filesOf(rows)) {
    signal.throwIfAborted()
    if (to && !copied.has(file.id) && stored.has(file.id)) await copyFile(from, to, file, signal)
    else if (!copied.has(file.id)) {
      moved.missing.push(file.name)
      continue
    }
    moved.bytes += await verifyFile(to ?? from, file)
    moved.files++
    show('Copying files', moved.files, total)
  }
  return moved
}

async function* filesOf(rows: Connection): AsyncIterable<FileRow> {
  for (let after = ''; ; ) {
    const page = await send(rows, 'select id, name, sha256 from files where id > ? order by id limit 500', [after])
    if (page.length === 0) return
    for (const row of page) {
      const [id, name, sha256] = row.map(String) as [string, string, string]
      yield { id, name, sha256 }
      after = id
    }
  }
}

async function copyFile(from: FileStore, to: FileStore, { id }: FileRow, signal: AbortSignal): Promise<void> {
  await mkdir(to.incomingFolder, { recursive: true, mode: 0o700 })
  const draft = join(to.incomingFolder, randomUUID())
  try {
    const written = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true })
    await pipeline(Readable.from(await from.read(id)), written, { signal })
    await to.put(id, draft)
  } finally {
    await rm(draft, { force: true })
  }
}

/** Returns the size of the file. Throws conflict if it is not the one that was uploaded. */
async function verifyFile(store: FileStore, { id, name, sha256 }: FileRow): Promise<number> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const part of await store.read(id)) {
    hash.update(part)
    bytes += part.byteLength
  }
  if (hash.digest('hex') === sha256) return bytes
  throw new AppError(
    'conflict',
    `The file ${name} (${id}) is not what was uploaded. Restore it from a backup, or delete its source, and move again.`,
  )
}
