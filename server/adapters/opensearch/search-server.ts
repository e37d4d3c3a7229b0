import { Client, errors } from '@opensearch-project/opensearch'
import { AppError } from '../../errors'

export interface SearchServerSettings {
  /** Without credentials. */
  url: string
  auth: { user: string; password: string } | { token: string } | null
  /** Certificates to trust in addition to the system's, as PEM. */
  ca: string | null
}

/** The server cannot be used as it is. `message` is one line that says why and what to do. */
export class SearchServerError extends Error {
  override readonly name = 'SearchServerError'
}

const requestTimeoutMs = 10_000
const startMs = 60_000
const retryMs = 500
/** The first release that the product is tested with. */
const minVersion = [2, 19] as const
const retryAfterSeconds = 5
const temporaryStatuses = new Set([408, 429, 502, 503, 504])

export function createSearchClient({ url, auth, ca }: SearchServerSettings): Client {
  return new Client({
    node: url,
    ...(auth && 'user' in auth ? { auth: { username: auth.user, password: auth.password } } : {}),
    ...(auth && 'token' in auth ? { headers: { authorization: `Bearer ${auth.token}` } } : {}),
    ...(ca ? { ssl: { ca } } : {}),
    requestTimeout: requestTimeoutMs,
    maxRetries: 1,
  })
}

export interface ServerVersion {
  major: number
  text: string
}

/** Waits until the server responds, and checks its version. Throws SearchServerError. */
export async function waitForSearchServer(client: Client, waitMs = startMs): Promise<ServerVersion> {
  const endsAt = Date.now() + waitMs
  for (;;) {
    try {
      const { body } = await client.info()
      return checkVersion(body.version.distribution, body.version.number)
    } catch (error) {
      if (error instanceof SearchServerError) throw error
      if (!isTemporary(error) || Date.now() + retryMs > endsAt) throw startError(error)
      await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
  }
}

function checkVersion(distribution: string | undefined, text: string): ServerVersion {
  if (distribution !== 'opensearch')
    throw new SearchServerError('SEARCH_URL: this server is not OpenSearch. Use OpenSearch 2.19 or newer.')
  const [major = 0, minor = 0] = text.split('.').map(Number)
  if (major < minVersion[0] || (major === minVersion[0] && minor < minVersion[1]))
    throw new SearchServerError(`SEARCH_URL: OpenSearch ${text} is too old. Use ${minVersion.join('.')} or newer.`)
  return { major, text }
}

/** By what the scores have to be multiplied to have the factor of k1 + 1, which OpenSearch 3 left out of BM25. */
export function bm25FactorOf({ major }: ServerVersion): number {
  return major < 3 ? 1 : 2.2
}

/** Does not repeat the address, which may contain a password. */
function startError(error: unknown): SearchServerError {
  const status = statusOf(error)
  if (status === 401) return failure('the server refuses the user, the password or the token.')
  if (status === 403) return failure('this user may not use the server. Give it the rights that the manual names.')
  const message = error instanceof Error ? error.message : String(error)
  if (/certificate|self.signed/i.test(message))
    return failure(`the certificate of the server is not trusted (${message}). Set SEARCH_CA_FILE.`)
  return failure(`the server cannot be used (${message}).`)

  function failure(text: string) {
    return new SearchServerError(`SEARCH_URL: ${text}`, { cause: error })
  }
}

/** Whether the same request may succeed later. */
export function isTemporary(error: unknown): boolean {
  if (error instanceof errors.ResponseError) return temporaryStatuses.has(error.statusCode ?? 0)
  if (!(error instanceof errors.ConnectionError || error instanceof errors.TimeoutError)) return false
  return !/certificate|self.signed/i.test(error.message)
}

function isClosed(error: unknown): boolean {
  return error instanceof errors.ResponseError && error.message.includes('index_closed_exception')
}

export function statusOf(error: unknown): number | null {
  return error instanceof errors.ResponseError ? (error.statusCode ?? null) : null
}

/** Runs a search. A server that cannot answer now is unavailable, not an error of the product. */
export async function searching<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    // Without its alias, the index is being made; somebody may have closed it.
    if (!isTemporary(error) && statusOf(error) !== 404 && !isClosed(error)) throw error
    throw unavailable(error)
  }
}

/** The responses of several searches in one request, each of which may fail by itself. Throws unavailable if one did. */
export function succeeded<Response extends object>(responses: Response[]): Exclude<Response, { error: unknown }>[] {
  return responses.map((response) => {
    if ('error' in response && response.error) throw unavailable(new Error(JSON.stringify(response.error)))
    return response as Exclude<Response, { error: unknown }>
  })
}

function unavailable(cause: unknown): AppError {
  return new AppError('unavailable', 'Search does not respond at the moment. Try again in a minute.', {
    details: { retryAfterSeconds },
    cause,
  })
}
