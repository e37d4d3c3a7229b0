import { setTimeout as sleep } from 'node:timers/promises'
import OpenAI, { APIError } from 'openai'
import type { Provider } from '../../../contract/enumerations'
import type { ChatChunk, ChatModel, ChatRequest } from '../../engine/ports'
import { isProviderError } from '../../errors'
import { apiModelName, defaultBaseUrls } from './provider-endpoints'
import { type Asked, cutOff, failureOf, mayPass, noAnswer, refusedKey, tooLate } from './provider-failures'
import { createProviderFetch } from './provider-fetch'
import { createWatch, type Watch, type WatchTimes } from './stream-timeouts'

/** Milliseconds. */
export interface ProviderTimes extends WatchTimes {
  connect: number
  /** Before the first repetition; doubled for the second. */
  retry: number
  /** The longest Retry-After that is waited for. */
  longestRetry: number
}

export const providerTimes: ProviderTimes = {
  connect: 10_000,
  firstToken: 60_000,
  idle: 30_000,
  total: 180_000,
  retry: 500,
  longestRetry: 5_000,
}

const attempts = 3

export interface OpenAiOptions {
  provider: Provider
  /** From the operator's configuration; the provider's own address when left out. */
  baseUrl?: string | null
  times?: Partial<ProviderTimes>
}

/** Servers of this protocol differ in two parameters. */
interface Dialect {
  usage: boolean
  limit: 'max_tokens' | 'max_completion_tokens'
}

type Chunks = AsyncIterable<OpenAI.ChatCompletionChunk>

/**
 * A ChatModel by OpenAI's streaming protocol, which all four providers speak. Failures before the first byte that may
 * pass by themselves are repeated at most twice; after it nothing is.
 */
export function createOpenAiModel({ provider, baseUrl, times: changes }: OpenAiOptions): ChatModel {
  const times = { ...providerTimes, ...changes }
  const baseURL = baseUrl ?? defaultBaseUrls[provider]
  const fetch = createProviderFetch({ connectMs: times.connect })
  // Most servers know the old name of the limit only; OpenAI's newer models know the new one only.
  let dialect: Dialect = {
    usage: true,
    limit: baseURL === defaultBaseUrls.openai ? 'max_completion_tokens' : 'max_tokens',
  }

  return { stream }

  async function* stream(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatChunk> {
    if (signal.aborted) return
    const asked: Asked = { provider, model: apiModelName(provider, request.model), apiKey: request.apiKey }
    if (!isHeaderText(request.apiKey)) throw refusedKey(provider)
    const watch = createWatch(signal, times)
    let textSeen = false
    let finished: string | null = null
    let usage: OpenAI.CompletionUsage | null = null
    try {
      for await (const chunk of await open(request, asked, watch)) {
        watch.rest()
        const [choice] = chunk.choices ?? []
        const text = choice?.delta?.content || choice?.delta?.refusal
        if (text) {
          textSeen = true
          yield { kind: 'text', text }
        }
        finished = choice?.finish_reason ?? finished
        usage = chunk.usage ?? usage
        watch.resume(textSeen)
      }
      // The SDK ends an aborted stream as if it were complete.
      if (signal.aborted) return
      if (watch.late()) throw tooLate(provider, textSeen)
      if (!textSeen) throw noAnswer(provider, finished)
      if (!finished) throw cutOff(provider)
    } catch (error) {
      if (signal.aborted) return
      if (isProviderError(error)) throw error
      if (watch.late()) throw tooLate(provider, textSeen)
      const failure = failureOf(error, asked)
      throw textSeen ? cutOff(provider, failure.cause) : failure
    } finally {
      watch.end()
    }
    yield {
      kind: 'end',
      tokensInput: usage?.prompt_tokens ?? null,
      tokensOutput: usage?.completion_tokens ?? null,
      truncated: finished === 'length',
    }
  }

  /** Resolves when the head of a good answer is there. */
  async function open(request: ChatRequest, asked: Asked, watch: Watch): Promise<Chunks> {
    let spoken = dialect
    for (let attempt = 1; ; ) {
      try {
        const chunks = await ask(request, asked, spoken, watch.signal)
        dialect = spoken
        return chunks
      } catch (error) {
        if (watch.signal.aborted) throw error
        const other = otherDialect(spoken, error)
        if (other) {
          spoken = other
          continue
        }
        const pause = attempt < attempts && mayPass(error) ? pauseBefore(attempt++, error, times) : null
        if (pause === null) throw error
        await sleep(pause, undefined, { signal: watch.signal })
      }
    }
  }

  function ask(
    request: ChatRequest,
    { model, apiKey }: Asked,
    { usage, limit }: Dialect,
    signal: AbortSignal,
  ): Promise<Chunks> {
    const client = new OpenAI({
      apiKey,
      baseURL,
      fetch,
      timeout: times.total,
      maxRetries: 0,
      // The SDK itself takes nothing from the environment and writes nothing to the console.
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

/** Another way to put the request when the server named the parameter that it does not know; null when there is none. */
function otherDialect(spoken: Dialect, error: unknown): Dialect | null {
  if (!(error instanceof APIError) || (error.status !== 400 && error.status !== 422)) return null
  if (spoken.limit === 'max_tokens' && /max_completion_tokens/.test(error.message))
    return { ...spoken, limit: 'max_completion_tokens' }
  if (spoken.usage && /stream_options|include_usage/.test(error.message)) return { ...spoken, usage: false }
  return null
}

/** Milliseconds, or null when the server wants a longer wait than a person has. */
function pauseBefore(attempt: number, error: unknown, times: ProviderTimes): number | null {
  const header = error instanceof APIError ? error.headers?.get('retry-after') : null
  const asked = header ? Number(header) * 1_000 : Number.NaN
  if (Number.isNaN(asked)) return times.retry * 2 ** (attempt - 1)
  return asked <= times.longestRetry ? asked : null
}

/** What cannot stand in a header cannot be a key, and the SDK would quote it. */
function isHeaderText(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text)
}
