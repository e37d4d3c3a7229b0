import { StorageFullError } from '../../../db/errors'
import { errors } from './library'

type ProviderError = InstanceType<typeof errors.OIDCProviderError>

/** The `error` with which the embedded provider responds to a full disk. */
export const storageFullCode = 'storage_full'

/**
 * Rethrows what a write of the provider threw. A full disk becomes a 507 with our sentence, shown at once: the callback
 * could store nothing either.
 */
export function explainStorageFull(error: unknown): never {
  if (!(error instanceof StorageFullError)) throw error
  throw Object.assign(new errors.OIDCProviderError(507, storageFullCode, { cause: error }), {
    error_description: error.message,
    expose: true,
    allow_redirect: false,
  })
}

export function isStorageFull(error: unknown): error is ProviderError & { error_description: string } {
  return error instanceof errors.OIDCProviderError && error.error === storageFullCode
}
