import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { eq } from 'drizzle-orm'
import pino, { type Logger } from 'pino'
import type { Provider } from '../../contract/values/enumerations'
import { organizations } from '../../db/schema/organizations'
import { settings } from '../../db/schema/settings'
import { users } from '../../db/schema/users'
import { createBackupThread } from '../adapters/backup/backup-thread'
import { createChatModel } from '../adapters/chat-model/chat-model'
import { createMeasuredModel } from '../adapters/chat-model/measured-model'
import { createOpenAiModerator } from '../adapters/chat-model/openai-moderator'
import { createTokenizer } from '../adapters/embedding/model-tokenizer'
import { createWordCounter } from '../adapters/embedding/services/word-counter'
import { disableTelemetry } from '../adapters/embedding/telemetry'
import { createExtractor } from '../adapters/extraction/extractor'
import { createDownloads } from '../adapters/fetch/downloads'
import { readManual, readManualPath } from '../adapters/fetch/manual-pages'
import { createSafeFetch } from '../adapters/fetch/safe-fetch'
import { createFileReader } from '../adapters/file-reading/file-reader'
import { createMachineState } from '../adapters/machine-state'
import { createSmtpMailer } from '../adapters/mail/smtp-mailer'
import { createModelStore } from '../adapters/models/model-store'
import type { Config } from '../config/config'
import type { FileReader } from '../engine/documents/ports'
import { crawlLimits } from '../engine/limits'
import type { ChatModel } from '../engine/ports/chat-model'
import type { Extractor } from '../engine/ports/extractor'
import type { Fetcher } from '../engine/ports/fetcher'
import type { Embedder } from '../engine/ports/search-index'
import { fingerprintsOf, openSecrets, parseSecrets, type Secrets, SecretsError, shareKeys } from '../identity/secrets'
import { lastBackupName } from '../services/backup/backup-parts'
import type { EmbeddingAccount } from '../services/indexing/embedding-account'
import type { LoadOutcome } from '../services/indexing/embedding-models'
import type { RerankerOutcome } from '../services/search/reranking'
import { openArchives } from './backups'
import { loadModel } from './embedders'
import { startMeasuring } from './measuring'
import { modelFolders } from './models'
import { assertModelKinds, loadReranker } from './rerankers'
import { openStore, type Store } from './store'

/** Replacements for adapters, used by tests. */
export interface Overrides {
  log?: Logger
  fetcher?: Fetcher
  extractor?: Extractor
  /** See `crawlLimits`. */
  retryDelaysMs?: readonly number[]
  fileReader?: FileReader
  chatModel?: (provider: Provider) => ChatModel
  /** Loads the model of this name. Resolves to null if the embedding runtime is unavailable. */
  embedder?: (name: string) => Promise<Embedder | null>
  /** When an embedding model that is temporarily unavailable is tried again. */
  embeddingRetryMs?: number
}

const defaultEmbeddingRetryMs = 30_000

export type Adapters = Awaited<ReturnType<typeof openAdapters>>

/** The root of the repository, or the folder of the container image that contains `docs` and `db`. */
const root = rootOf(dirname(fileURLToPath(import.meta.url)))

/** Creates the adapters: database, threads, network, models. Opens and migrates the database. Does not load the model. */
export async function openAdapters(config: Config, overrides: Overrides) {
  const log =
    overrides.log ?? pino({ level: config.logLevel, redact: ['req.headers.authorization', 'req.headers.cookie'] })
  const version = productVersion()
  const { modelFolder, service } = config.embedding
  assertModelKinds(config)
  // Before any thread of the runtime starts: it could crash if it reads the environment while it changes.
  disableTelemetry()
  const store = await openStore(config, log)
  const measuring = await startMeasuring(config, version)
  const secrets = await openSecretsOrClose(config, store)
  const tokenizer = service ? createWordCounter() : createTokenizer(modelFolder)
  /** The default model's is there already; it takes time and memory. */
  const tokenizerOf = (folder: string) => (folder === modelFolder && !service ? tokenizer : createTokenizer(folder))
  const manualPages = readManual(join(root, 'docs', 'manual'), config.publicUrl)
  const safeFetch = createSafeFetch({
    allowPrivateNetworks: config.crawl.allowPrivateNetworks,
    userAgent: config.crawl.userAgent,
    ownManual: { origin: config.publicUrl, read: async (path) => ownPage(readManualPath(manualPages, path)) },
    ...(config.crawl.proxy ? { proxy: config.crawl.proxy } : {}),
  })
  const extractor = overrides.extractor ?? createExtractor({ modelFolder, log })
  const fileReader = overrides.fileReader ?? createFileReader({ modelFolder, log })

  const archives = config.backups && (await openArchives(config.backups))
  const backupThread = createBackupThread()
  const stopping = new AbortController()

  async function close(): Promise<void> {
    const closing = [extractor, fileReader, safeFetch, measuring, backupThread, ...(archives ? [archives] : [])]
    await Promise.all(closing.map((adapter) => adapter.close()))
    await store.close()
  }

  return {
    ...store,
    telemetry: measuring.telemetry,
    metrics: measuring.metrics,
    log,
    version,
    secrets,
    tokenizer,
    manualPages,
    fetcher: overrides.fetcher ?? safeFetch,
    retryDelaysMs: overrides.retryDelaysMs ?? crawlLimits.retryDelaysMs,
    extractor,
    fileReader,
    archives,
    backUp: backupThread.backUp,
    ...createMachineState({
      dataDir: config.dataDir,
      databaseSize: store.databaseSize,
      version,
      damage: () => store.databaseCheck.damage(),
      lastBackupName,
    }),
    modelStore: createModelStore(modelFolders(config)),
    downloads: createDownloads(store.fileStore.incomingFolder),
    chatModel: (provider: Provider) => {
      const { baseUrl } = config.providers[provider]
      const model = overrides.chatModel?.(provider) ?? createChatModel({ provider, baseUrl })
      return createMeasuredModel(model, provider, { log, telemetry: measuring.telemetry })
    },
    moderator: createOpenAiModerator({ baseUrl: config.providers.openai.baseUrl }),
    mailer: config.mail && createSmtpMailer({ ...config.mail, clientName: new URL(config.publicUrl).hostname }),
    async loadModel(name: string, account: EmbeddingAccount): Promise<LoadOutcome> {
      if (!overrides.embedder) return loadModel(config, name, { log, account, tokenizerOf, signal: stopping.signal })
      const embedder = await overrides.embedder(name)
      return embedder && { embedder, tokenizer }
    },
    loadReranker: async (): Promise<RerankerOutcome> =>
      config.reranker && loadReranker(config.reranker, { log, signal: stopping.signal }),
    embeddingRetryMs: overrides.embeddingRetryMs ?? defaultEmbeddingRetryMs,
    /** Aborted when the model is no longer needed. */
    stopping: stopping.signal,
    /** Ends the test of the model, if it is running. */
    stopLoading: () => stopping.abort(),
    close,
  }
}

/** Called after the database is opened, so that a data folder with a rejected database is not changed. */
async function openSecretsOrClose({ secretsDir, secrets, cluster }: Config, { db, close }: Store): Promise<Secrets> {
  try {
    const opened = secrets ? parseSecrets(secrets) : openSecrets(secretsDir, { isDatabaseInUse: await isInUse(db) })
    if (cluster) await assertSameSecrets(db, opened)
    return opened
  } catch (error) {
    await close()
    throw error
  }
}

/** All processes of an installation have the same secrets: with others, they could not read what the others store. */
async function assertSameSecrets(db: Store['db'], secrets: Secrets): Promise<void> {
  const name = 'secrets'
  const value = fingerprintsOf(secrets)
  await db.writeOne((tx) => tx.insert(settings).values({ name, value }).onConflictDoNothing())
  const [known] = await db.read.select().from(settings).where(eq(settings.name, name))
  if (known && shareKeys(known.value, value)) {
    if (known.value !== value)
      await db.writeOne((tx) => tx.update(settings).set({ value }).where(eq(settings.name, name)))
    return
  }
  throw new SecretsError(
    'SITELORE_SECRET_COOKIE: these are not the secrets of this installation. Give every process the same three secrets, or the same folder of secrets.',
  )
}

async function isInUse(db: Store['db']): Promise<boolean> {
  const rows = await Promise.all([
    db.read.select({ id: organizations.id }).from(organizations).limit(1),
    db.read.select({ id: users.id }).from(users).limit(1),
  ])
  return rows.flat().length > 0
}

function ownPage(page: { contentType: string; body: string } | null) {
  return page && { status: 200, headers: { 'content-type': page.contentType }, body: page.body }
}

function productVersion(): string {
  return (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version
}

function rootOf(folder: string): string {
  return existsSync(join(folder, 'package.json')) || dirname(folder) === folder ? folder : rootOf(dirname(folder))
}
