import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, existsSync } from 'node:fs'
import { access, constants, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  assertOwner,
  type FileStore,
  FileStoreError,
  incomingFolderName,
  ownerFileName,
} from '../../engine/ports/file-store'

/** Files in a folder, which processes on several machines may share. */
export function createFolderStore(folder: string): FileStore {
  const pathOf = (id: string) => join(folder, id)
  const incomingFolder = join(folder, incomingFolderName)

  return {
    incomingFolder,

    async assertUsable() {
      try {
        await mkdir(incomingFolder, { recursive: true, mode: 0o700 })
        await access(incomingFolder, constants.W_OK)
      } catch (cause) {
        const message = `FILES: cannot write to ${folder}. Make the user that runs Sitelore its owner.`
        throw new FileStoreError(message, { cause })
      }
    },

    async claim(installationId) {
      const path = pathOf(ownerFileName)
      if (!existsSync(path)) {
        // Moved there as a whole: a process that starts at the same time reads it.
        const draft = join(incomingFolder, randomUUID())
        await writeFile(draft, installationId, { mode: 0o600, flush: true })
        await rename(draft, path)
      }
      assertOwner(await readFile(path, 'utf8'), installationId)
    },

    async put(id, path) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await rename(path, pathOf(id))
      await syncFolder(folder)
    },

    async remove(id) {
      await rm(pathOf(id), { force: true })
    },

    async read(id) {
      const stream = createReadStream(pathOf(id))
      await once(stream, 'open')
      return stream
    },

    async open(id) {
      const path = pathOf(id)
      await stat(path)
      return { path, release: async () => {} }
    },

    async *list() {
      for (const id of await namesIn(folder)) {
        if (id === incomingFolderName || id === ownerFileName) continue
        const found = await stat(pathOf(id)).catch(() => null)
        if (found) yield { id, modifiedAt: found.mtime }
      }
    },

    close: async () => {},
  }
}

/** So that a new entry outlasts a loss of power. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Empty for a folder that does not exist. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
