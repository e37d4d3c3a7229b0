import { createModelHub } from '../adapters/models/hub/model-hub'
import { createModelInstaller, type ModelInstaller } from '../adapters/models/model-installer'
import { createModelStore, type ModelFolders } from '../adapters/models/model-store'
import type { Config } from '../config/config'
import type { ModelStore } from '../engine/ports/model-store'

/** Opens the models of an installation, without its database. `close` ends the connections to the hub. */
export function openModels(config: Pick<Config, 'embedding' | 'reranker' | 'hub' | 'crawl'>): Models {
  const folders = modelFolders(config)
  const hub = createModelHub({ ...config.hub, proxy: config.crawl.proxy?.url ?? null })
  return { ...createModelStore(folders), ...createModelInstaller({ ...folders, hub }), close: () => hub.close() }
}

export interface Models extends ModelStore, ModelInstaller {
  close(): Promise<void>
}

export function modelFolders({ embedding, reranker }: Pick<Config, 'embedding' | 'reranker'>): ModelFolders {
  const { modelsFolder, bundledFolder, name } = embedding
  return { modelsFolder, bundledFolder, defaultName: name, rerankerName: reranker?.name ?? null }
}
