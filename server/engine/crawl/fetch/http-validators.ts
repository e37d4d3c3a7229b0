/** What a later request is made conditional with, as the server sent it. */
export interface Validators {
  etag: string | null
  lastModified: string | null
}

export const noValidators: Validators = { etag: null, lastModified: null }

/** What the next request can be made conditional by; names of headers in lower case. */
export function validatorsOf(headers: Record<string, string>): Validators {
  return { etag: headers.etag ?? null, lastModified: headers['last-modified'] ?? null }
}
