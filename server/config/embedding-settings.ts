import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Provider } from '../../contract/values/enumerations'
import { ConfigError } from './config-error'
import { type ProviderSettings, providerBaseUrl } from './provider-settings'

/** A model of a service, as its name in EMBEDDING_MODEL or EMBEDDING_SERVICES says it. */
export interface EmbeddingServiceSettings {
  provider: 'openai' | 'gemini'
  model: string
  /** Null for as many as the service returns by itself. */
  dimensions: number | null
  /** A server for embeddings alone; null for that of the provider's other models. */
  baseUrl: string | null
  apiKey: string | null
}

export interface EmbeddingSettings {
  /** The value of EMBEDDING_MODEL. */
  name: string
  /** Null for a model that runs in this process. */
  service: EmbeddingServiceSettings | null
  /** The models of services that collections may have, by their names; with that of EMBEDDING_MODEL. */
  services: ReadonlyMap<string, EmbeddingServiceSettings>
  /** The folder of the model; with a service, of the model that ships, whose tokenizer measures fragments. */
  modelFolder: string
  /** Folders of the models of this installation, and of those that ship. */
  modelsFolder: string
  bundledFolder: string
  threads: number
}

interface EmbeddingVariables {
  EMBEDDING_MODEL: string
  EMBEDDING_SERVICES?: string | undefined
  EMBEDDING_BASE_URL?: string | undefined
  EMBEDDING_API_KEY?: string | undefined
  EMBEDDING_THREADS: number
}

type ModelFolders = Pick<EmbeddingSettings, 'modelsFolder' | 'bundledFolder'>

export const bundledModelName = 'all-MiniLM-L6-v2'
const modelsFolderName = 'models'
const serviceName = /^(openai|gemini):(.+?)(?:@(\d+))?$/
const minDimensions = 64
const maxDimensions = 4_096

/** Throws ConfigError for a model that does not exist. */
export function embeddingSettings(variables: EmbeddingVariables, dataDir: string, root: string): EmbeddingSettings {
  const { EMBEDDING_MODEL: name, EMBEDDING_THREADS: threads } = variables
  const services = serviceSettings(variables)
  const service = services.get(name) ?? null
  const folders = foldersOf(dataDir, root)
  const modelFolder = findModelFolder(folders, service ? bundledModelName : name)
  if (modelFolder === null) throw missing('EMBEDDING_MODEL', name, folders)
  return { name, service, services, modelFolder, ...folders, threads }
}

/** The reranker by its name; null without one. Throws ConfigError for a model that does not exist. */
export function rerankerSettings(
  name: string | undefined,
  dataDir: string,
  root: string,
): { name: string; modelFolder: string } | null {
  if (name === undefined) return null
  const folders = foldersOf(dataDir, root)
  const modelFolder = findModelFolder(folders, name)
  if (modelFolder === null) throw missing('RERANKER_MODEL', name, folders)
  return { name, modelFolder }
}

function foldersOf(dataDir: string, root: string): ModelFolders {
  return { modelsFolder: join(dataDir, modelsFolderName), bundledFolder: join(root, modelsFolderName) }
}

function missing(variable: string, name: string, { modelsFolder }: ModelFolders): ConfigError {
  return new ConfigError(
    `${variable}: there is no model '${name}' in ${modelsFolder} or models. To download it, run: sitelore models pull ${name}`,
  )
}

function serviceSettings(variables: EmbeddingVariables): Map<string, EmbeddingServiceSettings> {
  const { EMBEDDING_MODEL: name, EMBEDDING_SERVICES: list, EMBEDDING_BASE_URL: url, EMBEDDING_API_KEY: key } = variables
  const further = (list ?? '').split(',').flatMap((text) => text.trim() || [])
  const named = [
    ...(isServiceName(name) ? [modelOfService('EMBEDDING_MODEL', name)] : []),
    ...further.map((text) => modelOfService('EMBEDDING_SERVICES', text)),
  ]
  const own = url !== undefined ? 'EMBEDDING_BASE_URL' : key !== undefined ? 'EMBEDDING_API_KEY' : null
  if (own && named.length === 0)
    throw new ConfigError(`${own}: is for a model of a service. Set EMBEDDING_MODEL to one, such as openai:bge-m3.`)
  if (own && new Set(named.map(({ provider }) => provider)).size > 1)
    throw new ConfigError(`${own}: is for the models of one provider, but models of two are named.`)
  return new Map(
    named.map(({ name: full, ...model }) => {
      const names = { variable: 'EMBEDDING_BASE_URL', keyVariable: 'EMBEDDING_API_KEY' }
      return [full, { ...model, baseUrl: providerBaseUrl(model.provider, url, names), apiKey: key ?? null }]
    }),
  )
}

function modelOfService(variable: string, name: string) {
  const [, provider, model = '', digits] = serviceName.exec(name) ?? []
  if (provider !== 'openai' && provider !== 'gemini')
    throw new ConfigError(
      `${variable}: '${name}' is not a model of a service. Write its provider before it, such as openai:bge-m3.`,
    )
  const dimensions = digits === undefined ? null : Number(digits)
  if (dimensions !== null && (dimensions < minDimensions || dimensions > maxDimensions))
    throw new ConfigError(`${variable}: the number after @ must be from ${minDimensions} to ${maxDimensions}.`)
  return { name, provider, model, dimensions } as const
}

/** The server's key and base URL for embeddings; both null without either. */
export function serviceAccess(
  service: EmbeddingServiceSettings,
  providers: Record<Provider, ProviderSettings>,
): { apiKey: string | null; baseUrl: string | null } {
  if (service.baseUrl !== null) return { apiKey: service.apiKey, baseUrl: service.baseUrl }
  const shared = providers[service.provider]
  return { apiKey: service.apiKey ?? shared.apiKey, baseUrl: shared.baseUrl }
}

/** The folder of an installed model: in the data folder, or among those that ship. Null for none. */
export function findModelFolder({ modelsFolder, bundledFolder }: ModelFolders, name: string): string | null {
  const candidates = [join(modelsFolder, name), join(bundledFolder, name), resolve(dirname(bundledFolder), name)]
  return candidates.find((folder) => existsSync(join(folder, 'config.json'))) ?? null
}

export function isServiceName(name: string): boolean {
  return serviceName.test(name)
}
