import { defaultBaseUrls } from '../adapters/chat-model/provider-endpoints'
import { probeEmbedder } from '../adapters/embedding/embedder-probe'
import { identityOf } from '../adapters/embedding/model-identity'
import { readModelSettings } from '../adapters/embedding/model-settings'
import { serviceIdentity } from '../adapters/embedding/services/embedding-service'
import { createGeminiEmbeddings } from '../adapters/embedding/services/gemini-embeddings'
import { createOpenAiEmbeddings } from '../adapters/embedding/services/openai-embeddings'
import { createServiceEmbedder } from '../adapters/embedding/services/service-embedder'
import { createTransformersEmbedder } from '../adapters/embedding/transformers'
import type { Config } from '../config/config'
import { type EmbeddingServiceSettings, serviceAccess } from '../config/embedding-settings'
import type { Embedder } from '../engine/ports/search-index'
import { isProviderError } from '../errors'
import type { EmbeddingAccount } from '../services/indexing/embedding-account'

/** The embedder, or a sentence that says why it is unavailable. Null only if a test overrides it. */
export type LoadedEmbedder = { embedder: Embedder | null } | { unavailable: string; isTemporary?: boolean }

interface LoadOptions {
  log: { warn(details: object, message: string): void }
  account: Pick<EmbeddingAccount, 'ownKey' | 'countTokens'>
  signal: AbortSignal
}

/** Loads the model in EMBEDDING_MODEL, or tries the service that it names. */
export async function loadEmbedder(config: Config, options: LoadOptions): Promise<LoadedEmbedder> {
  const { service } = config.embedding
  return service ? openService(config, service, options) : openModel(config, options)
}

/** Tries the model in a child process first, because the runtime crashes on an unsupported processor. */
async function openModel({ embedding }: Config, { log, signal }: LoadOptions): Promise<LoadedEmbedder> {
  const { modelFolder, threads } = embedding
  const probe = await probeEmbedder(modelFolder, { signal })
  if (!probe.ok) return probe.isStopped ? { embedder: null } : { unavailable: probe.reason }
  return { embedder: await createTransformersEmbedder({ modelFolder, threads, log }) }
}

async function openService(
  config: Config,
  service: EmbeddingServiceSettings,
  { account, signal }: LoadOptions,
): Promise<LoadedEmbedder> {
  const { provider } = service
  const { apiKey, baseUrl } = serviceAccess(service, config.providers)
  if (apiKey === null && baseUrl === null)
    return {
      unavailable: `${config.embedding.name} needs a key: set EMBEDDING_API_KEY or ${provider.toUpperCase()}_API_KEY.`,
    }
  const url = baseUrl ?? defaultBaseUrls[provider]
  const create = provider === 'openai' ? createOpenAiEmbeddings : createGeminiEmbeddings
  // A server of its own gets no keys of organizations, which are for the provider.
  const keyOf = async (organizationId: string | null) =>
    (organizationId !== null && service.baseUrl === null ? await account.ownKey(organizationId, provider) : null) ??
    apiKey
  try {
    const embedder = await createServiceEmbedder({
      service: create(service, url),
      model: service,
      host: hostOf(baseUrl),
      keyOf,
      countTokens: account.countTokens,
      signal,
    })
    return { embedder }
  } catch (error) {
    if (signal.aborted) return { embedder: null }
    if (!isProviderError(error)) throw error
    const isTemporary = error.providerFailure !== 'unknown-model' && error.providerFailure !== 'refused-key'
    return { unavailable: error.message, isTemporary }
  }
}

/** What an index of vectors is made for. Null without a usable model, or for a service whose dimensions are not stated. */
export async function indexedModel({ embedding, providers }: Pick<Config, 'embedding' | 'providers'>): Promise<{
  name: string
  dimensions: number | null
} | null> {
  const { service, modelFolder } = embedding
  if (service) {
    const { dimensions } = service
    if (dimensions === null) return null
    return { name: serviceIdentity(service, dimensions, hostOf(serviceAccess(service, providers).baseUrl)), dimensions }
  }
  try {
    const settings = readModelSettings(modelFolder)
    return { name: await identityOf(modelFolder, settings), dimensions: settings.dimensions }
  } catch {
    return null
  }
}

function hostOf(baseUrl: string | null): string | null {
  return baseUrl === null ? null : new URL(baseUrl).host
}

/** Embeds a word by the service in EMBEDDING_MODEL with the server's key. Returns what is wrong, in a sentence; null if nothing is. */
export async function testEmbeddingService(config: Config): Promise<string | null> {
  const { signal } = new AbortController()
  const account = { ownKey: async () => null, countTokens: () => {} }
  const loaded = await loadEmbedder(config, { log: { warn: () => {} }, account, signal })
  if ('unavailable' in loaded) return loaded.unavailable
  await loaded.embedder?.close()
  return null
}
