import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface EmbeddingCall {
  path: string
  texts: string[]
  /** The key in the request's header; null without one. */
  apiKey: string | null
  body: Record<string, unknown>
}

/** A response other than embeddings, for the next `times` requests. */
export interface EmbeddingFault {
  status?: number
  body?: unknown
  headers?: Record<string, string>
  /** Never responds. */
  hangs?: true
  times: number
}

export interface EmbeddingServer {
  /** For OpenAI's SDK, and for Google's. */
  openAiUrl: string
  geminiUrl: string
  calls: EmbeddingCall[]
  faults: EmbeddingFault[]
  dimensions: number
  close(): Promise<void>
}

/**
 * A service that speaks OpenAI's and Gemini's protocols of embeddings. Texts with the same words have near vectors.
 */
export async function startEmbeddingServer(dimensions = 256): Promise<EmbeddingServer> {
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const state: EmbeddingServer = {
    openAiUrl: `${origin}/v1`,
    geminiUrl: origin,
    calls: [],
    faults: [],
    dimensions,
    close: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
  return state

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request)
    const path = request.url ?? ''
    const isOpenAi = path === '/v1/embeddings'
    const texts = isOpenAi ? (body.input as string[]) : geminiTexts(body)
    state.calls.push({ path, texts, apiKey: keyOf(request), body })
    const fault = state.faults.find(({ times }) => times > 0)
    if (fault) {
      fault.times -= 1
      if (fault.hangs) return
      return send(response, fault.status ?? 200, fault.body ?? {}, fault.headers)
    }
    const vectors = texts.map((text) => vectorOf(text, dimensionsOf(body) ?? state.dimensions))
    if (!isOpenAi) return send(response, 200, { embeddings: vectors.map((values) => ({ values })) })
    const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }))
    const tokens = texts.join(' ').split(/\s+/).length
    // In another order than the texts, which the protocol allows.
    send(response, 200, {
      object: 'list',
      model: body.model,
      data: data.reverse(),
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    })
  }
}

function geminiTexts(body: Record<string, unknown>): string[] {
  const requests = (body.requests ?? []) as { content: { parts: { text: string }[] } }[]
  return requests.map(({ content }) => content.parts.map(({ text }) => text).join(''))
}

function dimensionsOf(body: Record<string, unknown>): number | null {
  const [first] = (body.requests ?? []) as { outputDimensionality?: number }[]
  return (body.dimensions as number | undefined) ?? first?.outputDimensionality ?? null
}

function keyOf({ headers }: IncomingMessage): string | null {
  const bearer = headers.authorization?.replace(/^Bearer /, '')
  const google = headers['x-goog-api-key']
  return bearer ?? (typeof google === 'string' ? google : null)
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return JSON.parse(Buffer.concat(parts).toString('utf8') || '{}') as Record<string, unknown>
}

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

/** One direction for each word. Not of length 1. */
function vectorOf(text: string, dimensions: number): number[] {
  const vector = Array.from({ length: dimensions }, () => 0.01)
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    let hash = 7
    for (const letter of word) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003
    const place = hash % dimensions
    vector[place] = (vector[place] ?? 0) + 3
  }
  return vector
}
