import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { DeleteObjectCommand, GetObjectCommand } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import type { ArchiveStore, StoredArchive } from '../../engine/ports/archive-store'
import { sha256Of } from '../../engine/sha256'
import { createS3Client, listObjects, type S3Access } from '../s3-client'

interface Options extends S3Access {
  bucket: string
  /** Ends with a slash unless it is empty. */
  prefix: string
}

/** Large enough for an archive of 80 GB in the 10,000 parts that the protocol allows. */
const partBytes = 8 * 2 ** 20
const maxParallelParts = 2

/** Archives in an S3-compatible store. */
export function createS3Archives({ bucket, prefix, ...access }: Options): ArchiveStore {
  const client = createS3Client(access)

  async function send(name: string, file: string, signal: AbortSignal): Promise<void> {
    const params = { Bucket: bucket, Key: prefix + name, Body: createReadStream(file) }
    const upload = new Upload({ client, params, partSize: partBytes, queueSize: maxParallelParts })
    const abort = () => void upload.abort()
    signal.addEventListener('abort', abort, { once: true })
    try {
      await upload.done()
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }

  return {
    async put(name, file, signal) {
      signal.throwIfAborted()
      const expected = await sha256Of(createReadStream(file))
      await send(name, file, signal)
      const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: prefix + name }), {
        abortSignal: signal,
      })
      if ((await sha256Of(Body as Readable)) !== expected)
        throw new Error(`The store returns other bytes for ${name} than were sent.`)
      await rm(file)
    },

    async list() {
      const found: StoredArchive[] = []
      for await (const { Key = '', Size = 0 } of listObjects(client, bucket, prefix))
        found.push({ name: Key.slice(prefix.length), bytes: Size })
      return found
    },

    async remove(name) {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: prefix + name }))
    },

    close: async () => client.destroy(),
  }
}
