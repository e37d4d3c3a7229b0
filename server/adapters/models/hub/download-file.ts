import { mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { AppError } from '../../../errors'
import { hasChecksum } from './file-checksum'
import { TemporaryFailure } from './hub-errors'
import type { HubFile, ModelHub } from './model-hub'

export interface DownloadOptions {
  hub: ModelHub
  repository: string
  commit: string
  file: HubFile
  /** Where the complete file is put. */
  target: string
  onBytes(count: number): void
  signal: AbortSignal
}

const maxBreaksWithoutProgress = 3

/**
 * Downloads a file and compares its checksum. Continues an incomplete one, of this call or an earlier one, and throws
 * TemporaryFailure if the connection breaks several times without progress. A file with another checksum is deleted.
 */
export async function downloadFile({
  hub,
  repository,
  commit,
  file,
  target,
  onBytes,
  signal,
}: DownloadOptions): Promise<void> {
  const { path, bytes, checksum } = file
  const incomplete = `${target}.part`
  if ((await sizeOf(target)) === bytes) return onBytes(bytes)
  await mkdir(dirname(target), { recursive: true })
  if ((await sizeOf(incomplete)) > bytes) await rm(incomplete)
  let done = await sizeOf(incomplete)
  onBytes(done)
  for (let breaks = 0; done < bytes; ) {
    const before = done
    try {
      await continueFrom(done)
    } catch (error) {
      if (!(error instanceof TemporaryFailure)) throw error
      breaks = done > before ? 0 : breaks + 1
      if (breaks >= maxBreaksWithoutProgress) throw error
    }
  }
  if (bytes === 0) await writeFile(incomplete, '')
  if (!(await hasChecksum(incomplete, checksum))) {
    await rm(incomplete)
    throw new AppError(
      'upstream_failed',
      `${path} of ${repository} does not have the checksum that the hub states, and was deleted. Run the command again.`,
    )
  }
  await rename(incomplete, target)

  /** What has arrived before the connection breaks is written. */
  async function continueFrom(offset: number): Promise<void> {
    const download = await hub.download({ repository, commit, path, offset }, signal)
    onBytes(download.offset - done)
    done = download.offset
    const handle = await open(incomplete, done > 0 ? 'a' : 'w')
    try {
      for await (const chunk of download.body) {
        // A body that is too long cannot be the file.
        const part = chunk.subarray(0, bytes - done)
        await handle.appendFile(part)
        done += part.length
        onBytes(part.length)
        if (done === bytes) return
      }
    } finally {
      await handle.close()
    }
    throw new TemporaryFailure(`${path} of ${repository} arrived incomplete. Run the command again to continue.`)
  }
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  )
}
