import { afterEach, beforeEach, expect, vi } from 'vitest'
import type { Provider as ProviderName } from '../../../contract/values/enumerations'
import { createChatModel, type ProviderTimes } from '../../../server/adapters/chat-model/chat-model'
import type { ChatChunk, ChatModel, ChatRequest, ProviderError } from '../../../server/engine/ports/chat-model'
import { isProviderError } from '../../../server/errors'
import { until } from '../until'
import { type Provider, type ProviderOptions, startProvider } from './provider'

export const chatKey = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789'

/** Long enough for a busy machine; tests of a timeout stop the clock. */
const patient: Partial<ProviderTimes> = { retryMs: 5, maxRetryAfterMs: 50 }

export const chatRequest: ChatRequest = {
  model: 'some-model',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Question:\nHow?' },
  ],
  maxOutputTokens: 777,
  apiKey: chatKey,
}

interface Read {
  chunks: ChatChunk[]
  text: string
  end: ChatChunk | undefined
  error: unknown
}

/** The adapter of `name`, and for each test a new server that speaks its protocol. */
export function chatModelWorld(name: ProviderName) {
  let provider: Provider
  let model: ChatModel

  async function start(options: ProviderOptions = {}) {
    await provider?.close()
    provider = await startProvider(options)
    configure({})
  }

  function configure(times: Partial<ProviderTimes>, baseUrl = provider.baseUrls[name]) {
    model = createChatModel({ provider: name, baseUrl, times: { ...patient, ...times } })
  }

  beforeEach(() => start())
  afterEach(async () => {
    vi.useRealTimers()
    await provider.close()
  })

  async function read(
    changes: Partial<ChatRequest> = {},
    signal = new AbortController().signal,
    chunks: ChatChunk[] = [],
  ): Promise<Read> {
    let error: unknown = null
    try {
      for await (const chunk of model.stream({ ...chatRequest, ...changes }, signal)) chunks.push(chunk)
    } catch (caught) {
      error = caught
    }
    const discarded = chunks.findLastIndex(({ kind }) => kind === 'discard')
    const text = chunks
      .slice(discarded + 1)
      .map((chunk) => (chunk.kind === 'text' ? chunk.text : ''))
      .join('')
    return { chunks, text, end: chunks.find((chunk) => chunk.kind === 'end'), error }
  }

  async function failure(
    changes: Partial<ChatRequest> = {},
    chunks: ChatChunk[] = [],
  ): Promise<ProviderError & { text: string }> {
    const { error, text, end } = await read(changes, undefined, chunks)
    expect(end).toBeUndefined()
    if (!isProviderError(error)) throw new Error('no ProviderError', { cause: error })
    return Object.assign(error, { text })
  }

  /** Lets `ms` pass on the stopped clock as soon as `isReady`, and resolves to the outcome. */
  async function readAfter(ms: number, isReady: (chunks: ChatChunk[]) => boolean): Promise<Read> {
    stopClock()
    const chunks: ChatChunk[] = []
    const reading = read({}, undefined, chunks)
    await until(() => provider.requests.length === 1 && isReady(chunks))
    vi.advanceTimersByTime(ms)
    return reading
  }

  return {
    get provider() {
      return provider
    },
    get model() {
      return model
    },
    start,
    configure,
    read,
    failure,
    readAfter,
  }
}

export const stopClock = () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })

/** Everything about an error that a log may contain. */
export function logged(error: Error): string {
  return `${error.stack} ${error.cause instanceof Error ? error.cause.stack : ''} ${JSON.stringify(error)}`
}
