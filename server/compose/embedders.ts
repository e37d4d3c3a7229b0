import { defaultBaseUrls } from '../adapters/chat-model/provider-endpoints'
import { createTokenizer } from '../adapters/embedding/model-tokenizer'
import { createGeminiEmbeddings } from '../adapters/embedding/services/gemini-embeddings'
import { createOpenAiEmbeddings } from '../adapters/embedding/services/openai-embeddings'
import { createServiceEmbedder } from '../adapters/embedding/services/service-embedder'
import { createWordCounter } from '../adapters/embedding/services/word-counter'
import { createTransformersEmbedder } from '../adapters/embedding/transformers'
import { probeModel } from '../adapters/models/model-probe'
import type { Config } from '../config/config'
import {
  type EmbeddingServiceSettings,
  findModelFolder,
  isServiceName,
  serviceAccess,
} from '../config/embedding-settings'
import type { TokenCounter } from '../engine/search/query/token-counter'
import { isProviderError } from '../errors'
import type { EmbeddingAccount } from '../services/indexing/embedding-account'
import type { LoadOutcome } from '../services/indexing/embedding-models'

interface LoadOptions {
  log: { warn(details: object, message: string): void }
  account: Pick<EmbeddingAccount, 'ownKey' | 'countTokens'>
  /** Of the model in a folder. */
  tokenizerOf(folder: string): TokenCounter
  signal: AbortSignal
}

/** Loads the model of a folder, or tries that of a service. `name` is as in EMBEDDING_MODEL. */
export async function loadModel(config: Config, name: string, options: LoadOptions): Promise<LoadOutcome> {
  const { embedding } = config
  const service = embedding.services.get(name)
  if (service) return openService(config, service, name, options)
  const folder = findModelFolder(embedding, name)
  if (folder === null)
    return {
      unavailable: isServiceName(name)
        ? `${name} is not configured: add it to EMBEDDING_SERVICES, or choose another model.`
        : `The model ${name} is not installed. Run: sitelore models pull ${name}`,
      isTemporary: true,
    }
  return openModel(folder, embedding.threads, options)
}

/** Tries the model in a child process first, because the runtime crashes on an unsupported processor. */
async function openModel(
  modelFolder: string,
  threads: number,
  { log, tokenizerOf, signal }: LoadOptions,
): Promise<LoadOutcome> {
  const probe = await probeModel(modelFolder, { kind: 'embedding', signal })
  if (!probe.ok) return probe.isStopped ? null : { unavailable: probe.reason }
  const embedder = await createTransformersEmbedder({ modelFolder, threads, log })
  const tokenizer = tokenizerOf(modelFolder)
  // Reads it now, so that no search waits for it.
  tokenizer.count('')
  return { embedder, tokenizer }
}

async function openService(
  config: Config,
  service: EmbeddingServiceSettings,
  name: string,
  { account, signal }: LoadOptions,
): Promise<LoadOutcome> {
  const { provider } = service
  const { apiKey, baseUrl } = serviceAccess(service, config.providers)
  if (apiKey === null && baseUrl === null)
    return {
      unavailable: `${name} needs a key: set EMBEDDING_API_KEY or ${provider.toUpperCase()}_API_KEY.`,
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
    return { embedder, tokenizer: createWordCounter() }
  } catch (error) {
    if (signal.aborted) return null
    if (!isProviderError(error)) throw error
    const isTemporary = error.providerFailure !== 'unknown-model' && error.providerFailure !== 'refused-key'
    return { unavailable: error.message, isTemporary }
  }
}

function hostOf(baseUrl: string | null): string | null {
  return baseUrl === null ? null : new URL(baseUrl).host
}

/** Embeds a word by the service in EMBEDDING_MODEL with the server's key. Returns what is wrong, in a sentence; null if nothing is. */
export async function testEmbeddingService(config: Config): Promise<string | null> {
  const { signal } = new AbortController()
  const account = { ownKey: async () => null, countTokens: () => {} }
  const options = { log: { warn: () => {} }, account, tokenizerOf: createTokenizer, signal }
  const loaded = await loadModel(config, config.embedding.name, options)
  if (!loaded) return null
  if ('unavailable' in loaded) return loaded.unavailable
  await loaded.embedder.close()
  return null
}
