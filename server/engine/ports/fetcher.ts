/** The expected content, which decides the limits of size and time (see `limits.ts`). */
export type FetchKind = 'page' | 'robots' | 'sitemap' | 'document' | 'picture' | 'icon' | 'embed'

export interface FetchRequest {
  url: string
  kind: FetchKind
  /** Sent as If-None-Match and If-Modified-Since. */
  etag?: string
  lastModified?: string
  access?: SiteAccess
  /** Called before each redirect with its target and status; false refuses the request as 'not-allowed'. */
  mayFollow?: (url: string, status: number) => Promise<boolean>
  /**
   * Receives the decoded body of a 2xx response in chunks of any length, one after the other; the outcome's body is empty
   * then. Must not reject. The chunks are valid only if the outcome is 'fetched'.
   */
  onChunk?: (chunk: Uint8Array) => Promise<void>
}

/** Credentials of a protected site, sent with every request to exactly this origin and to no other. */
export interface SiteAccess {
  origin: string
  headers: Record<string, string>
  /** Without them, no cookie is kept. */
  cookies?: Cookies
}

/** The cookies of one crawl. */
export interface Cookies {
  /** Value of the Cookie header of a request; '' without any. */
  headerFor(url: string): string
  /** Keeps the values of the Set-Cookie headers of a response. Ignores invalid ones. */
  keep(url: string, cookies: readonly string[]): void
}

/** Why a URL was not read. `contract/reasons.ts` has the sentences. */
export type FetchRefusal =
  | 'invalid-address'
  | 'private-address'
  | 'forbidden-address'
  | 'unresolved'
  | 'connection-failed'
  | 'timeout'
  | 'too-large'
  | 'too-many-redirects'
  | 'not-allowed'
  | 'bad-encoding'

export interface FetchedBody {
  kind: 'fetched'
  /** URL after all redirects. */
  url: string
  status: number
  /** Lower-case names; a repeated header is joined with ', '. */
  headers: Record<string, string>
  /** Decoded (gzip, br, deflate), within the limits of its kind; empty where `onChunk` received it. */
  body: Uint8Array
  /** URLs that redirected to `url`, in order. */
  redirectedFrom: string[]
  /** Milliseconds from the first byte sent to the last byte read. */
  tookMs: number
}

/** Every response of a server, and every refusal to ask it, is a value. */
export type FetchOutcome =
  | FetchedBody
  | { kind: 'unchanged'; url: string; status: 304; headers: Record<string, string>; tookMs: number }
  | { kind: 'refused'; reason: FetchRefusal /** Safe to show. */; message: string }

/** Requests one URL that a person or a page named. Rejects only when `signal` aborts. */
export interface Fetcher {
  fetch(request: FetchRequest, signal?: AbortSignal): Promise<FetchOutcome>
}

/** A temporary file for one document. */
export interface Download {
  path: string
  /** Fits `FetchRequest.onChunk`: failures are reported by `end`. */
  write(chunk: Uint8Array): Promise<void>
  /** Returns the number of bytes. Throws where they could not be stored. */
  end(): Promise<number>
  remove(): Promise<void>
}

export interface Downloads {
  open(): Promise<Download>
}
