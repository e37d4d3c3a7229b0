import { createServer, type Server } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createOpenAiModel, type ProviderTimes, providerTimes } from '../../server/adapters/chat-model/openai'
import { apiModelName, defaultBaseUrls } from '../../server/adapters/chat-model/provider-endpoints'
import type { ChatChunk, ChatModel, ChatRequest, ProviderError } from '../../server/engine/ports'
import { isProviderError } from '../../server/errors'
import { type Provider, type ProviderOptions, startProvider } from '../support/provider'
import { startRawServer } from '../support/raw-server'
import { until } from '../support/until'

const key = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789'
/** Long enough for a busy machine; tests of a timeout stop the clock. */
const patient: Partial<ProviderTimes> = { retryMs: 5, maxRetryAfterMs: 50 }

const request: ChatRequest = {
  model: 'gpt-4.1-mini',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Question:\nHow?' },
  ],
  maxOutputTokens: 777,
  apiKey: key,
}

let provider: Provider
let model: ChatModel

function shorten(times: Partial<ProviderTimes>) {
  model = createOpenAiModel({ provider: 'openai', baseUrl: provider.baseUrl, times: { ...patient, ...times } })
}

async function start(options: ProviderOptions = {}) {
  await provider?.close()
  provider = await startProvider(options)
  model = createOpenAiModel({ provider: 'openai', baseUrl: provider.baseUrl, times: patient })
}

beforeEach(() => start())
afterEach(async () => {
  vi.useRealTimers()
  await provider.close()
})

const stopClock = () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })

/** Lets `ms` pass on the stopped clock as soon as the model has yielded `words`, and resolves to the failure. */
async function failureAfter(words: number, ms: number) {
  stopClock()
  const chunks: ChatChunk[] = []
  const failing = failure({}, chunks)
  await until(() => provider.requests.length === 1 && chunks.length === words)
  vi.advanceTimersByTime(ms)
  return failing
}

async function read(
  changes: Partial<ChatRequest> = {},
  signal = new AbortController().signal,
  chunks: ChatChunk[] = [],
) {
  let error: unknown = null
  try {
    for await (const chunk of model.stream({ ...request, ...changes }, signal)) chunks.push(chunk)
  } catch (caught) {
    error = caught
  }
  const text = chunks.map((chunk) => (chunk.kind === 'text' ? chunk.text : '')).join('')
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

/** Everything about an error that a log may contain. */
function logged(error: Error): string {
  return `${error.stack} ${error.cause instanceof Error ? error.cause.stack : ''} ${JSON.stringify(error)}`
}

describe('an answer', () => {
  it('streams the chunks, then the token counts of the provider', async () => {
    provider.next({ kind: 'answer', text: 'Wipe it dry [1].' })
    const { chunks, text, end } = await read()
    expect(text).toBe('Wipe it dry [1].')
    expect(chunks.filter(({ kind }) => kind === 'text')).toHaveLength(4)
    expect(end).toEqual({ kind: 'end', tokensInput: 4, tokensOutput: 4, truncated: false })
  })

  it('is requested with key, model, messages and limit', async () => {
    await read()
    expect(provider.requests).toHaveLength(1)
    expect(provider.requests[0]).toMatchObject({
      authorization: `Bearer ${key}`,
      body: {
        model: 'gpt-4.1-mini',
        messages: request.messages,
        max_tokens: 777,
        stream: true,
        stream_options: { include_usage: true },
      },
    })
  })

  it('is truncated if the provider stops at the token limit', async () => {
    provider.next({ kind: 'answer', text: 'Wipe', finish: 'length' })
    expect((await read()).end).toMatchObject({ truncated: true })
  })

  it('has no token counts if the provider sends none', async () => {
    await start({ usage: 'ignored' })
    expect((await read()).end).toEqual({ kind: 'end', tokensInput: null, tokensOutput: null, truncated: false })
  })

  it('comes from a server that rejects stream_options, which are sent only once', async () => {
    await start({ usage: 'refused' })
    expect((await read()).error).toBeNull()
    expect((await read()).error).toBeNull()
    expect(provider.requests.map(({ body }) => body.stream_options !== undefined)).toEqual([true, false, false])
  })

  it('comes from a server that accepts only the new name of the limit', async () => {
    await start({ refusedLimit: 'max_tokens' })
    expect((await read()).error).toBeNull()
    expect(provider.requests.at(-1)?.body).toMatchObject({ max_completion_tokens: 777 })
  })

  it("is requested by the provider's model name", async () => {
    model = createOpenAiModel({ provider: 'gemini', baseUrl: provider.baseUrl, times: patient })
    await read({ model: '2.5-flash' })
    expect(provider.requests[0]?.body.model).toBe('gemini-2.5-flash')
  })

  it('does not time out while the consumer is slow', async () => {
    stopClock()
    provider.next({ kind: 'answer', text: 'One two three.' })
    const words: string[] = []
    for await (const chunk of model.stream(request, new AbortController().signal)) {
      if (chunk.kind === 'text') words.push(chunk.text)
      if (words.length === 1) vi.advanceTimersByTime(2 * providerTimes.idleMs)
    }
    expect(words.join('')).toBe('One two three.')
  })
})

describe('a failure', () => {
  it.each([
    [401, 'invalid_api_key', 'refused-key', 'OpenAI refused the API key. Save a valid key in Agent Settings.'],
    [403, 'forbidden', 'refused-key', 'OpenAI refused the API key. Save a valid key in Agent Settings.'],
    [
      404,
      'model_not_found',
      'unknown-model',
      "OpenAI does not offer the model 'gpt-4.1-mini' to this key. Choose another model in Agent Settings.",
    ],
    [
      403,
      'model_not_found',
      'unknown-model',
      "OpenAI does not offer the model 'gpt-4.1-mini' to this key. Choose another model in Agent Settings.",
    ],
    [
      402,
      'insufficient_balance',
      'rate-limited',
      'The account at OpenAI has no credit left. Top it up there, then try again.',
    ],
    [
      429,
      'insufficient_quota',
      'rate-limited',
      'The account at OpenAI has no credit left. Top it up there, then try again.',
    ],
    [400, 'context_length_exceeded', 'bad-request', 'OpenAI did not accept the request: said the server'],
  ])('with status %i and code %s is %s and is not retried', async (status, code, kind, message) => {
    provider.next({ kind: 'status', status, error: { message: 'said the server', code } })
    expect(await failure()).toMatchObject({ providerFailure: kind, message, text: '' })
    expect(provider.requests).toHaveLength(1)
  })

  it.each([
    [429, 'rate-limited', 'OpenAI accepts no more requests for now. Try again in a minute.'],
    [500, 'unavailable', 'OpenAI is not available at the moment. Try again later.'],
    [503, 'unavailable', 'OpenAI is not available at the moment. Try again later.'],
  ])('with status %i is retried twice and is then %s', async (status, kind, message) => {
    const step = { kind: 'status', status } as const
    provider.next(step, step, step)
    expect(await failure()).toMatchObject({ providerFailure: kind, message })
    expect(provider.requests).toHaveLength(3)
  })

  it('that is transient is hidden by a retry', async () => {
    provider.next(
      { kind: 'status', status: 503 },
      { kind: 'status', status: 429, headers: { 'retry-after': '0' } },
      { kind: 'answer', text: 'Here.' },
    )
    expect(await read()).toMatchObject({ text: 'Here.', error: null })
  })

  it('with a long Retry-After is not retried', async () => {
    provider.next({ kind: 'status', status: 429, headers: { 'retry-after': '60' } })
    expect(await failure()).toMatchObject({ providerFailure: 'rate-limited' })
    expect(provider.requests).toHaveLength(1)
  })

  it('in the array that Gemini sends is parsed', async () => {
    model = createOpenAiModel({ provider: 'gemini', baseUrl: provider.baseUrl, times: patient })
    const body = [
      { error: { code: 400, message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' } },
    ]
    provider.next({ kind: 'status', status: 400, body })
    expect(await failure()).toMatchObject({
      providerFailure: 'refused-key',
      message: expect.stringContaining('Gemini refused'),
    })
  })

  it('without an error object is parsed', async () => {
    provider.next({
      kind: 'status',
      status: 422,
      body: { detail: [{ loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' }] },
    })
    expect((await read()).error).toBeNull()
    expect(provider.requests[1]?.body.stream_options).toBeUndefined()
  })

  it('to send headers ends at the timeout of the first token', async () => {
    provider.next({ kind: 'hang' })
    expect(await failureAfter(0, providerTimes.firstTokenMs)).toMatchObject({
      providerFailure: 'timeout',
      message: 'OpenAI took too long to answer. Try again later.',
    })
    expect(provider.requests).toHaveLength(1)
    await provider.requests[0]?.closed
  })

  it('to continue ends at the idle timeout and keeps the text', async () => {
    provider.next({ kind: 'stall', words: 2 })
    expect(await failureAfter(2, providerTimes.idleMs)).toMatchObject({
      providerFailure: 'timeout',
      text: 'The fragments',
      message: 'OpenAI stopped in the middle of the answer.',
    })
    await provider.requests[0]?.closed
  })

  it('to finish ends at the total timeout', async () => {
    shorten({ idleMs: 2 * providerTimes.totalMs })
    provider.next({ kind: 'stall', words: 2 })
    const { providerFailure, text } = await failureAfter(2, providerTimes.totalMs)
    expect({ providerFailure, text }).toEqual({ providerFailure: 'timeout', text: 'The fragments' })
    await provider.requests[0]?.closed
  })

  it.each([
    { kind: 'cut', words: 2 } as const,
    { kind: 'unfinished', words: 2 } as const,
    { kind: 'error-event', words: 2, message: 'overloaded' } as const,
  ])('in mid-stream ($kind) is interrupted, keeps the text and is not retried', async (step) => {
    provider.next(step)
    expect(await failure()).toMatchObject({
      providerFailure: 'interrupted',
      text: 'The fragments',
      message: 'The connection to OpenAI broke in the middle of the answer.',
    })
    expect(provider.requests).toHaveLength(1)
  })

  it('to send any text has a message of its own', async () => {
    provider.next(
      { kind: 'answer', text: '' },
      { kind: 'answer', text: '', finish: 'length' },
      { kind: 'answer', text: '', finish: 'content_filter' },
    )
    expect(await failure()).toMatchObject({
      providerFailure: 'unavailable',
      message: 'OpenAI gave no answer. Try again later.',
    })
    expect(await failure()).toMatchObject({
      providerFailure: 'bad-request',
      message: expect.stringContaining('output token limit'),
    })
    expect(await failure()).toMatchObject({
      providerFailure: 'bad-request',
      message: 'OpenAI declined to answer this question.',
    })
  })

  it('to connect is unavailable', async () => {
    const { baseUrl } = provider
    await provider.close()
    model = createOpenAiModel({ provider: 'deepseek', baseUrl, times: patient })
    expect(await failure()).toMatchObject({
      providerFailure: 'unavailable',
      message: 'DeepSeek could not be reached. Try again later.',
    })
  })

  it('to respond in HTTP is unavailable', async () => {
    const server = createServer((socket) => socket.end('220 smtp ready\r\n'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    model = createOpenAiModel({ provider: 'openai', baseUrl: `http://127.0.0.1:${portOf(server)}/v1`, times: patient })
    expect(await failure()).toMatchObject({ providerFailure: 'unavailable' })
    server.close()
  })

  it('is a redirect, which would forward the key', async () => {
    const other = await startProvider()
    provider.next({ kind: 'status', status: 307, headers: { location: `${other.baseUrl}/chat/completions` } })
    expect(await failure()).toMatchObject({
      providerFailure: 'unavailable',
      message: expect.stringContaining('OPENAI_BASE_URL'),
    })
    expect(other.requests).toHaveLength(0)
    await other.close()
  })
})

describe('a key', () => {
  it('is in no message, cause or stack, not even in part', async () => {
    await start({ keys: ['another'] })
    const refused = await failure()
    expect(refused.providerFailure).toBe('refused-key')
    expect(logged(refused)).not.toContain(key.slice(0, 8))
    expect(logged(refused)).not.toContain(key.slice(-4))

    await start()
    provider.next({ kind: 'status', status: 400, error: { message: `cannot use ${key} here` } })
    const bad = await failure()
    expect(bad.message).toBe('OpenAI did not accept the request: cannot use [key] here')
    expect(logged(bad)).not.toContain(key)
  })

  it('that cannot be sent is refused without a request', async () => {
    const refused = await failure({ apiKey: 'sk-ключ\nwith a line' })
    expect(refused.providerFailure).toBe('refused-key')
    expect(logged(refused)).not.toContain('ключ')
    expect(provider.requests).toHaveLength(0)
  })
})

describe('an abort', () => {
  it('before the request sends none', async () => {
    expect(await read({}, AbortSignal.abort())).toMatchObject({ chunks: [], error: null })
    expect(provider.requests).toHaveLength(0)
  })

  it.each([{ kind: 'hang' } as const, { kind: 'stall', words: 3 } as const])(
    'ends a request that would never end ($kind)',
    async (step) => {
      shorten({ firstTokenMs: 600_000, idleMs: 600_000, totalMs: 600_000 })
      provider.next(step)
      const stop = new AbortController()
      const reading = read({}, stop.signal)
      await expect.poll(() => provider.requests.length).toBe(1)
      stop.abort()
      const { error, end } = await reading
      expect({ error, end }).toEqual({ error: null, end: undefined })
      await provider.requests[0]?.closed
    },
  )

  it('ends the delay before a retry', async () => {
    const busy = await startRawServer((socket) =>
      socket.end('HTTP/1.1 503 Busy\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'),
    )
    const baseUrl = `http://127.0.0.1:${busy.port}/v1`
    model = createOpenAiModel({ provider: 'openai', baseUrl, times: { retryMs: 600_000 } })
    const stop = new AbortController()
    const reading = read({}, stop.signal)
    // The connection ends when the model has read the answer.
    await until(() => busy.connections() === 1 && busy.openNow() === 0)
    stop.abort()
    expect(await reading).toMatchObject({ error: null, chunks: [] })
    expect(busy.connections()).toBe(1)
    await busy.close()
  })

  it('by the consumer closes the connection', async () => {
    provider.next({ kind: 'stall', words: 2 })
    for await (const chunk of model.stream(request, new AbortController().signal)) {
      if (chunk.kind === 'text') break
    }
    await provider.requests[0]?.closed
  })
})

describe('the settings', () => {
  it('are the timeouts of the safety rules', () => {
    expect(providerTimes).toMatchObject({ connectMs: 10_000, firstTokenMs: 60_000, idleMs: 30_000, totalMs: 180_000 })
  })

  it('know each provider and pass through unknown model names', () => {
    expect(defaultBaseUrls).toMatchObject({ openai: 'https://api.openai.com/v1', deepseek: 'https://api.deepseek.com' })
    expect(apiModelName('anthropic', 'claude-sonnet-4')).toBe('claude-sonnet-4-20250514')
    expect(apiModelName('gemini', 'gemini-3-pro')).toBe('gemini-3-pro')
    expect(apiModelName('openai', 'constructor')).toBe('constructor')
  })
})

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}
