import { APIConnectionError, APIError } from 'openai'
import { type Provider, providerLabels } from '../../../contract/enumerations'
import type { ProviderError, ProviderFailure } from '../../engine/ports'
import { providerError } from '../../errors'

export interface ProviderRequest {
  provider: Provider
  /** The provider's own name of the model. */
  model: string
  /** Redacted from every message. */
  apiKey: string
}

/** Converts the error of a failed request. Neither its message nor its cause contains the key. */
export function toProviderError(error: unknown, request: ProviderRequest): ProviderError {
  const { failure, message } = classify(error, request)
  return providerError(failure, message, redactedCause(error, failure, request.apiKey))
}

/** Returns whether a retry may succeed. */
export function isTransient(error: unknown): boolean {
  if (error instanceof APIConnectionError) return true
  if (!(error instanceof APIError)) return false
  const { status, code } = error
  return status === 408 || (status === 429 && code !== 'insufficient_quota') || (status !== undefined && status >= 500)
}

export function refusedKey(provider: Provider): ProviderError {
  return providerError('refused-key', refusedText(provider))
}

export function timedOut(provider: Provider, hasText: boolean): ProviderError {
  const name = providerLabels[provider]
  return providerError('timeout', hasText ? `${name} stopped in the middle of the answer.` : tooSlowText(provider))
}

/** The stream ended before the answer was complete. */
export function interrupted(provider: Provider, cause?: unknown): ProviderError {
  return providerError(
    'interrupted',
    `The connection to ${providerLabels[provider]} broke in the middle of the answer.`,
    cause,
  )
}

/** The stream ended without text; `finishReason` is the provider's reason. */
export function emptyAnswer(provider: Provider, finishReason: string | null): ProviderError {
  const name = providerLabels[provider]
  if (finishReason === 'content_filter')
    return providerError('bad-request', `${name} declined to answer this question.`)
  if (finishReason === 'length') {
    return providerError(
      'bad-request',
      `${name} reached the output token limit before its first word. Raise it in Agent Settings.`,
    )
  }
  return providerError('unavailable', `${name} gave no answer. Try again later.`)
}

function classify(
  error: unknown,
  { provider, model, apiKey }: ProviderRequest,
): { failure: ProviderFailure; message: string } {
  const name = providerLabels[provider]
  if (!(error instanceof APIError) || error instanceof APIConnectionError) {
    return { failure: 'unavailable', message: `${name} could not be reached. Try again later.` }
  }
  const { status, code, message } = error
  if (
    status === 404 ||
    code === 'model_not_found' ||
    (status === 400 && /model\b.*\bnot (exist|found)/i.test(message))
  ) {
    return {
      failure: 'unknown-model',
      message: `${name} does not offer the model '${model}' to this key. Choose another model in Agent Settings.`,
    }
  }
  if (status === 401 || status === 403 || (status === 400 && /api key not valid|api_key_invalid/i.test(message))) {
    return { failure: 'refused-key', message: refusedText(provider) }
  }
  if (status === 402 || code === 'insufficient_quota') {
    return {
      failure: 'rate-limited',
      message: `The account at ${name} has no credit left. Top it up there, then try again.`,
    }
  }
  if (status === 429) {
    return { failure: 'rate-limited', message: `${name} accepts no more requests for now. Try again in a minute.` }
  }
  if (status !== undefined && status < 400) {
    return {
      failure: 'unavailable',
      message: `The configured address of ${name} redirects. The operator must correct ${provider.toUpperCase()}_BASE_URL.`,
    }
  }
  if (status === 408) return { failure: 'timeout', message: tooSlowText(provider) }
  if (status === undefined || status >= 500) {
    return { failure: 'unavailable', message: `${name} is not available at the moment. Try again later.` }
  }
  const detail = scrub(message, apiKey)
    .replace(/^\d{3} /, '')
    .slice(0, 200)
  return { failure: 'bad-request', message: `${name} did not accept the request: ${detail}` }
}

function refusedText(provider: Provider): string {
  return `${providerLabels[provider]} refused the API key. Save a valid key in Agent Settings.`
}

function tooSlowText(provider: Provider): string {
  return `${providerLabels[provider]} took too long to answer. Try again later.`
}

/** The cause for the log, without the provider's text about a refused key, which may quote parts of the key. */
function redactedCause(error: unknown, failure: ProviderFailure, apiKey: string): Error {
  if (error instanceof APIError && !(error instanceof APIConnectionError)) {
    const detail = failure === 'refused-key' ? '' : `: ${scrub(error.message, apiKey)}`
    return new Error(`status ${error.status ?? 'none'}, code ${error.code ?? 'none'}${detail}`.slice(0, 500))
  }
  return new Error(scrub(causeMessages(error), apiKey).slice(0, 500))
}

function causeMessages(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${causeMessages(error.cause)}` : error.message
}

function scrub(text: string, apiKey: string): string {
  return text.replaceAll(apiKey, '[key]')
}
