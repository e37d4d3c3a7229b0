import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ServiceModel } from '../../server/adapters/embedding/services/embedding-service'
import { createGeminiEmbeddings } from '../../server/adapters/embedding/services/gemini-embeddings'
import { createOpenAiEmbeddings } from '../../server/adapters/embedding/services/openai-embeddings'
import {
  createServiceEmbedder,
  type ServiceEmbedderOptions,
} from '../../server/adapters/embedding/services/service-embedder'
import { type EmbeddingServer, startEmbeddingServer } from '../support/embedding/embedding-server'

let server: EmbeddingServer
let counted: [string, number][]
beforeEach(async () => {
  server = await startEmbeddingServer()
  counted = []
})
afterEach(() => server.close())

interface Case {
  provider: ServiceModel['provider']
  model: string
  identity: string
}
const cases: Case[] = [
  { provider: 'openai', model: 'bge-m3', identity: 'openai:bge-m3@256 at localhost' },
  { provider: 'gemini', model: 'gemini-embedding-001', identity: 'gemini:gemini-embedding-001@256 at localhost' },
]

describe.each(cases)('embeddings by $provider', ({ provider, model, identity }) => {
  function open(dimensions: number | null = null, changes: Partial<ServiceEmbedderOptions> = {}) {
    const serviceModel = { provider, model, dimensions }
    const service =
      provider === 'openai'
        ? createOpenAiEmbeddings(serviceModel, server.openAiUrl)
        : createGeminiEmbeddings(serviceModel, server.geminiUrl)
    return createServiceEmbedder({
      service,
      model: serviceModel,
      host: 'localhost',
      keyOf: async (organizationId) => (organizationId === 'own' ? 'key of own' : 'key-of-server'),
      countTokens: (organizationId, tokens) => void counted.push([organizationId, tokens]),
      retryDelaysMs: [1, 1],
      ...changes,
    })
  }

  test('returns unit vectors in the order of the texts', async () => {
    const embedder = await open()
    expect(embedder).toMatchObject({ model: identity, dimensions: 256, isService: true })
    const [lamp, bulb, again] = await embedder.embedPassages(['a lamp', 'two bulbs', 'a lamp'])
    expect(lamp).toEqual(again)
    expect(lamp).not.toEqual(bulb)
    for (const vector of [lamp, bulb]) expect(Math.hypot(...(vector ?? []))).toBeCloseTo(1, 5)
    expect(await embedder.embedPassages([])).toEqual([])
    await embedder.close()
  })

  test('asks for the wanted number of dimensions', async () => {
    const embedder = await open(128)
    expect(embedder.dimensions).toBe(128)
    expect((await embedder.embedQuery('lamp')).length).toBe(128)
    await embedder.close()
  })

  test('sends the key of whom the texts belong to, and counts their tokens', async () => {
    const embedder = await open(null, { keyOf: async (id) => (id === 'own' ? 'their-key' : 'server-key') })
    await embedder.embedQuery('a lamp', 'own')
    await embedder.embedPassages(['three short words'], { organizationId: 'other' })
    expect(server.calls.map(({ apiKey }) => apiKey)).toEqual(['server-key', 'their-key', 'server-key'])
    expect(counted.map(([organizationId]) => organizationId)).toEqual(['own', 'other'])
    for (const [, tokens] of counted) expect(tokens).toBeGreaterThan(1)
    await embedder.close()
  })

  test('sends no key to a server that needs none', async () => {
    const embedder = await open(null, { keyOf: async () => null })
    expect(server.calls.map(({ apiKey }) => apiKey)).toEqual([null])
    await embedder.close()
  })

  test('remembers the vectors of queries, for each organization', async () => {
    const embedder = await open()
    const first = await embedder.embedQuery('a lamp', 'one')
    expect(await embedder.embedQuery('a lamp', 'one')).toBe(first)
    await embedder.embedQuery('a lamp', 'two')
    expect(server.calls).toHaveLength(3)
    await embedder.close()
  })

  test('splits many texts, and long ones', async () => {
    const embedder = await open()
    const texts = Array.from({ length: 150 }, (_, n) => `lamp ${n}`)
    const long = Array.from({ length: 4 }, () => 'bulb '.repeat(7_000))
    expect(await embedder.embedPassages([...texts, ...long])).toHaveLength(154)
    const sizes = server.calls.slice(1).map((call) => call.texts.length)
    expect(sizes.reduce((sum, size) => sum + size)).toBe(154)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(100)
    for (const { texts: batch } of server.calls) {
      const bytes = batch.reduce((sum, text) => sum + text.length, 0)
      expect(batch.length === 1 || bytes <= 32_000 * 3).toBe(true)
    }
    await embedder.close()
  })

  test('tries passages again, and waits as long as the service asks', async () => {
    const embedder = await open()
    server.faults.push({ status: 429, headers: { 'retry-after': '0' }, times: 1 }, { status: 503, times: 1 })
    expect(await embedder.embedPassages(['a lamp'])).toHaveLength(1)
    expect(server.calls).toHaveLength(4)
    server.faults.push({ status: 429, headers: { 'retry-after': '3600' }, times: 1 })
    await expect(embedder.embedPassages(['a lamp'])).rejects.toThrow(/accepts no more embeddings at the moment\.$/)
    expect(server.calls).toHaveLength(5)
    await embedder.close()
  })

  test('does not try a query again, which a person waits for', async () => {
    const embedder = await open()
    server.faults.push({ status: 503, times: 1 })
    await expect(embedder.embedQuery('a lamp')).rejects.toThrow(/is not available for embeddings at the moment\.$/)
    expect(server.calls).toHaveLength(2)
    await embedder.close()
  })

  test.each([
    ['a wrong key', { status: 401 }, /rejected the API key for embeddings\.$/],
    ['an unknown model', { status: 404 }, new RegExp(`has no embedding model '${model}'\\. Check EMBEDDING_MODEL\\.$`)],
    [
      'no credit',
      { status: 429, body: { error: { code: 'insufficient_quota', message: 'none' } } },
      /has no credit left/,
    ],
    [
      'a text that is not accepted',
      { status: 400, body: { error: { message: 'too long, key-of-server' } } },
      /: too long, \[key\]$/,
    ],
    [
      'a page instead of embeddings',
      { body: '<p>Hello</p>', headers: { 'content-type': 'text/html' } },
      /does not speak its protocol of embeddings/,
    ],
    ['no embeddings', { body: { data: [], embeddings: [] } }, /returned 0 embeddings for 1 texts\.$/],
  ])('says what is wrong: %s', async (_name, fault, message) => {
    const embedder = await open()
    server.faults.push({ ...fault, times: 1 })
    const failure = await embedder.embedPassages(['a lamp']).then(
      () => null,
      (error: Error) => error,
    )
    expect(failure?.message).toMatch(message)
    expect(`${failure?.message} ${failure?.stack} ${failure?.cause}`).not.toContain('key-of-server')
    await embedder.close()
  })

  test('refuses vectors of another width than before', async () => {
    const embedder = await open()
    server.dimensions = 300
    await expect(embedder.embedQuery('a lamp')).rejects.toThrow(
      `returned vectors of 300 numbers instead of 256 for the model '${model}'. Check EMBEDDING_MODEL.`,
    )
    await embedder.close()
  })

  test('gives up a service that does not respond, and ends when it is closed or aborted', async () => {
    const embedder = await open(null, { queryTimeoutMs: 50 })
    server.faults.push({ hangs: true, times: 9 })
    await expect(embedder.embedQuery('a lamp')).rejects.toThrow(/took too long to embed\. Try again later\.$/)
    const stop = new AbortController()
    const stopped = expect(embedder.embedPassages(['a'], { signal: stop.signal })).rejects.toThrow(/abort/)
    stop.abort()
    await stopped
    const closed = expect(embedder.embedPassages(['a'])).rejects.toThrow(/abort/)
    await embedder.close()
    await closed
  })
})

test('does not reach a service without a network', async () => {
  const model = { provider: 'openai' as const, model: 'bge-m3', dimensions: null }
  await server.close()
  const opening = createServiceEmbedder({
    service: createOpenAiEmbeddings(model, server.openAiUrl),
    model,
    host: null,
    keyOf: async () => null,
    countTokens: () => {},
  })
  await expect(opening).rejects.toThrow('OpenAI could not be reached for embeddings.')
  server = await startEmbeddingServer()
})
