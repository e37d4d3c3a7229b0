import { engine } from '../../../db/engine'
import type { App } from '../../../server/app'
import { newUrl } from './database'

/** The settings of an installation of its own on the servers that this run is about; none for one machine. */
export async function newClusterEnvironment(): Promise<Record<string, string>> {
  if (engine === 'sqlite') return {}
  return {
    DATABASE_URL: await newUrl(),
    DATABASE_CONNECTIONS: '5',
    SEARCH_URL: process.env.SEARCH_URL ?? '',
    SEARCH_INDEX_PREFIX: `test-${crypto.randomUUID().slice(0, 8)}`,
    SEARCH_SHARDS: '1',
  }
}

/** Resolves when searches find all that was stored. */
export async function settleSearch({ services, config }: Pick<App, 'services' | 'config'>): Promise<void> {
  while ((await services.feedSearch.deliverNext()) > 0);
  if (!config.cluster) return
  const { url, indexPrefix } = config.cluster.search
  await fetch(`${url}/${indexPrefix}-*/_refresh`, { method: 'POST' })
}

/** Deletes the indexes of an installation. */
export async function dropIndexes({ cluster }: App['config']): Promise<void> {
  if (cluster) await fetch(`${cluster.search.url}/${cluster.search.indexPrefix}-*`, { method: 'DELETE' })
}
