import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { engine } from '../../../db/engine'
import type { App } from '../../../server/app'
import { newUrl } from './database'

/** Starts of the names of indexes that the tests of this file made. */
const prefixes = new Set<string>()

/**
 * The settings of an installation on the servers that this run is about, of which there is one for each data folder; none
 * for one machine.
 */
export async function clusterEnvironment(dataDir: string): Promise<Record<string, string>> {
  if (engine === 'sqlite') return {}
  const file = join(dataDir, 'test-cluster.json')
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(file, JSON.stringify(await newCluster()))
  }
  return JSON.parse(readFileSync(file, 'utf8'))
}

async function newCluster(): Promise<Record<string, string>> {
  const prefix = `test-${crypto.randomUUID().slice(0, 8)}`
  prefixes.add(prefix)
  return {
    DATABASE_URL: await newUrl(),
    DATABASE_CONNECTIONS: '5',
    SEARCH_URL: process.env.SEARCH_URL ?? '',
    SEARCH_INDEX_PREFIX: prefix,
    SEARCH_SHARDS: '1',
  }
}

/** Deletes the indexes that the tests of a file made: a server keeps a thousand at most. */
export async function dropIndexes(): Promise<void> {
  for (const prefix of prefixes) await fetch(`${process.env.SEARCH_URL}/${prefix}-*`, { method: 'DELETE' })
  prefixes.clear()
}

/** Resolves when searches find all that was stored. */
export async function settleSearch({ services, config }: Pick<App, 'services' | 'config'>): Promise<void> {
  while ((await services.feedSearch.deliverNext()) > 0);
  if (!config.cluster) return
  const { url, indexPrefix } = config.cluster.search
  await fetch(`${url}/${indexPrefix}-*/_refresh`, { method: 'POST' })
}
