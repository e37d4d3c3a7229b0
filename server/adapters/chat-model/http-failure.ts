interface Reply {
  status: number
  /** The provider's own code or type of the error. */
  code?: string | null
  /** The provider's own sentence. */
  detail?: string
  /** Milliseconds from Retry-After. */
  retryAfterMs?: number | null
}

/** A response with an error status. The text is neutral: SDKs look for "timed out" in it. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure'
  readonly status: number
  readonly code: string | null
  readonly detail: string
  readonly retryAfterMs: number | null

  constructor({ status, code = null, detail = '', retryAfterMs = null }: Reply) {
    super(`HTTP ${status}`)
    this.status = status
    this.code = code
    this.detail = detail
    this.retryAfterMs = retryAfterMs
  }
}

/** Error of a request without a response, or with none that the protocol allows. */
export class ConnectionFailure extends Error {
  override readonly name = 'ConnectionFailure'
  constructor(
    readonly kind: 'name' | 'tls' | 'connect' | 'content' | 'size',
    /** The host of `name`, the code of others. */
    readonly detail: string,
  ) {
    super(`${kind}: ${detail}`)
  }
}

/** Returns the failure of the guarded fetch inside an SDK's error. */
export function findFailure(error: unknown): HttpFailure | ConnectionFailure | null {
  if (error instanceof HttpFailure || error instanceof ConnectionFailure) return error
  return error instanceof Error && error.cause !== undefined ? findFailure(error.cause) : null
}

/** Parses the error objects of all providers, of gateways in front of them, and text. */
export function parseError(text: string): { code: string | null; detail: string } {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return { code: null, detail: withoutPage(text) }
  }
  // Gemini sends arrays of one.
  const outer = Array.isArray(body) ? body[0] : body
  const error = fieldOf(outer, 'error') ?? outer
  const reason = fieldOf(firstOf(fieldOf(error, 'details')), 'reason')
  const code = [reason, fieldOf(error, 'code'), fieldOf(error, 'type'), fieldOf(error, 'status')]
  const message = [error, fieldOf(error, 'message')].find((value) => typeof value === 'string')
  return {
    code: code.find((value) => typeof value === 'string') ?? null,
    detail: withoutPage(typeof message === 'string' ? message : text),
  }
}

/** Gateways answer with pages, which say nothing to a reader. */
function withoutPage(text: string): string {
  return /^\s*</.test(text) ? '' : text.trim()
}

/** Returns milliseconds; null without a valid header. It holds seconds or a date. */
export function retryAfterMs(headers: Pick<Headers, 'get'>, now: number): number | null {
  const header = headers.get('retry-after')?.trim()
  if (!header) return null
  const ms = /^\d+(\.\d+)?$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : undefined
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}
