import { createOpenAiClient } from '../../chat-model/protocols/openai-client'
import { createProviderFetch, withoutKey } from '../../chat-model/provider-fetch'
import type { EmbeddingService, ServiceModel } from './embedding-service'

const connectMs = 10_000

/** OpenAI's embeddings, which Ollama, llama.cpp, vLLM, TEI and LM Studio serve as well. */
export function createOpenAiEmbeddings(
  { model, dimensions }: Pick<ServiceModel, 'model' | 'dimensions'>,
  baseUrl: string,
): EmbeddingService {
  const fetch = createProviderFetch({ connectMs, accepts: 'json' })
  return {
    // OpenAI takes 2,048 texts and 300,000 tokens; local servers keep a request in memory.
    limits: { texts: 64, tokens: 32_000 },
    async embed({ texts, apiKey, signal }) {
      const client = await createOpenAiClient({
        apiKey: apiKey ?? 'none',
        baseUrl,
        fetch: apiKey === null ? withoutKey(fetch) : fetch,
      })
      const { data, usage } = await client.embeddings.create(
        // The SDK's default, base64, is unknown to some servers.
        { model, input: texts, encoding_format: 'float', ...(dimensions === null ? {} : { dimensions }) },
        { signal },
      )
      const ordered = data.toSorted((first, second) => first.index - second.index)
      // Local servers may leave it out.
      const counted: { total_tokens?: number } | undefined = usage
      return { vectors: ordered.map(({ embedding }) => embedding), tokens: counted?.total_tokens ?? null }
    },
  }
}
