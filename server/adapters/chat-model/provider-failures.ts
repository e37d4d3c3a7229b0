import { APIConnectionError, APIError } from 'openai'
import { type Provider, providerLabels } from '../../../contract/enumerations'
import type { ProviderError, ProviderFailure } from '../../engine/ports'
import { providerError } from '../../errors'

export interface Asked {
  provider: Provider
  /** The provider's own name of the model. */
  model: string
  /** To be kept out of every message. */
  apiKey: string
}

/** Says in plain words what a failed request means. Neither message nor cause ever holds the key. */
export function failureOf(error: unknown, asked: Asked): ProviderError {
  const { failure, message } = judge(error, asked)
  return providerError(failure, message, withoutKey(error, failure, asked.apiKey))
}

/** A failure that passes by itself, so that asking again may help. */
export function mayPass(error: unknown): boolean {
  if (error instanceof APIConnectionError) return true
  if (!(error instanceof APIError)) return false
  const { status, code } = error
  return status === 408 || (status === 429 && code !== 'insufficient_quota') || (status !== undefined && status >= 500)
}

export function refusedKey(provider: Provider): ProviderError {
  return providerError('refused-key', refusedText(provider))
}

export function tooLate(provider: Provider, textSeen: boolean): ProviderError {
  const name = providerLabels[provider]
  return providerError('timeout', textSeen ? `${name} stopped in the middle of the answer.` : tooSlowText(provider))
}

/** The stream ended in the middle of the answer. */
export function cutOff(provider: Provider, cause?: unknown): ProviderError {
  return providerError(
    'interrupted',
    `The connection to ${providerLabels[provider]} broke in the middle of the answer.`,
    cause,
  )
}

/** The stream ended without a word; `finished` is the reason that the provider gave. */
export function noAnswer(provider: Provider, finished: string | null): ProviderError {
  const name = providerLabels[provider]
  if (finished === 'content_filter') return providerError('bad-request', `${name} declined to answer this question.`)
  if (finished === 'length') {
    return providerError(
      'bad-request',
      `${name} reached the output token limit before its first word. Raise it in Agent Settings.`,
    )
  }
  return providerError('unavailable', `${name} gave no answer. Try again later.`)
}

function judge(error: unknown, { provider, model, apiKey }: Asked): { failure: ProviderFailure; message: string } {
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
    return { failure: 'rate-limited', message: `${name} takes no more requests for now. Try again in a minute.` }
  }
  if (status !== undefined && status < 400) {
    return {
      failure: 'unavailable',
      message: `The address of ${name} leads elsewhere. The operator corrects ${provider.toUpperCase()}_BASE_URL.`,
    }
  }
  if (status === 408) return { failure: 'timeout', message: tooSlowText(provider) }
  if (status === undefined || status >= 500) {
    return { failure: 'unavailable', message: `${name} is not available at the moment. Try again later.` }
  }
  const said = scrub(message, apiKey)
    .replace(/^\d{3} /, '')
    .slice(0, 200)
  return { failure: 'bad-request', message: `${name} did not accept the request: ${said}` }
}

function refusedText(provider: Provider): string {
  return `${providerLabels[provider]} refused the API key. Save a valid key in Agent Settings.`
}

function tooSlowText(provider: Provider): string {
  return `${providerLabels[provider]} took too long to answer. Try again later.`
}

/** For the log. What is said about a refused key quotes parts of it, so it is left out. */
function withoutKey(error: unknown, failure: ProviderFailure, apiKey: string): Error {
  if (error instanceof APIError && !(error instanceof APIConnectionError)) {
    const said = failure === 'refused-key' ? '' : `: ${scrub(error.message, apiKey)}`
    return new Error(`status ${error.status ?? 'none'}, code ${error.code ?? 'none'}${said}`.slice(0, 500))
  }
  return new Error(scrub(deepestMessage(error), apiKey).slice(0, 500))
}

function deepestMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${deepestMessage(error.cause)}` : error.message
}

function scrub(text: string, apiKey: string): string {
  return text.replaceAll(apiKey, '[key]')
}
