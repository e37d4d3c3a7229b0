import { open } from 'node:fs/promises'

/** Flushes the entries of a folder to disk, so that new files survive a power failure. Throws file system errors. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
