/** ETag and Last-Modified as the server sent them, for the next conditional request. */
export interface Validators {
  etag: string | null
  lastModified: string | null
}

export const noValidators: Validators = { etag: null, lastModified: null }

/** `headers` by lower-case name. */
export function readValidators(headers: Record<string, string>): Validators {
  return { etag: headers.etag ?? null, lastModified: headers['last-modified'] ?? null }
}
