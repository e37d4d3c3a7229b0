import type { IncomingMessage } from 'node:http'

export interface ReadRequest {
  protocol: 'openai' | 'anthropic' | 'gemini'
  /** Without 'Bearer'; '' if none was sent. */
  key: string
  model: string
  /** The system prompt is the first one, whatever the protocol. */
  messages: { role: string; content: string }[]
}

export type Finish = 'stop' | 'length' | 'content_filter'

/** Turns the steps of an answer into the text of the protocol's events. */
export interface EventWriter {
  start(): string
  text(text: string): string
  reasoning(text: string): string
  /** Token counts are null if the server sends none. */
  stop(finish: Finish, tokens: { input: number; output: number } | null): string
  end(): string
  error(message: string): string
}

export interface ErrorReply {
  status: number
  message: string
  code?: string | undefined
}

export interface WireProtocol {
  matches(path: string): boolean
  read(incoming: IncomingMessage, path: string, body: Record<string, unknown>): ReadRequest
  writer(request: ReadRequest): EventWriter
  errorBody(reply: ErrorReply): unknown
}

const event = (data: unknown, name?: string) =>
  `${name ? `event: ${name}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** Chat completions, of OpenAI and DeepSeek. */
export const openaiProtocol: WireProtocol = {
  matches: (path) => path === '/v1/chat/completions',
  read: (incoming, _path, body) => ({
    protocol: 'openai',
    key: bearerOf(incoming),
    model: textOf(body.model),
    messages: (body.messages ?? []) as ReadRequest['messages'],
  }),
  writer({ model }) {
    const head = { id: 'chatcmpl-local', object: 'chat.completion.chunk', created: 1_700_000_000, model }
    const chunk = (delta: object, finish: string | null = null) =>
      event({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] })
    return {
      start: () => chunk({ role: 'assistant', content: '' }),
      text: (content) => chunk({ content }),
      reasoning: (text) => chunk({ content: null, reasoning_content: text }),
      stop: (finish, tokens) =>
        chunk({}, finish) +
        (tokens
          ? event({
              ...head,
              choices: [],
              usage: {
                prompt_tokens: tokens.input,
                completion_tokens: tokens.output,
                total_tokens: tokens.input + tokens.output,
              },
            })
          : ''),
      end: () => event('[DONE]'),
      error: (message) => event({ error: { message, type: 'server_error', code: null } }),
    }
  },
  errorBody: ({ message, code = undefined }) => ({
    error: { message, type: 'invalid_request_error', param: null, code: code ?? null },
  }),
}

const anthropicReasons = { stop: 'end_turn', length: 'max_tokens', content_filter: 'refusal' }

/** Anthropic's messages. */
export const anthropicProtocol: WireProtocol = {
  matches: (path) => path === '/v1/messages',
  read: (incoming, _path, body) => ({
    protocol: 'anthropic',
    key: textOf(incoming.headers['x-api-key']) || bearerOf(incoming),
    model: textOf(body.model),
    messages: [{ role: 'system', content: textOf(body.system) }, ...((body.messages ?? []) as ReadRequest['messages'])],
  }),
  writer({ model, messages }) {
    const named = (data: { type: string }) => event(data, data.type)
    const input = countWords(messages)
    let block = -1
    let blockType = ''
    const inBlock = (type: string, start: object) => {
      if (blockType === type) return ''
      const closing = closeBlock()
      blockType = type
      block++
      return closing + named({ type: 'content_block_start', index: block, content_block: { type, ...start } } as never)
    }
    const closeBlock = () => {
      if (blockType === '') return ''
      blockType = ''
      return named({ type: 'content_block_stop', index: block } as never)
    }
    const delta = (change: object) => named({ type: 'content_block_delta', index: block, delta: change } as never)
    return {
      start: () =>
        named({
          type: 'message_start',
          message: {
            id: 'msg_local',
            type: 'message',
            role: 'assistant',
            model,
            content: [],
            stop_reason: null,
            stop_sequence: null,
            usage: { input_tokens: input, output_tokens: 1 },
          },
        } as never) + named({ type: 'ping' }),
      text: (text) => inBlock('text', { text: '' }) + delta({ type: 'text_delta', text }),
      reasoning: (thinking) =>
        inBlock('thinking', { thinking: '', signature: '' }) +
        delta({ type: 'thinking_delta', thinking }) +
        delta({ type: 'signature_delta', signature: 'c2ln' }),
      stop: (finish, tokens) =>
        closeBlock() +
        named({
          type: 'message_delta',
          delta: { stop_reason: anthropicReasons[finish], stop_sequence: null },
          usage: { output_tokens: tokens?.output ?? 0 },
        } as never),
      end: () => named({ type: 'message_stop' }),
      error: (message) => named({ type: 'error', error: { type: 'overloaded_error', message } } as never),
    }
  },
  errorBody: ({ status, message }) => ({ type: 'error', error: { type: anthropicType(status), message } }),
}

const geminiReasons = { stop: 'STOP', length: 'MAX_TOKENS', content_filter: 'SAFETY' }
const geminiPath = /^\/v1beta\/models\/([^/:]+):streamGenerateContent\?alt=sse$/

/** Gemini's streamGenerateContent. */
export const geminiProtocol: WireProtocol = {
  matches: (path) => geminiPath.test(path),
  read: (incoming, path, body) => ({
    protocol: 'gemini',
    key: textOf(incoming.headers['x-goog-api-key']),
    model: geminiPath.exec(path)?.[1] ?? '',
    messages: [
      { role: 'system', content: contentOf(body.systemInstruction) },
      ...((body.contents ?? []) as { role: string; parts: unknown }[]).map((content) => ({
        role: content.role,
        content: contentOf(content),
      })),
    ],
  }),
  writer({ model }) {
    const response = (parts: object[], more: object = {}, finishReason?: string) =>
      event({
        candidates: [{ content: { parts, role: 'model' }, index: 0, ...(finishReason ? { finishReason } : {}) }],
        modelVersion: model,
        responseId: 'gemini-local',
        ...more,
      })
    return {
      start: () => '',
      text: (text) => response([{ text }]),
      reasoning: (text) => response([{ text, thought: true }]),
      stop: (finish, tokens) =>
        response(
          [{ text: '' }],
          tokens ? { usageMetadata: { promptTokenCount: tokens.input, candidatesTokenCount: tokens.output } } : {},
          geminiReasons[finish],
        ),
      end: () => '',
      error: (message) => event({ error: { code: 503, message, status: 'UNAVAILABLE' } }),
    }
  },
  errorBody: ({ status, message, code }) => ({
    error: { code: status, message, status: code ?? 'INVALID_ARGUMENT' },
  }),
}

export const wireProtocols = [openaiProtocol, anthropicProtocol, geminiProtocol]

export function countWords(messages: { content: string }[]): number {
  return messages.reduce((sum, { content }) => sum + content.split(/\s+/).length, 0)
}

function bearerOf({ headers }: IncomingMessage): string {
  return textOf(headers.authorization).replace(/^Bearer /, '')
}

function contentOf(content: unknown): string {
  const { parts } = (content ?? {}) as { parts?: { text?: string }[] }
  return (parts ?? []).map(({ text }) => text ?? '').join('\n\n')
}

function anthropicType(status: number): string {
  const types: Record<number, string> = {
    401: 'authentication_error',
    403: 'permission_error',
    404: 'not_found_error',
    413: 'request_too_large',
    429: 'rate_limit_error',
    529: 'overloaded_error',
  }
  return types[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error')
}
