import { HttpFailure } from '../../chat-model/http-failure'
import { createProviderFetch, withoutKey } from '../../chat-model/provider-fetch'
import type { EmbeddingService, ServiceModel } from './embedding-service'

const connectMs = 10_000

/** Gemini's embeddings. It does not say how many tokens it has counted. */
export function createGeminiEmbeddings(
  { model, dimensions }: Pick<ServiceModel, 'model' | 'dimensions'>,
  baseUrl: string,
): EmbeddingService {
  const fetch = createProviderFetch({ connectMs, accepts: 'json' })
  return {
    limits: { texts: 100, tokens: 20_000 },
    async embed({ texts, purpose, apiKey, signal }) {
      // The model is part of the path.
      if (!/^[\w.:@/-]+$/.test(model) || model.includes('..')) throw new HttpFailure({ status: 404 })
      const { GoogleGenAI } = await import('@google/genai')
      const client = new GoogleGenAI({
        apiKey: apiKey ?? 'none',
        // The environment could select Google's cloud platform and its credentials.
        enterprise: false,
        vertexai: false,
        httpOptions: { baseUrl, fetch: apiKey === null ? withoutKey(fetch) : fetch },
      })
      const { embeddings = [] } = await client.models.embedContent({
        model,
        contents: texts,
        config: {
          taskType: purpose === 'query' ? 'RETRIEVAL_QUERY' : 'RETRIEVAL_DOCUMENT',
          abortSignal: signal,
          ...(dimensions === null ? {} : { outputDimensionality: dimensions }),
        },
      })
      return { vectors: embeddings.map(({ values = [] }) => values), tokens: null }
    },
  }
}
