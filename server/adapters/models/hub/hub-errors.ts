import { AppError } from '../../../errors'
import { retryAfterMs } from '../../chat-model/http-failure'

/** A failure after which the same request may succeed. */
export class TemporaryFailure extends Error {
  override readonly name = 'TemporaryFailure'
  constructor(
    /** A sentence for the operator, for when all attempts have failed. */
    message: string,
    readonly retryAfterMs: number | null = null,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

export interface RefusedRequest {
  endpoint: string
  repository: string
  hasToken: boolean
  /** The revision or file that was asked for. */
  wanted: string
}

/** What a response of a hub other than success means. */
export function failureOf(
  response: { status: number; headers: Pick<Headers, 'get'> },
  { endpoint, repository, hasToken, wanted }: RefusedRequest,
): Error {
  const { status, headers } = response
  const host = new URL(endpoint).host
  const code = headers.get('x-error-code') ?? ''
  const page = `${endpoint}/${repository}`
  if (code === 'GatedRepo' || status === 403)
    return new AppError(
      'forbidden',
      hasToken
        ? `The account of HF_TOKEN may not read ${repository}. Accept the terms at ${page} with that account, and give the token read access.`
        : `${repository} asks its users to accept its terms. Accept them at ${page}, and set HF_TOKEN to a token of your account.`,
    )
  if (status === 401 && hasToken && code !== 'RepoNotFound')
    return new AppError('forbidden', `${host} rejects HF_TOKEN. Set it to a valid token, or remove it.`)
  if (code === 'RevisionNotFound') return new AppError('not_found', `${repository} has no revision ${wanted}.`)
  if (code === 'EntryNotFound') return new AppError('not_found', `${repository} has no file ${wanted}.`)
  if (status === 401 || status === 404)
    return new AppError(
      'not_found',
      `${host} has no public model ${repository}. Check the id${hasToken ? '' : '; for a private model, set HF_TOKEN'}.`,
    )
  if (status === 429)
    return new TemporaryFailure(
      `${host} limits the number of requests. Try again later${hasToken ? '' : ', or set HF_TOKEN'}.`,
      retryAfterMs(headers, Date.now()),
    )
  if (status >= 500) return new TemporaryFailure(`${host} failed with status ${status}. Try again later.`)
  return new AppError('upstream_failed', `${host} answered with status ${status}, which is not expected of a hub.`)
}

/** What a request that got no response, or a response that broke off, means. */
export function brokenConnection(endpoint: string, error: unknown): TemporaryFailure {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const reason = cause instanceof Error ? ('code' in cause ? String(cause.code) : cause.message) : String(cause)
  return new TemporaryFailure(
    `${new URL(endpoint).host} cannot be reached (${reason}). Check the network, HF_ENDPOINT and HTTPS_PROXY, and run the command again.`,
    null,
    { cause: error },
  )
}
