import { ConfigError } from './config-error'

/** A place in an S3-compatible store. */
export interface S3Settings {
  bucket: string
  /** Ends with a slash unless it is empty. */
  prefix: string
  region: string
  /** Null for Amazon's own. */
  endpoint: string | null
  /** Null: the SDK finds them, in the environment or from the machine. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null
}

export interface S3Variables {
  S3_ENDPOINT?: string | undefined
  S3_REGION: string
  S3_ACCESS_KEY_ID?: string | undefined
  S3_SECRET_ACCESS_KEY?: string | undefined
}

/** Reads an address such as s3://bucket/prefix. Null for a path of a folder. `name` is the variable that has it. */
export function s3Settings(name: string, text: string, variables: S3Variables): S3Settings | null {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return null
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(text) ?? []
  if (bucket === undefined)
    throw new ConfigError(
      `${name}: must be a folder, or an address such as s3://bucket/prefix of an S3-compatible store.`,
    )
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = variables
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined))
    throw new ConfigError('S3_ACCESS_KEY_ID: must be set together with S3_SECRET_ACCESS_KEY. Set both, or neither.')
  const prefix = path.replace(/^\/+|\/+$/g, '')
  return {
    bucket,
    prefix: prefix === '' ? '' : `${prefix}/`,
    region: variables.S3_REGION,
    endpoint: variables.S3_ENDPOINT ?? null,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : null,
  }
}
