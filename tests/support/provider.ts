import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerFrom } from './provider-answer'

/** What the server does with one request. */
export type ProviderStep =
  /** A streamed answer; without `text` it is made from the fragments in the prompt and cites them. */
  | {
      kind: 'answer'
      text?: string /** Before the first byte, ms. */
      delayMs?: number /** Between words, ms. */
      paceMs?: number
      finish?: string
    }
  /** An error as a body of JSON. `error` goes into OpenAI's shape, `body` is sent as it is. */
  | {
      kind: 'status'
      status: number
      error?: { message: string; code?: string; type?: string }
      body?: unknown
      headers?: Record<string, string>
    }
  /** No head is ever sent. */
  | { kind: 'hang' }
  /** Some words, then silence on an open connection. */
  | { kind: 'stall'; words: number }
  /** Some words, then the connection is destroyed. */
  | { kind: 'cut'; words: number }
  /** Some words, then a proper end of the response without a finish reason. */
  | { kind: 'unfinished'; words: number }
  /** Some words, then an error inside of the stream. */
  | { kind: 'error-event'; words: number; message: string }

export interface ProviderRequest {
  path: string
  authorization: string
  body: {
    model?: string
    messages?: { role: string; content: string }[]
    stream?: boolean
    stream_options?: { include_usage?: boolean }
    max_tokens?: number
    max_completion_tokens?: number
  }
  /** Resolves when the connection of this request is closed, by whichever side. */
  closed: Promise<void>
}

export interface ProviderOptions {
  /** 0, the default, takes a free one. */
  port?: number
  /** Keys that are let in; without it all are. */
  keys?: string[]
  /** Models that exist; without it all do. */
  models?: string[]
  /** Whether stream_options is understood, overlooked, or answered with 400. */
  usage?: 'sent' | 'ignored' | 'refused'
  /** A parameter for the limit that is answered with 400. */
  refusedLimit?: 'max_tokens' | 'max_completion_tokens'
  /** What is done without a scripted step: an answer, unless said. */
  otherwise?: ProviderStep
  /** Called for each request, for a log. */
  onRequest?(request: ProviderRequest): void
}

export interface Provider {
  /** What goes into <PROVIDER>_BASE_URL. */
  baseUrl: string
  /** Every request for an answer, in order. */
  requests: ProviderRequest[]
  /** The next requests are served by these steps, one each; then `otherwise` goes on. */
  next(...steps: ProviderStep[]): void
  close(): Promise<void>
}

/** Starts a model provider on 127.0.0.1 that speaks OpenAI's streaming chat completions. */
export async function startProvider(options: ProviderOptions = {}): Promise<Provider> {
  const steps: ProviderStep[] = []
  const requests: ProviderRequest[] = []
  const stop = new AbortController()

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

  async function serve(incoming: IncomingMessage, response: ServerResponse) {
    if (incoming.method !== 'POST' || incoming.url !== '/v1/chat/completions') {
      return refuse(response, 404, { message: `Unknown request URL: ${incoming.method} ${incoming.url}` })
    }
    const text = await bodyOf(incoming)
    const request: ProviderRequest = {
      path: incoming.url,
      authorization: incoming.headers.authorization ?? '',
      body: JSON.parse(text),
      closed: new Promise((resolve) => response.once('close', resolve)),
    }
    requests.push(request)
    options.onRequest?.(request)
    const refusal = refusalOf(request, options)
    if (refusal) return refuse(response, refusal.status, refusal)
    await play(steps.shift() ?? options.otherwise ?? { kind: 'answer' }, request, response)
  }

  async function play(step: ProviderStep, request: ProviderRequest, response: ServerResponse) {
    if (step.kind === 'hang') return
    if (step.kind === 'status') {
      response.writeHead(step.status, { 'content-type': 'application/json', ...step.headers })
      response.end(
        JSON.stringify(step.body ?? { error: { type: 'error', code: null, message: 'Scripted', ...step.error } }),
      )
      return
    }
    const { signal } = stop
    if (step.kind === 'answer' && step.delayMs) await sleep(step.delayMs, undefined, { signal })
    const messages = request.body.messages ?? []
    const words =
      (step.kind === 'answer' && step.text !== undefined ? step.text : answerFrom(messages)).match(/\s*\S+/g) ?? []
    const send = eventsOf(request, response)
    send.chunk({ role: 'assistant', content: '' })
    const sent = step.kind === 'answer' ? words : words.slice(0, step.words)
    for (const word of sent) {
      send.chunk({ content: word })
      if (step.kind === 'answer' && step.paceMs) await sleep(step.paceMs, undefined, { signal })
    }
    if (step.kind === 'stall') return
    if (step.kind === 'cut') {
      // What was written must have left before the connection breaks.
      await sleep(20, undefined, { signal })
      response.destroy()
    } else if (step.kind === 'unfinished') response.end()
    else if (step.kind === 'error-event') {
      send.raw({ error: { message: step.message, type: 'server_error', code: null } })
      response.end()
    } else {
      send.chunk({}, step.finish ?? 'stop')
      if (request.body.stream_options?.include_usage && options.usage !== 'ignored')
        send.usage(countOf(messages), words.length)
      response.end('data: [DONE]\n\n')
    }
  }

  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    next: (...more) => void steps.push(...more),
    async close() {
      stop.abort()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

interface Refusal {
  status: number
  message: string
  code?: string
}

function refusalOf(
  { authorization, body }: ProviderRequest,
  { keys, models, usage, refusedLimit }: ProviderOptions,
): Refusal | null {
  const key = authorization.replace(/^Bearer /, '')
  if (!key || (keys && !keys.includes(key))) {
    // A provider quotes the key in part; nothing of it may reach a person or a log.
    return {
      status: 401,
      message: `Incorrect API key provided: ${key.slice(0, 8)}***${key.slice(-4)}.`,
      code: 'invalid_api_key',
    }
  }
  if (!body.stream) return { status: 400, message: 'This server only streams: set stream to true.' }
  if (models && !models.includes(body.model ?? '')) {
    return {
      status: 404,
      message: `The model \`${body.model}\` does not exist or you do not have access to it.`,
      code: 'model_not_found',
    }
  }
  if (usage === 'refused' && body.stream_options) {
    return { status: 400, message: 'Unrecognized request argument supplied: stream_options', code: 'unknown_parameter' }
  }
  if (refusedLimit && body[refusedLimit] !== undefined) {
    const other = refusedLimit === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens'
    return {
      status: 400,
      message: `Unsupported parameter: '${refusedLimit}'. Use '${other}' instead.`,
      code: 'unsupported_parameter',
    }
  }
  return null
}

function refuse(
  response: ServerResponse,
  status: number,
  { message, code = undefined }: { message: string; code?: string | undefined },
) {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: { message, type: 'invalid_request_error', param: null, code: code ?? null } }))
}

/** Writes server-sent events in the shape of chat.completion.chunk. */
function eventsOf(request: ProviderRequest, response: ServerResponse) {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  const head = {
    id: 'chatcmpl-local',
    object: 'chat.completion.chunk',
    created: Math.floor(Date.now() / 1000),
    model: request.body.model,
  }
  const raw = (data: object) => void response.write(`data: ${JSON.stringify(data)}\n\n`)
  return {
    raw,
    chunk: (delta: object, finish: string | null = null) =>
      raw({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] }),
    usage: (input: number, output: number) =>
      raw({
        ...head,
        choices: [],
        usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
      }),
  }
}

function countOf(messages: { content: string }[]): number {
  return messages.reduce((sum, { content }) => sum + content.split(/\s+/).length, 0)
}
