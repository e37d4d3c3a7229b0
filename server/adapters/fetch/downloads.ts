import { randomUUID } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Downloads } from '../../engine/ports/fetcher'

/** Stores downloads in `folder` under random names. Those of a killed process are deleted with abandoned uploads. */
export function createDownloads(folder: string): Downloads {
  return {
    async open() {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const path = join(folder, randomUUID())
      const file = await open(path, 'wx', 0o600)
      let bytes = 0
      let failure: { error: unknown } | null = null
      let isOpen = true

      async function close(): Promise<void> {
        if (!isOpen) return
        isOpen = false
        await file.close()
      }

      return {
        path,
        async write(chunk) {
          if (failure) return
          try {
            for (let index = 0; index < chunk.length; ) index += (await file.write(chunk, index)).bytesWritten
            bytes += chunk.length
          } catch (error) {
            // Thrown by `end`, because the site did not cause it.
            failure = { error }
          }
        },
        async end() {
          await close()
          if (failure) throw failure.error
          return bytes
        },
        async remove() {
          await close()
          await rm(path, { force: true })
        },
      }
    },
  }
}
