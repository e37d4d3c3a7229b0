import { open } from 'node:fs/promises'

/** Writes the names in a folder to the disk, so that new ones survive a power cut. Throws what the file system throws. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
