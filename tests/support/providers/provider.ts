import { setMaxListeners } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Provider as ProviderName } from '../../../contract/values/enumerations'
import { answerFrom } from './provider-answer'
import {
  countWords,
  type ErrorReply,
  type Finish,
  openaiProtocol,
  type ReadRequest,
  type WireProtocol,
  wireProtocols,
} from './provider-protocols'

/** Where a connection breaks: before the response, before its first event, within an event, between two, before its end. */
export type Cut = 'response' | 'first-event' | 'event' | 'between-events' | 'end'

/** What the server does with one request. */
export type ProviderStep =
  /** A streamed answer; without `text` it is made from the fragments in the prompt and cites them. */
  | {
      kind: 'answer'
      /** Streamed word by word. */
      text?: string
      /** Streamed as they are, in place of `text`. */
      deltas?: string[]
      /** Streamed before the text. */
      reasoning?: string[]
      /** Before the first byte, ms. */
      delayMs?: number
      /** Between words, ms. */
      chunkDelayMs?: number
      finish?: Finish
      /** The response stays open after its last event. */
      neverEnds?: boolean
    }
  /** An error as a body of JSON. `error` goes into the protocol's shape, `body` is sent as it is. */
  | {
      kind: 'status'
      status: number
      error?: { message: string; code?: string }
      body?: unknown
      headers?: Record<string, string>
    }
  /** These bytes, then the end of the response. */
  | { kind: 'raw'; body: string; contentType?: string }
  /** No head is ever sent. */
  | { kind: 'hang' }
  /** A head, then comments without end. */
  | { kind: 'drip'; chunkDelayMs: number }
  /** Some words, then silence on an open connection; reasoning first. */
  | { kind: 'stall'; words: number; reasoning?: string[] }
  /** Some words, then the connection is destroyed. */
  | { kind: 'cut'; words: number; at?: Cut }
  /** Some words, then a proper end of the response without a finish reason. */
  | { kind: 'unfinished'; words: number }
  /** Some words, then an error inside the stream. */
  | { kind: 'error-event'; words: number; message: string }

export interface ProviderRequest extends ReadRequest {
  path: string
  headers: Record<string, string | string[] | undefined>
  body: {
    stream_options?: { include_usage?: boolean }
    max_tokens?: number
    max_completion_tokens?: number
    temperature?: number
    generationConfig?: { maxOutputTokens?: number; temperature?: number; thinkingConfig?: object }
  } & Record<string, unknown>
  /** Resolves when the connection of this request is closed, by whichever side. */
  closed: Promise<void>
}

export interface ProviderOptions {
  /** 0, the default, takes a free one. */
  port?: number
  /** Keys that are accepted; without it any key is, and none. */
  keys?: string[]
  /** Models that exist; without it all do. */
  models?: string[]
  /** Whether stream_options is understood, overlooked, or answered with 400. */
  usage?: 'sent' | 'ignored' | 'refused'
  /** A parameter that is answered with 400. */
  refused?: 'max_tokens' | 'max_completion_tokens' | 'temperature' | 'thinkingConfig'
  /** What is done without a scripted step: an answer, unless said. */
  otherwise?: ProviderStep
  /** Called for each request, for a log. */
  onRequest?(request: ProviderRequest): void
}

export interface Provider {
  /** The value of OPENAI_BASE_URL. */
  baseUrl: string
  /** The values of each <PROVIDER>_BASE_URL. */
  baseUrls: Record<ProviderName, string>
  /** Every request for an answer, in order. */
  requests: ProviderRequest[]
  /** Whether the moderation answers. 'missing': the server has none. */
  moderation: 'up' | 'down' | 'missing'
  /** A key that has no access to the moderation's model. */
  keyWithoutModeration: string | null
  /** The Authorization header of each request to the moderation, in order. */
  moderationKeys: (string | undefined)[]
  /** The next requests are served by these steps, one each; then `otherwise` goes on. */
  next(...steps: ProviderStep[]): void
  close(): Promise<void>
}

/** Starts a model provider on 127.0.0.1 that speaks the streaming protocols of OpenAI, DeepSeek, Anthropic and Gemini. */
export async function startProvider(options: ProviderOptions = {}): Promise<Provider> {
  const steps: ProviderStep[] = []
  const requests: ProviderRequest[] = []
  const stop = new AbortController()
  // Each answer that waits adds a listener.
  setMaxListeners(0, stop.signal)

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch((error: unknown) => {
      if (!stop.signal.aborted && !response.destroyed) response.destroy(error as Error)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo

  /** Flags what contains the word 'harmful'. */
  async function moderate(incoming: IncomingMessage, response: ServerResponse) {
    const { input, model } = JSON.parse(await bodyOf(incoming))
    provider.moderationKeys.push(incoming.headers.authorization)
    if (provider.moderation === 'down') return refuse(openaiProtocol, response, { status: 503, message: 'down' })
    if (provider.moderation === 'missing')
      return refuse(openaiProtocol, response, { status: 404, message: 'not found' })
    if (incoming.headers.authorization === `Bearer ${provider.keyWithoutModeration}`) {
      return refuse(openaiProtocol, response, {
        status: 404,
        code: 'model_not_found',
        message: `No access to ${model}`,
      })
    }
    const flagged = /harmful/i.test(input)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ id: 'modr-1', model, results: [{ flagged, categories: { violence: flagged } }] }))
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse) {
    const path = incoming.url ?? ''
    if (incoming.method === 'POST' && path.endsWith('/moderations')) return moderate(incoming, response)
    const protocol = wireProtocols.find((candidate) => candidate.matches(path))
    if (incoming.method !== 'POST' || !protocol) {
      const message = `Unknown request URL: ${incoming.method} ${path}`
      return refuse(openaiProtocol, response, { status: 404, message })
    }
    const body = JSON.parse(await bodyOf(incoming))
    const request: ProviderRequest = {
      ...protocol.read(incoming, path, body),
      path,
      headers: incoming.headers,
      body,
      closed: new Promise((resolve) => response.once('close', resolve)),
    }
    requests.push(request)
    options.onRequest?.(request)
    const refusal = refusalOf(request, options)
    if (refusal) return refuse(protocol, response, refusal)
    await play(steps.shift() ?? options.otherwise ?? { kind: 'answer' }, protocol, request, response)
  }

  async function play(step: ProviderStep, protocol: WireProtocol, request: ProviderRequest, response: ServerResponse) {
    const { signal } = stop
    if (step.kind === 'hang') return
    if (step.kind === 'status') {
      const { status, error = { message: 'Scripted' } } = step
      response.writeHead(status, { 'content-type': 'application/json', ...step.headers })
      response.end(JSON.stringify(step.body ?? protocol.errorBody({ status, ...error })))
      return
    }
    if (step.kind === 'cut' && step.at === 'response') return void response.destroy()
    if (step.kind === 'answer' && step.delayMs) await sleep(step.delayMs, undefined, { signal })
    const type = step.kind === 'raw' ? (step.contentType ?? 'text/event-stream') : 'text/event-stream; charset=utf-8'
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache' })
    if (step.kind === 'raw') return void response.end(step.body)
    response.flushHeaders()
    if (step.kind === 'drip') {
      for (;;) {
        response.write(': waiting\n\n')
        await sleep(step.chunkDelayMs, undefined, { signal })
      }
    }
    const send = (text: string) => void (text && response.write(text))
    const cut = async () => {
      // What was written must have left before the connection breaks.
      await sleep(20, undefined, { signal })
      response.destroy()
    }
    if (step.kind === 'cut' && step.at === 'first-event') return cut()
    const events = protocol.writer(request)
    const words =
      step.kind === 'answer' && step.deltas
        ? step.deltas
        : ((step.kind === 'answer' && step.text !== undefined ? step.text : answerFrom(request.messages)).match(
            /\s*\S+/g,
          ) ?? [])
    send(events.start())
    if ('reasoning' in step) for (const text of step.reasoning ?? []) send(events.reasoning(text))
    for (const word of step.kind === 'answer' ? words : words.slice(0, step.words)) {
      send(events.text(word))
      if (step.kind === 'answer' && step.chunkDelayMs) await sleep(step.chunkDelayMs, undefined, { signal })
    }
    if (step.kind === 'stall') return
    const tokens = { input: countWords(request.messages), output: words.length }
    const wantsTokens = request.protocol !== 'openai' || request.body.stream_options?.include_usage
    const stopEvents = (finish: Finish) =>
      events.stop(finish, wantsTokens && options.usage !== 'ignored' ? tokens : null)
    if (step.kind === 'cut') {
      if (step.at === 'event') send(events.text(' more').slice(0, -5))
      if (step.at === 'end') send(stopEvents('stop'))
      await cut()
    } else if (step.kind === 'unfinished') response.end()
    else if (step.kind === 'error-event') response.end(events.error(step.message))
    else {
      send(stopEvents(step.finish ?? 'stop'))
      send(events.end())
      if (!step.neverEnds) response.end()
    }
  }

  const origin = `http://127.0.0.1:${port}`
  const provider: Provider = {
    baseUrl: `${origin}/v1`,
    baseUrls: { openai: `${origin}/v1`, anthropic: origin, gemini: origin, deepseek: `${origin}/v1` },
    requests,
    moderation: 'up',
    keyWithoutModeration: null,
    moderationKeys: [],
    next: (...more) => void steps.push(...more),
    async close() {
      stop.abort()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
  return provider
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

function refusalOf(
  { protocol, key, model, body }: ProviderRequest,
  { keys, models, usage, refused }: ProviderOptions,
): ErrorReply | null {
  if (keys && !keys.includes(key)) {
    // A provider quotes the key in part; nothing of it may reach a person or a log.
    const message = `Incorrect API key provided: ${key.slice(0, 8)}***${key.slice(-4)}.`
    return { status: 401, message, code: 'invalid_api_key' }
  }
  if (protocol !== 'gemini' && !body.stream)
    return { status: 400, message: 'This server only streams: set stream to true.' }
  if (models && !models.includes(model)) {
    const message = `The model \`${model}\` does not exist or you do not have access to it.`
    return { status: 404, message, code: 'model_not_found' }
  }
  if (usage === 'refused' && body.stream_options)
    return { status: 400, message: 'Unrecognized request argument supplied: stream_options', code: 'unknown_parameter' }
  const sent = { ...body, ...body.generationConfig } as Record<string, unknown>
  if (!refused || sent[refused] === undefined) return null
  const second = { max_tokens: 'max_completion_tokens', max_completion_tokens: 'max_tokens' } as Record<string, string>
  const advice = second[refused] ? ` Use '${second[refused]}' instead.` : ''
  return {
    status: 400,
    message: `Unsupported parameter: '${refused}' is not supported with this model.${advice}`,
    code: 'unsupported_parameter',
  }
}

function refuse(protocol: WireProtocol, response: ServerResponse, reply: ErrorReply) {
  response.writeHead(reply.status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(protocol.errorBody(reply)))
}
