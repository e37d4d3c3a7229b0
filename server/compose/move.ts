import { existsSync } from 'node:fs'
import { type Connection, send } from '../../db/copy/table-rows'
import type { Engine } from '../../db/database'
import type { EngineName } from '../../db/engine'
import { openEngine, openSource } from '../../db/open'
import { storeVectors } from '../adapters/opensearch/stored-vectors'
import { addVectors } from '../adapters/vector-index/vector-store'
import type { Config } from '../config/config'
import { vectorSetId } from '../engine/ports/search-index'
import { AppError } from '../errors'
import { fingerprintsOf, openSecrets, parseSecrets, writeSecrets } from '../identity/secrets'
import { type MoveReport, move } from '../services/move/move'
import type { Target } from '../services/move/move-rows'
import { versionOfOpenSearch } from './check-servers'
import { createFileStore } from './store'

export interface MoveInstallationOptions {
  to: Config
  show(step: string, done: number, total: number): void
  signal: AbortSignal
}

/** Copies the installation of `from` to another data folder or to the servers of a cluster; see `services/move`. */
export async function moveInstallation(from: Config, options: MoveInstallationOptions): Promise<MoveReport> {
  const { to, show, signal } = options
  if (nameOf(from) === nameOf(to)) throw new AppError('conflict', 'The target is this installation.')
  if (!from.cluster && !existsSync(from.databaseFile))
    throw new AppError('not_found', `There is no database in ${from.dataDir}, so there is nothing to move.`)
  if (to.cluster) await versionOfOpenSearch(to.cluster)
  const source = await openSource(from.cluster?.database.url ?? from.databaseFile)
  const [files, targetFiles] = [createFileStore(from), createFileStore(to)]
  try {
    const secrets = from.secrets ? parseSecrets(from.secrets) : openSecrets(from.secretsDir, { isDatabaseInUse: true })
    await targetFiles.assertUsable()
    const target = await openTarget(to)
    try {
      if (!to.cluster) writeSecrets(to.secretsDir, secrets)
      return await move({
        source,
        target,
        sourceName: nameOf(from),
        storeVectors: storesVectors(target),
        from: files,
        to: JSON.stringify(from.files) === JSON.stringify(to.files) ? null : targetFiles,
        fingerprints: to.cluster ? fingerprintsOf(secrets) : null,
        show,
        signal,
      })
    } finally {
      await target.close()
    }
  } finally {
    await Promise.all([files.close(), targetFiles.close(), source.close()])
  }
}

async function openTarget({ cluster, databaseFile }: Config): Promise<Target & Engine> {
  const name: EngineName = cluster ? 'postgres' : 'sqlite'
  const opened = await openEngine(name, cluster?.database.url ?? databaseFile)
  return Object.assign(opened, { engine: name })
}

function storesVectors(target: Target & Engine) {
  return async (to: Connection, rows: { key: number; vector: Buffer }[]): Promise<void> => {
    const tx = target.queries(to.run)
    // Copied, because the driver returns a view of a larger buffer, whose offset may not be aligned.
    const vectors = rows.map(({ key, vector }) => ({ key, vector: new Float32Array(Uint8Array.from(vector).buffer) }))
    if (to.engine === 'postgres') return storeVectors(tx, vectors)
    const sets = new Map<string, typeof vectors>()
    const collections = await collectionsOf(to, vectors)
    for (const { key, vector } of vectors) {
      const id = vectorSetId(collections.get(Math.abs(key)) ?? '', key < 0 ? 1 : 0)
      sets.set(id, [...(sets.get(id) ?? []), { key: Math.abs(key), vector }])
    }
    for (const [id, members] of sets) await addVectors(tx, id, members)
  }
}

async function collectionsOf(to: Connection, fragments: { key: number }[]): Promise<Map<number, string>> {
  const keys = fragments.map(({ key }) => Math.abs(key))
  const text = `select key, collection_id from fragments where key in (${keys.map(() => '?').join()})`
  return new Map((await send(to, text, keys)) as [number, string][])
}

/** Without a user and a password. */
function nameOf({ cluster, databaseFile }: Config): string {
  if (!cluster) return databaseFile
  const { host, pathname } = new URL(cluster.database.url)
  return `postgres://${host}${pathname}`
}
