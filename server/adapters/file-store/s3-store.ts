import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { DeleteObjectCommand, GetObjectCommand, HeadBucketCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { assertOwner, type FileStore, FileStoreError, ownerFileName } from '../../engine/ports/file-store'
import { AppError } from '../../errors'
import { createS3Client, listObjects, type S3Access } from '../s3-client'

interface Options extends S3Access {
  bucket: string
  /** Ends with a slash unless it is empty. */
  prefix: string
}

/** Files in an S3-compatible store. `incomingFolder` is on this machine. */
export function createS3Store({ bucket, prefix, ...access }: Options, incomingFolder: string): FileStore {
  const client = createS3Client(access)
  const objectOf = (id: string) => ({ Bucket: bucket, Key: prefix + id })

  async function get(id: string): Promise<Readable> {
    const { Body } = await client.send(new GetObjectCommand(objectOf(id)))
    return Body as Readable
  }

  /** The installation that has claimed the store; null if none has. */
  async function owner(): Promise<string | null> {
    try {
      return await text(await get(ownerFileName))
    } catch (error) {
      if (statusOf(error) === 404) return null
      throw startError(bucket, error)
    }
  }

  return {
    incomingFolder,

    async assertUsable() {
      try {
        await client.send(new HeadBucketCommand({ Bucket: bucket }))
      } catch (error) {
        throw startError(bucket, error)
      }
    },

    async claim(installationId) {
      const known = await owner()
      if (known !== null) return assertOwner(known, installationId)
      try {
        await client.send(new PutObjectCommand({ ...objectOf(ownerFileName), Body: installationId }))
      } catch (error) {
        throw startError(bucket, error)
      }
    },

    async put(id, path) {
      const { size } = await stat(path)
      try {
        await client.send(new PutObjectCommand({ ...objectOf(id), Body: createReadStream(path), ContentLength: size }))
      } catch (error) {
        throw new AppError('unavailable', 'The file cannot be stored at the moment. Try again in a minute.', {
          cause: error,
        })
      }
      await rm(path, { force: true })
    },

    async remove(id) {
      await client.send(new DeleteObjectCommand(objectOf(id)))
    },

    read: get,

    async open(id) {
      await mkdir(incomingFolder, { recursive: true, mode: 0o700 })
      const path = join(incomingFolder, crypto.randomUUID())
      const release = () => rm(path, { force: true })
      try {
        await pipeline(await get(id), createWriteStream(path, { flags: 'wx', mode: 0o600 }))
      } catch (error) {
        await release()
        throw error
      }
      return { path, release }
    },

    async *list() {
      for await (const { Key = '', LastModified = new Date() } of listObjects(client, bucket, prefix)) {
        const id = Key.slice(prefix.length)
        if (id !== ownerFileName) yield { id, modifiedAt: LastModified }
      }
    },

    close: async () => client.destroy(),
  }
}

function startError(bucket: string, error: unknown): FileStoreError {
  const status = statusOf(error)
  const reason =
    status === 404
      ? `there is no bucket ${bucket}. Create it.`
      : status === 403 || status === 401
        ? `the key may not use the bucket ${bucket}. Check S3_ACCESS_KEY_ID and its rights.`
        : `the store cannot be used (${error instanceof Error ? error.message || error.name : String(error)}). Check S3_ENDPOINT.`
  return new FileStoreError(`FILES: ${reason}`, { cause: error })
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode
}
