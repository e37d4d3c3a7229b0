import { type Provider, providerLabels } from '../../../contract/values/enumerations'
import type { ProviderError, ProviderFailure, StopReason } from '../../engine/ports/chat-model'
import { providerError } from '../../errors'
import { ConnectionFailure, findFailure, HttpFailure, parseError } from './http-failure'

export interface ProviderTarget {
  provider: Provider
  /** The provider's own name of the model. */
  model: string
  /** Redacted from every message; null if none is sent. */
  apiKey: string | null
}

type Sentence = [ProviderFailure, string]

/** Converts the error of a failed request. Neither its message nor its cause contains the key. */
export function toProviderError(error: unknown, target: ProviderTarget): ProviderError {
  const reply = findFailure(error) ?? errorEvent(error)
  const [failure, message] =
    reply instanceof HttpFailure
      ? ofStatus(reply, target)
      : reply
        ? ofConnection(reply, target.provider)
        : ofStream(error, target.provider)
  return providerError(failure, message, redactedCause(reply ?? error, failure, target.apiKey))
}

/** Returns whether a retry may succeed. A name and a certificate stay wrong until somebody corrects them. */
export function isTransient(error: unknown): boolean {
  const reply = findFailure(error)
  if (reply instanceof ConnectionFailure) return reply.kind === 'connect'
  if (!reply || hasNoCredit(reply)) return false
  return [408, 409, 429].includes(reply.status) || reply.status >= 500
}

export function refusedKey(provider: Provider): ProviderError {
  return providerError(...refused(provider))
}

export function timedOut(provider: Provider, hasText: boolean): ProviderError {
  const name = providerLabels[provider]
  return providerError('timeout', hasText ? `${name} stopped responding. The answer is incomplete.` : tooSlow(provider))
}

/** The stream ended in the middle of the answer. */
export function interrupted(provider: Provider, cause?: unknown): ProviderError {
  return providerError('interrupted', `${providerLabels[provider]} disconnected. The answer is incomplete.`, cause)
}

/** The stream ended without text. */
export function emptyAnswer(provider: Provider, stopReason: StopReason | null): ProviderError {
  const name = providerLabels[provider]
  if (stopReason === 'filtered')
    return providerError('declined', `${name} declined to answer this question. Ask it in other words.`)
  if (stopReason === 'length') return providerError(...outputLimit(provider))
  return providerError('unavailable', `${name} gave no answer. Try again later.`)
}

function ofStatus(reply: HttpFailure, { provider, model, apiKey }: ProviderTarget): Sentence {
  const name = providerLabels[provider]
  const { status, code, detail } = reply
  if (status === 404 || code === 'model_not_found' || (status === 400 && /model\b.*\bnot (exist|found)/i.test(detail)))
    return ['unknown-model', 'This model is no longer offered. Choose another in Agent Settings.']
  if (status === 401 || status === 403 || code === 'API_KEY_INVALID' || /api key not valid/i.test(detail))
    return refused(provider)
  if (hasNoCredit(reply))
    return ['rate-limited', `The account at ${name} has no credit left. Top it up there, then try again.`]
  if (isTooLong(reply)) {
    return [
      'context-too-long',
      `The question and its fragments are too long for the model '${model}'. Lower the fragment limit or choose another model in Agent Settings.`,
    ]
  }
  if (/model output limit was reached/i.test(detail)) return outputLimit(provider)
  if (status === 429)
    return [
      'rate-limited',
      `${name} accepts no more requests at the moment. Try again in ${waitOf(reply.retryAfterMs)}.`,
    ]
  if (status === 408) return ['timeout', tooSlow(provider)]
  if (status === 409) return ['unavailable', `${name} is busy with another request. Try again in a moment.`]
  if (status === 529) return ['unavailable', `${name} is overloaded. Try again in a few minutes.`]
  if (status >= 500) return ['unavailable', `${name} is not available at the moment. Try again later.`]
  if (status < 400) return ['unavailable', `The configured address of ${name} redirects. ${checkAddress(provider)}`]
  const said = scrub(detail, apiKey).replace(/\s+/g, ' ').slice(0, 200)
  return ['bad-request', `${name} did not accept the request${said ? `: ${said}` : '. Choose another model.'}`]
}

function ofConnection({ kind, detail }: ConnectionFailure, provider: Provider): Sentence {
  const name = providerLabels[provider]
  const sentences = {
    name: `Could not resolve ${detail}. Check the network or ${provider.toUpperCase()}_BASE_URL.`,
    tls: `The connection to ${name} is not secure: its certificate or protocol was rejected. ${checkAddress(provider)}`,
    connect: `${name} could not be reached. Try again later.`,
    content: `The configured address of ${name} does not speak its protocol. ${checkAddress(provider)}`,
    size: `${name} sent a longer answer than Sitelore accepts. Choose another model in Agent Settings.`,
  }
  return ['unavailable', sentences[kind]]
}

function ofStream(error: unknown, provider: Provider): Sentence {
  const name = providerLabels[provider]
  if (hasCause(error, (cause) => cause instanceof SyntaxError))
    return ['unavailable', `${name} sent an answer that is not valid JSON. ${checkAddress(provider)}`]
  return ['interrupted', `The connection to ${name} broke before the answer arrived. Try again.`]
}

/** Statuses of the errors that providers send inside a stream. */
const eventStatuses: Record<string, number> = {
  invalid_request_error: 400,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  overloaded_error: 529,
}

/** Returns an error event of the stream as the equivalent response; null for other errors. */
function errorEvent(error: unknown): HttpFailure | null {
  if (!(error instanceof Error) || !/APIError|ApiError/.test(error.constructor.name)) return null
  const fields = error as Error & { status?: unknown; error?: unknown; code?: unknown; type?: unknown }
  const { code, detail } = parseError(fields.error ? JSON.stringify(fields.error) : error.message)
  const type = [fields.code, fields.type, code].find((value) => typeof value === 'string' && value in eventStatuses)
  const status = typeof fields.status === 'number' ? fields.status : (eventStatuses[String(type)] ?? 500)
  return new HttpFailure({ status, code: typeof type === 'string' ? type : code, detail })
}

function isTooLong({ status, code, detail }: HttpFailure): boolean {
  if (status === 413 || code === 'context_length_exceeded') return true
  return (
    status === 400 &&
    /maximum context length|context (length|window|size)|prompt is too long|input token count|exceeds? the maximum number of tokens/i.test(
      detail,
    )
  )
}

function hasNoCredit({ status, code, detail }: HttpFailure): boolean {
  return (
    status === 402 || code === 'insufficient_quota' || (status === 400 && /credit balance is too low/i.test(detail))
  )
}

function refused(provider: Provider): Sentence {
  return ['refused-key', `${providerLabels[provider]} rejected the API key. Save a valid key in Agent Settings.`]
}

function outputLimit(provider: Provider): Sentence {
  return [
    'output-limit',
    `${providerLabels[provider]} reached the output token limit before its first word. Raise it in Agent Settings.`,
  ]
}

function tooSlow(provider: Provider): string {
  return `${providerLabels[provider]} took too long to answer. Try again later.`
}

function checkAddress(provider: Provider): string {
  return `The operator must check ${provider.toUpperCase()}_BASE_URL.`
}

function waitOf(ms: number | null): string {
  if (ms === null) return 'a minute'
  const seconds = Math.max(1, Math.ceil(ms / 1_000))
  if (seconds === 1) return 'a second'
  return seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
}

/** The cause for the log, without the provider's text about a refused key, which may quote parts of the key. */
function redactedCause(error: unknown, failure: ProviderFailure, apiKey: string | null): Error {
  if (error instanceof HttpFailure) {
    const detail = failure === 'refused-key' ? '' : `: ${scrub(error.detail, apiKey)}`
    return new Error(`status ${error.status}, code ${error.code ?? 'none'}${detail}`.slice(0, 500))
  }
  return new Error(scrub(causeMessages(error), apiKey).slice(0, 500))
}

function hasCause(error: unknown, matches: (cause: unknown) => boolean): boolean {
  return matches(error) || (error instanceof Error && error.cause !== undefined && hasCause(error.cause, matches))
}

function causeMessages(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${causeMessages(error.cause)}` : error.message
}

function scrub(text: string, apiKey: string | null): string {
  return apiKey ? text.replaceAll(apiKey, '[key]') : text
}
