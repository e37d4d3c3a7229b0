import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'

/** Hubs state the SHA-256 of large files; of others, the SHA-1 that git gives them. */
export interface Checksum {
  algorithm: 'sha256' | 'git-sha1'
  hex: string
}

/** Whether the file has the checksum. */
export async function hasChecksum(path: string, { algorithm, hex }: Checksum): Promise<boolean> {
  const hash =
    algorithm === 'sha256' ? createHash('sha256') : createHash('sha1').update(`blob ${(await stat(path)).size}\0`)
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex') === hex.toLowerCase()
}

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}
