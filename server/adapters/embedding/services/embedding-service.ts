/** A service that embeds texts over the network. Implementations send one request, and retry nothing. */
export interface EmbeddingService {
  /** The most that a request may have. */
  readonly limits: { texts: number; tokens: number }
  embed(request: EmbeddingRequest): Promise<EmbeddingResponse>
}

export interface EmbeddingRequest {
  texts: string[]
  purpose: 'query' | 'passage'
  /** Null for a server that needs none. */
  apiKey: string | null
  signal: AbortSignal
}

export interface EmbeddingResponse {
  /** One for each text, in order. */
  vectors: number[][]
  /** As the service counted them; null if it does not. */
  tokens: number | null
}

/** A model of a service. */
export interface ServiceModel {
  provider: 'openai' | 'gemini'
  /** The service's own name of it. */
  model: string
  /** Numbers that vectors shall have; null for as many as the service returns by itself. */
  dimensions: number | null
}

/**
 * The identity of the vectors of a model. `host` is that of a server other than the provider's own, which may have other
 * weights under the same name.
 */
export function serviceIdentity({ provider, model }: ServiceModel, dimensions: number, host: string | null): string {
  return `${provider}:${model}@${dimensions}${host === null ? '' : ` at ${host}`}`
}
