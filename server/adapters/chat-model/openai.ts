import { setTimeout as sleep } from 'node:timers/promises'
import OpenAI, { APIError } from 'openai'
import type { Provider } from '../../../contract/enumerations'
import type { ChatChunk, ChatModel, ChatRequest } from '../../engine/ports'
import { isProviderError } from '../../errors'
import { apiModelName, defaultBaseUrls } from './provider-endpoints'
import {
  emptyAnswer,
  interrupted,
  isTransient,
  type ProviderRequest,
  refusedKey,
  timedOut,
  toProviderError,
} from './provider-failures'
import { createProviderFetch } from './provider-fetch'
import { createStreamTimer, type StreamTimeouts, type StreamTimer } from './stream-timeouts'

export interface ProviderTimes extends StreamTimeouts {
  connectMs: number
  /** Delay before the first retry; doubled for the second. */
  retryMs: number
  /** A longer Retry-After is not waited for. */
  maxRetryAfterMs: number
}

export const providerTimes: ProviderTimes = {
  connectMs: 10_000,
  firstTokenMs: 60_000,
  idleMs: 30_000,
  totalMs: 180_000,
  retryMs: 500,
  maxRetryAfterMs: 5_000,
}

const maxAttempts = 3

export interface OpenAiOptions {
  provider: Provider
  /** From the operator's configuration; defaults to the provider's public API. */
  baseUrl?: string | null
  times?: Partial<ProviderTimes>
}

/** The two parameters in which servers of the protocol differ. */
interface Dialect {
  usage: boolean
  limit: 'max_tokens' | 'max_completion_tokens'
}

type Chunks = AsyncIterable<OpenAI.ChatCompletionChunk>

/**
 * Creates a ChatModel for OpenAI's streaming protocol, which all four providers support. Retries transient failures
 * before the first byte at most twice, and never after it.
 */
export function createOpenAiModel({ provider, baseUrl, times: changes }: OpenAiOptions): ChatModel {
  const times = { ...providerTimes, ...changes }
  const baseURL = baseUrl ?? defaultBaseUrls[provider]
  const fetch = createProviderFetch({ connectMs: times.connectMs })
  // Most servers accept only the old name of the limit, OpenAI's newer models only the new one.
  let dialect: Dialect = {
    usage: true,
    limit: baseURL === defaultBaseUrls.openai ? 'max_completion_tokens' : 'max_tokens',
  }

  return { stream }

  async function* stream(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatChunk> {
    if (signal.aborted) return
    const target: ProviderRequest = { provider, model: apiModelName(provider, request.model), apiKey: request.apiKey }
    if (!isHeaderValue(request.apiKey)) throw refusedKey(provider)
    const timer = createStreamTimer(signal, times)
    let hasText = false
    let finishReason: string | null = null
    let usage: OpenAI.CompletionUsage | null = null
    try {
      for await (const chunk of await openStream(request, target, timer)) {
        timer.pause()
        const [choice] = chunk.choices ?? []
        const text = choice?.delta?.content || choice?.delta?.refusal
        if (text) {
          hasText = true
          yield { kind: 'text', text }
        }
        finishReason = choice?.finish_reason ?? finishReason
        usage = chunk.usage ?? usage
        timer.resume(hasText)
      }
      // The SDK ends an aborted stream as if it were complete.
      if (signal.aborted) return
      if (timer.isExpired()) throw timedOut(provider, hasText)
      if (!hasText) throw emptyAnswer(provider, finishReason)
      if (!finishReason) throw interrupted(provider)
    } catch (error) {
      if (signal.aborted) return
      if (isProviderError(error)) throw error
      if (timer.isExpired()) throw timedOut(provider, hasText)
      const failure = toProviderError(error, target)
      throw hasText ? interrupted(provider, failure.cause) : failure
    } finally {
      timer.close()
    }
    yield {
      kind: 'end',
      tokensInput: usage?.prompt_tokens ?? null,
      tokensOutput: usage?.completion_tokens ?? null,
      truncated: finishReason === 'length',
    }
  }

  /** Resolves when the headers of a successful response have arrived. */
  async function openStream(request: ChatRequest, target: ProviderRequest, timer: StreamTimer): Promise<Chunks> {
    let current = dialect
    for (let attempt = 1; ; ) {
      try {
        const chunks = await send(request, target, current, timer.signal)
        dialect = current
        return chunks
      } catch (error) {
        if (timer.signal.aborted) throw error
        const fallback = fallbackDialect(current, error)
        if (fallback) {
          current = fallback
          continue
        }
        const delayMs = attempt < maxAttempts && isTransient(error) ? retryDelayMs(attempt++, error, times) : null
        if (delayMs === null) throw error
        await sleep(delayMs, undefined, { signal: timer.signal })
      }
    }
  }

  function send(
    request: ChatRequest,
    { model, apiKey }: ProviderRequest,
    { usage, limit }: Dialect,
    signal: AbortSignal,
  ): Promise<Chunks> {
    const client = new OpenAI({
      apiKey,
      baseURL,
      fetch,
      timeout: times.totalMs,
      maxRetries: 0,
      // Keeps the SDK from reading the environment and from writing to the console.
      organization: null,
      project: null,
      adminAPIKey: null,
      webhookSecret: null,
      logLevel: 'off',
    })
    return client.chat.completions.create(
      {
        model,
        messages: request.messages,
        [limit]: request.maxOutputTokens,
        stream: true,
        ...(usage ? { stream_options: { include_usage: true } } : {}),
      },
      { signal },
    )
  }
}

/** Returns the dialect without the parameter that the error names as unknown; null if there is none. */
function fallbackDialect(current: Dialect, error: unknown): Dialect | null {
  if (!(error instanceof APIError) || (error.status !== 400 && error.status !== 422)) return null
  if (current.limit === 'max_tokens' && /max_completion_tokens/.test(error.message))
    return { ...current, limit: 'max_completion_tokens' }
  if (current.usage && /stream_options|include_usage/.test(error.message)) return { ...current, usage: false }
  return null
}

/** Returns milliseconds, or null if the server asks for a longer delay than a person would wait for. */
function retryDelayMs(attempt: number, error: unknown, times: ProviderTimes): number | null {
  const header = error instanceof APIError ? error.headers?.get('retry-after') : null
  const retryAfterMs = header ? Number(header) * 1_000 : Number.NaN
  if (Number.isNaN(retryAfterMs)) return times.retryMs * 2 ** (attempt - 1)
  return retryAfterMs <= times.maxRetryAfterMs ? retryAfterMs : null
}

/** A key that is not a valid header value is rejected here, because the SDK's error would quote it. */
function isHeaderValue(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text)
}
