import { setTimeout as wait } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { providerLabels } from '../../../../contract/values/enumerations'
import type { Embedder } from '../../../engine/ports/search-index'
import { providerError } from '../../../errors'
import { findFailure, HttpFailure } from '../../chat-model/http-failure'
import { isTransient } from '../../chat-model/provider-failures'
import { embeddingError } from './embedding-failures'
import { type EmbeddingService, type ServiceModel, serviceIdentity } from './embedding-service'
import { estimateTokens, splitBatches } from './split-batches'

export interface ServiceEmbedderOptions {
  service: EmbeddingService
  model: ServiceModel
  /** See `serviceIdentity`. */
  host: string | null
  /** The key for an organization's texts, or the server's own for null. Null if the service needs none. */
  keyOf(organizationId: string | null): Promise<string | null>
  /** Called after each request that succeeded. */
  countTokens(organizationId: string, tokens: number): void
  queryTimeoutMs?: number
  passagesTimeoutMs?: number
  /** Waits before each further attempt, if the service states none. */
  retryDelaysMs?: readonly number[]
  /** Ends the first request. */
  signal?: AbortSignal
}

const defaultQueryTimeoutMs = 3_000
const defaultPassagesTimeoutMs = 60_000
const defaultRetryDelaysMs = [1_000, 4_000, 15_000]
/** A job that would have to wait longer is put back. */
const maxRetryAfterMs = 60_000
const cachedQueries = 1_000

/**
 * Embeds by a service. Sends a short text first, which shows whether it works, and how many numbers its vectors have; rejects
 * if that fails.
 */
export async function createServiceEmbedder({
  service,
  model: serviceModel,
  host,
  keyOf,
  countTokens,
  queryTimeoutMs = defaultQueryTimeoutMs,
  passagesTimeoutMs = defaultPassagesTimeoutMs,
  retryDelaysMs = defaultRetryDelaysMs,
  signal: starting,
}: ServiceEmbedderOptions): Promise<Embedder> {
  const { provider, model } = serviceModel
  const queries = new LRUCache<string, Float32Array>({ max: cachedQueries })
  const closing = new AbortController()
  let dimensions = serviceModel.dimensions
  const start = { purpose: 'query' as const, organizationId: null, timeoutMs: passagesTimeoutMs, signal: starting }
  const [first] = await embed(['start'], start)
  dimensions ??= first?.length ?? 0

  return {
    model: serviceIdentity(serviceModel, dimensions, host),
    dimensions,
    isService: true,
    async embedQuery(text, organization) {
      const organizationId = organization ?? null
      const key = `${organizationId}\n${text}`
      const known = queries.get(key)
      if (known) return known
      const [vector] = await embed([text], { purpose: 'query', organizationId, timeoutMs: queryTimeoutMs })
      if (!vector) throw new Error('The service returned no vector.')
      queries.set(key, vector)
      return vector
    },
    async embedPassages(texts, { signal, organizationId: organization } = {}) {
      const organizationId = organization ?? null
      const vectors: Float32Array[] = []
      for (const batch of splitBatches(texts, service.limits)) {
        const options = { purpose: 'passage' as const, organizationId, timeoutMs: passagesTimeoutMs, signal }
        vectors.push(...(await withRetries(() => embed(batch, options), signal)))
      }
      return vectors
    },
    close: async () => closing.abort(),
  }

  async function embed(
    texts: string[],
    {
      purpose,
      organizationId,
      timeoutMs,
      signal,
    }: {
      purpose: 'query' | 'passage'
      organizationId: string | null
      timeoutMs: number
      signal?: AbortSignal | undefined
    },
  ): Promise<Float32Array[]> {
    const apiKey = await keyOf(organizationId)
    const timed = AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])])
    let response: Awaited<ReturnType<EmbeddingService['embed']>>
    try {
      response = await service.embed({ texts, purpose, apiKey, signal: timed })
    } catch (error) {
      signal?.throwIfAborted()
      closing.signal.throwIfAborted()
      if (timed.aborted)
        throw providerError('timeout', `${providerLabels[provider]} took too long to embed. Try again later.`)
      throw Object.assign(embeddingError(error, serviceModel, apiKey), retryOf(error))
    }
    const vectors = response.vectors.map(normalized)
    assertComplete(vectors, texts.length)
    const tokens = response.tokens ?? texts.reduce((sum, text) => sum + estimateTokens(text), 0)
    if (organizationId !== null) countTokens(organizationId, tokens)
    return vectors
  }

  function assertComplete(vectors: Float32Array[], count: number): void {
    const name = providerLabels[provider]
    if (vectors.length !== count)
      throw providerError('bad-request', `${name} returned ${vectors.length} embeddings for ${count} texts.`)
    const unlike = vectors.find(({ length }) => length !== (dimensions ?? vectors[0]?.length))
    if (unlike)
      throw providerError(
        'bad-request',
        `${name} returned vectors of ${unlike.length} numbers instead of ${dimensions} for the model '${model}'. Check EMBEDDING_MODEL.`,
      )
    if (vectors.some((vector) => vector.length === 0 || !vector.every(Number.isFinite)))
      throw providerError('bad-request', `${name} returned embeddings that are no numbers.`)
  }

  async function withRetries<Result>(work: () => Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
    for (const delayMs of retryDelaysMs) {
      try {
        return await work()
      } catch (error) {
        const { isRetryable, afterMs } = error as Partial<RetryHint>
        if (!isRetryable || (afterMs ?? 0) > maxRetryAfterMs) throw error
        await wait(afterMs ?? delayMs, undefined, {
          signal: AbortSignal.any([closing.signal, ...(signal ? [signal] : [])]),
        })
      }
    }
    return work()
  }
}

interface RetryHint {
  isRetryable: boolean
  /** What the service asks to wait; null if it does not say. */
  afterMs: number | null
}

function retryOf(error: unknown): RetryHint {
  const failure = findFailure(error)
  return { isRetryable: isTransient(error), afterMs: failure instanceof HttpFailure ? failure.retryAfterMs : null }
}

function normalized(vector: number[]): Float32Array {
  const length = Math.hypot(...vector) || 1
  return Float32Array.from(vector, (value) => value / length)
}
