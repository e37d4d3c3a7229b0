/** What a later request is made conditional with, as the server sent it. */
export interface Validators {
  etag: string | null
  lastModified: string | null
}

export const noValidators: Validators = { etag: null, lastModified: null }

export function validatorsOf(headers: Record<string, string>): Validators {
  return { etag: headers.etag ?? null, lastModified: headers['last-modified'] ?? null }
}
