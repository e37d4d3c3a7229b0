import { createReadStream } from 'node:fs'
import { copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ArchiveStore } from '../../engine/ports/archive-store'
import { sha256Of } from '../../engine/sha256'

const unfinished = '.part'

/** Archives in a folder, which may be on another disk. It is created, open to this user alone, if it is missing. */
export function createFolderArchives(folder: string): ArchiveStore {
  return {
    async put(name, file, signal) {
      signal.throwIfAborted()
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const draft = join(folder, `${name}${unfinished}`)
      try {
        await copyFile(file, draft)
        await flush(draft)
        const [sent, stored] = await Promise.all([file, draft].map((path) => sha256Of(createReadStream(path))))
        if (sent !== stored) throw new Error(`${draft} has other bytes than were written.`)
        signal.throwIfAborted()
        await rename(draft, join(folder, name))
      } finally {
        await rm(draft, { force: true })
      }
      await rm(file)
    },

    async list() {
      const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return []
        throw error
      })
      const archives = names.filter((name) => !name.endsWith(unfinished))
      return Promise.all(archives.map(async (name) => ({ name, bytes: (await stat(join(folder, name))).size })))
    },

    remove: (name) => rm(join(folder, name), { force: true }),
    close: async () => {},
  }
}

async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
