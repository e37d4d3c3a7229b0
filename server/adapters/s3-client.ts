import { type _Object, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'

export interface S3Access {
  region: string
  /** Null for Amazon's own. */
  endpoint: string | null
  /** Null: the SDK finds them, in the environment or from the machine. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null
}

const requestTimeoutMs = 60_000
const connectTimeoutMs = 5_000
const maxAttempts = 4

/** Errors are thrown. Without a logger, the SDK would also write some of them to the console. */
const silent = { debug() {}, info() {}, warn() {}, error() {} }

export function createS3Client({ region, endpoint, credentials }: S3Access): S3Client {
  return new S3Client({
    region,
    maxAttempts,
    logger: silent,
    requestHandler: { requestTimeout: requestTimeoutMs, connectionTimeout: connectTimeoutMs },
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    ...(credentials ? { credentials } : {}),
  })
}

/** Yields all objects whose keys begin with a prefix, page by page. Throws what the SDK throws. */
export async function* listObjects(client: S3Client, bucket: string, prefix: string): AsyncGenerator<_Object> {
  for (let token: string | undefined; ; ) {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: token }),
    )
    yield* page.Contents ?? []
    token = page.NextContinuationToken
    if (!token) return
  }
}
