import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { MachineState } from '../../contract/views/health'
import type { Database } from '../../db/database'
import { DatabaseOpenError } from '../../db/errors'
import { openDatabase } from '../../db/open'
import { type PostgresOptions, takeLock } from '../../db/postgres'
import { settings } from '../../db/schema/settings'
import { createHostTurns } from '../adapters/cluster/host-turns'
import { createPostgresSignals } from '../adapters/cluster/postgres-signals'
import { createSharedWindow, sweepRates } from '../adapters/cluster/rate-windows'
import { createSharedPoints } from '../adapters/cluster/shared-points'
import { createDatabaseCheck, type DatabaseCheck } from '../adapters/database-check'
import { createFolderStore } from '../adapters/file-store/folder-store'
import { createS3Store } from '../adapters/file-store/s3-store'
import { createLocalSignals } from '../adapters/local-signals'
import { sqliteSize } from '../adapters/machine-state'
import { createOpenSearchTextIndex, createOpenSearchVectorIndex } from '../adapters/opensearch/indexes'
import { createSearchFeed } from '../adapters/opensearch/search-feed'
import { createSearchIndexes } from '../adapters/opensearch/search-indexes'
import { bm25FactorOf, createSearchClient, waitForSearchServer } from '../adapters/opensearch/search-server'
import { createRankingThreads } from '../adapters/ranking-threads'
import { createBurstLimiter } from '../adapters/rate-limiter'
import { createSearchThreads } from '../adapters/search-threads'
import { createSlidingWindow } from '../adapters/sliding-window'
import { createSqliteTextIndex } from '../adapters/text-index/text-index'
import { createSqliteVectorIndex } from '../adapters/vector-index/vector-index'
import type { ClusterSettings } from '../config/cluster-settings'
import { assertDatabaseNotLost, type Config } from '../config/config'
import { type FileStore, incomingFolderName } from '../engine/ports/file-store'
import type { HostTurns } from '../engine/ports/host-turns'
import type { SearchFeed } from '../engine/ports/search-index'
import type { Signals } from '../engine/ports/signals'
import type { Ranker } from '../engine/search/rank-fragments'
import type { CreateBurstLimiter } from '../identity/burst-limiter'
import type { Indexes } from '../services/fragments/fragments'
import { isMoveComplete } from '../services/move/move-state'
import type { RateWindow } from '../services/usage/request-rates'

/** What an installation stores and what its processes share: in one data folder, or on the servers of a cluster. */
export interface Store {
  db: Database
  databaseCheck: DatabaseCheck
  databaseSize(): Promise<Pick<MachineState['database'], 'kind' | 'bytes' | 'wal_bytes'>>
  indexes: Indexes
  /** Merges the segments of a collection's keyword index; null where the index is on a server of its own. */
  mergeSegments: ((collectionId: string) => Promise<number>) | null
  ranker: Ranker
  /** Null where the index is part of the database. */
  searchFeed: SearchFeed | null
  /** Resolves to what lets the next process rebuild the search index; to null while another process does. */
  lockRebuild(): Promise<(() => Promise<void>) | null>
  fileStore: FileStore
  /** Null where this process alone asks hosts. */
  hostTurns: HostTurns | null
  signals: Signals
  createWindow(options: { name: string; max: number; windowMs: number }): RateWindow & { max: number }
  createBurstLimiter: CreateBurstLimiter
  /** Deletes what processes share and nobody uses any more. */
  sweep(): Promise<void>
  /** Starts the threads that search, which the first search would wait for. */
  startSearch(): Promise<void>
  /** Loads the most recently searched collections into memory. */
  warmSearch(): Promise<void>
  close(): Promise<void>
}

const searchThreads = 2
/** Name of the database's lock that a process holds while it rebuilds the search index. */
export const rebuildLock = 'rebuild of the search index'

/** Opens and migrates the database, and connects to the servers of a cluster. */
export function openStore(config: Config, log: Logger): Promise<Store> {
  return config.cluster ? openCluster(config, config.cluster, log) : openDataFolder(config, log)
}

async function openDataFolder(config: Config, log: Logger): Promise<Store> {
  assertDatabaseNotLost(config)
  const db = await openComplete(config.databaseFile)
  const databaseCheck = createDatabaseCheck({ file: config.databaseFile, log })
  const threads = createSearchThreads({
    file: config.databaseFile,
    count: searchThreads,
    keywordCacheBytes: config.keywordCacheBytes,
    log,
  })
  const text = createSqliteTextIndex({ search: threads, merging: { database: db, file: config.databaseFile, log } })
  const vectors = createSqliteVectorIndex({
    search: threads,
    cacheBytes: config.vectorCacheBytes,
    stored: { database: db, file: config.databaseFile },
    log,
  })
  const fileStore = createFileStore(config)
  const signals = createLocalSignals()
  return {
    db,
    databaseCheck,
    databaseSize: () => sqliteSize(config.databaseFile),
    indexes: { text, vectors },
    mergeSegments: text.mergeNow,
    ranker: threads,
    searchFeed: null,
    lockRebuild: async () => null,
    fileStore,
    hostTurns: null,
    signals,
    createWindow: createSlidingWindow,
    createBurstLimiter: (rate) => createBurstLimiter(rate),
    sweep: async () => {},
    startSearch: () => threads.startAll(),
    warmSearch: () => vectors.warm(),
    async close() {
      await Promise.all([vectors.close(), text.close(), signals.close(), fileStore.close()])
      await Promise.all([threads.close(), databaseCheck.close()])
      await db.close()
    },
  }
}

async function openCluster(config: Config, { database, search }: ClusterSettings, log: Logger): Promise<Store> {
  const db = await openComplete(database.url, { maxConnections: database.maxConnections })
  const client = createSearchClient(search)
  try {
    const fileStore = createFileStore(config)
    await fileStore.assertUsable()
    await fileStore.claim(await installationId(db))
    const version = await waitForSearchServer(client)
    const indexes = createSearchIndexes({ client, prefix: search.indexPrefix, shards: search.shards })
    if (!(await indexes.ensure()))
      log.warn('The search index is of another version. Run: sitelore search-index rebuild')
    const options = { client, db, names: indexes.aliases.current, bm25Factor: bm25FactorOf(version) }
    const ranking = createRankingThreads({ count: searchThreads, log })
    const hostTurns = createHostTurns({ db, log })
    const signals = createPostgresSignals({ databaseUrl: database.url, log })
    const points = createSharedPoints(db)
    return {
      db,
      databaseCheck: { start: async () => {}, damage: () => null, close: async () => {} },
      databaseSize: () => postgresSize(db),
      indexes: { text: createOpenSearchTextIndex(options), vectors: createOpenSearchVectorIndex(options) },
      mergeSegments: null,
      ranker: ranking,
      searchFeed: createSearchFeed({ client, db, indexes, log }),
      lockRebuild: () => takeLock(database.url, rebuildLock),
      fileStore,
      hostTurns,
      signals,
      createWindow: (window) => createSharedWindow({ db, log, ...window }),
      createBurstLimiter: (rate) => createBurstLimiter(rate, points),
      async sweep() {
        await hostTurns.sweep()
        await sweepRates(db)
      },
      startSearch: () => ranking.startAll(),
      warmSearch: async () => {},
      async close() {
        await Promise.all([ranking.close(), signals.close(), fileStore.close(), client.close()])
        await db.close()
      },
    }
  } catch (error) {
    await client.close()
    await db.close()
    throw error
  }
}

/** Throws DatabaseOpenError for a database into which `sitelore move` has not copied everything yet. */
async function openComplete(url: string, options: PostgresOptions = {}): Promise<Database> {
  const db = await openDatabase(url, options)
  if (await isMoveComplete(db)) return db
  await db.close()
  throw new DatabaseOpenError(
    'A move into this database is not complete. Run the same sitelore move again, which continues it.',
  )
}

async function postgresSize({ read }: Database) {
  const [row] = await read.execute<{ bytes: number }>(sql`select pg_database_size(current_database()) as bytes`)
  return { kind: 'postgresql' as const, bytes: row?.bytes ?? 0, wal_bytes: null }
}

/** An id that all processes of the installation share, and that a move takes along. */
async function installationId(db: Database): Promise<string> {
  const name = 'installation'
  await db.writeOne((tx) => tx.insert(settings).values({ name, value: randomUUID() }).onConflictDoNothing())
  const [row] = await db.read.select().from(settings).where(eq(settings.name, name))
  if (!row) throw new Error('The id of the installation was not stored.')
  return row.value
}

export function createFileStore({ files, dataDir }: Config): FileStore {
  return files.kind === 'folder'
    ? createFolderStore(files.folder)
    : createS3Store(files, join(dataDir, 'files', incomingFolderName))
}
