import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Provider } from '../../../contract/values/enumerations'
import type { ChatChunk, ChatModel, ChatRequest } from '../../engine/ports/chat-model'
import { isProviderError } from '../../errors'
import { isHeaderValue } from './header-value'
import { findFailure, HttpFailure } from './http-failure'
import { openAnthropicStream } from './protocols/anthropic-protocol'
import { fallbackDialect, initialDialect } from './protocols/dialect'
import { openGeminiStream } from './protocols/gemini-protocol'
import { openOpenAiStream } from './protocols/openai-protocol'
import type { Dialect, Protocol, StreamPart } from './protocols/protocol'
import { apiModelName, defaultBaseUrls } from './provider-endpoints'
import {
  emptyAnswer,
  interrupted,
  isTransient,
  type ProviderTarget,
  refusedKey,
  timedOut,
  toProviderError,
} from './provider-failures'
import { createProviderFetch, withoutKey } from './provider-fetch'
import { createReasoningFilter } from './reasoning-filter'
import { createStreamTimer, type StreamTimeouts, type StreamTimer } from './stream-timeouts'

export interface ProviderTimes extends StreamTimeouts {
  connectMs: number
  /** Delay before the first retry; doubled for the second. */
  retryMs: number
  /** A longer Retry-After is not waited for: the person sees at once when to ask again. */
  maxRetryAfterMs: number
}

export const providerTimes: ProviderTimes = {
  connectMs: 10_000,
  firstTokenMs: 60_000,
  idleMs: 30_000,
  afterStopMs: 1_000,
  totalMs: 180_000,
  retryMs: 250,
  maxRetryAfterMs: 400,
}

const maxAttempts = 3

/** A model that does not stop at its token limit is stopped here. */
const maxAnswerBytes = 1_000_000
/** Three times the limit, at 4 characters a token. */
const maxCharactersPerToken = 3 * 4

/** Models of which rejected parameters, and reasoning without an opening tag, are remembered. */
const maxRemembered = 200

const protocols: Record<Provider, Protocol> = {
  openai: openOpenAiStream,
  anthropic: openAnthropicStream,
  gemini: openGeminiStream,
  deepseek: openOpenAiStream,
}

export interface ChatModelOptions {
  provider: Provider
  /** Base address from the operator's configuration; defaults to the provider's public API. */
  baseUrl?: string | null
  times?: Partial<ProviderTimes>
}

/**
 * Creates the ChatModel of a provider. Retries transient failures before the first byte at most twice, and never after
 * it. Asks again without a parameter that the model rejects, and remembers that. Drops reasoning.
 */
export function createChatModel({ provider, baseUrl: configured, times: changes }: ChatModelOptions): ChatModel {
  const times = { ...providerTimes, ...changes }
  const baseUrl = configured ?? defaultBaseUrls[provider]
  const guardedFetch = createProviderFetch({ connectMs: times.connectMs })
  const dialects = new LRUCache<string, Dialect>({ max: maxRemembered })
  /** Models whose last answer began with reasoning that no opening tag marked. */
  const untaggedReasoning = new LRUCache<string, true>({ max: maxRemembered })

  return { stream }

  async function* stream(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatChunk> {
    if (signal.aborted) return
    const target: ProviderTarget = {
      provider,
      model: apiModelName(provider, request.model),
      apiKey: request.apiKey,
    }
    if (request.apiKey !== null && !isHeaderValue(request.apiKey)) throw refusedKey(provider)
    const timer = createStreamTimer(signal, times)
    const reasoning = createReasoningFilter({ startsInReasoning: untaggedReasoning.has(target.model) })
    const end: Omit<StreamPart, 'text' | 'isReasoning'> = {}
    let hasText = false
    let hasProgress = false
    const room = createAnswerRoom(request.maxOutputTokens)
    try {
      for await (const { text: sent = '', isReasoning, ...facts } of await openStream(request, target, timer)) {
        timer.pause()
        Object.assign(end, facts)
        const text = room.take(sent)
        hasProgress ||= text !== '' || isReasoning === true
        const { text: visible, discardsEarlier } = reasoning.push(text)
        if (discardsEarlier) {
          untaggedReasoning.set(target.model, true)
          if (hasText) yield { kind: 'discard' }
          hasText = false
        }
        const answer = hasText ? visible : visible.trimStart()
        if (answer !== '') {
          hasText = true
          yield { kind: 'text', text: answer }
        }
        if (room.isExceeded()) {
          end.stopReason = 'length'
          break
        }
        timer.resume({ hasProgress, hasStopped: Boolean(end.stopReason) })
      }
      const rest = reasoning.flush(end.stopReason === 'complete')
      if (rest !== '' && !timer.signal.aborted) {
        // Reasoning may be switched off now: the next answer is streamed as it arrives.
        if (!hasText) untaggedReasoning.delete(target.model)
        hasText = true
        yield { kind: 'text', text: rest }
      }
    } catch (error) {
      if (signal.aborted) return
      if (!hasText || !end.stopReason) {
        if (timer.isExpired()) throw timedOut(provider, hasText)
        const failure = isProviderError(error) ? error : toProviderError(error, target)
        throw hasText ? interrupted(provider, failure.cause) : failure
      }
    } finally {
      timer.close()
    }
    // The SDKs end an aborted stream as if it were complete.
    if (signal.aborted) return
    const { stopReason = null, tokensInput = null, tokensOutput = null, responseId = null } = end
    if (timer.isExpired() && !stopReason) throw timedOut(provider, hasText)
    if (!hasText) throw emptyAnswer(provider, stopReason)
    if (!stopReason) throw interrupted(provider)
    yield { kind: 'end', stopReason, tokensInput, tokensOutput, responseId }
  }

  /** Resolves when the headers of a successful response have arrived. */
  async function openStream(
    { messages, maxOutputTokens }: ChatRequest,
    { model, apiKey }: ProviderTarget,
    { signal }: StreamTimer,
  ): Promise<AsyncIterable<StreamPart>> {
    const common = {
      baseUrl,
      fetch: apiKey === null ? withoutKey(guardedFetch) : guardedFetch,
      apiKey: apiKey ?? 'none',
      model,
      messages,
      maxOutputTokens,
      signal,
    }
    const first = dialects.get(model) ?? initialDialect(baseUrl)
    const tried = new Set([JSON.stringify(first)])
    let dialect = first
    for (let attempt = 1; ; ) {
      try {
        const parts = await protocols[provider]({ ...common, dialect })
        if (dialect !== first) dialects.set(model, dialect)
        return parts
      } catch (error) {
        if (signal.aborted) throw error
        const reply = findFailure(error)
        const fallback = reply instanceof HttpFailure ? fallbackDialect(dialect, reply) : null
        if (fallback && !tried.has(JSON.stringify(fallback))) {
          tried.add(JSON.stringify(fallback))
          dialect = fallback
          continue
        }
        const retryAfterMs = reply instanceof HttpFailure ? reply.retryAfterMs : null
        const delayMs = retryAfterMs ?? times.retryMs * 2 ** (attempt - 1)
        const isTooLate = retryAfterMs !== null && retryAfterMs > times.maxRetryAfterMs
        if (attempt++ >= maxAttempts || isTooLate || !isTransient(error)) throw error
        await sleep(delayMs, undefined, { signal })
      }
    }
  }
}

/** Bounds the text of an answer, including its reasoning. */
function createAnswerRoom(maxOutputTokens: number) {
  let characters = maxOutputTokens * maxCharactersPerToken
  let bytes = maxAnswerBytes
  let isExceeded = false
  return {
    /** Returns the beginning of the text for which there is room. */
    take(text: string): string {
      const fitting = Buffer.from(text.slice(0, Math.max(0, characters))).subarray(0, bytes)
      // A character that is cut in the middle is dropped.
      const taken = fitting.toString().replace(/\uFFFD$/, '')
      isExceeded ||= taken.length < text.length
      characters -= text.length
      bytes -= fitting.length
      return taken
    },
    isExceeded: () => isExceeded,
  }
}
