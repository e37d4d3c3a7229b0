import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pino, { type Logger } from 'pino'
import type { Provider } from '../contract/enumerations'
import type { Database } from '../db/database'
import { openDatabase } from '../db/open'
import { createOpenAiModel } from './adapters/chat-model/openai'
import { createDatabaseCheck } from './adapters/database-check'
import { probeEmbedder } from './adapters/embedding/embedder-probe'
import { createTokenizer } from './adapters/embedding/model-tokenizer'
import { hasRotation } from './adapters/embedding/pca'
import { createTransformersEmbedder } from './adapters/embedding/transformers'
import { createExtractor } from './adapters/extraction/extractor'
import { createDownloads } from './adapters/fetch/downloads'
import { readManual, readManualPath } from './adapters/fetch/manual-pages'
import { createSafeFetch } from './adapters/fetch/safe-fetch'
import { createFileReader } from './adapters/file-reading/file-reader'
import { createBurstLimiter } from './adapters/rate-limiter'
import { createSlidingWindow } from './adapters/sliding-window'
import { createSqliteTextIndex } from './adapters/text-index/text-index'
import { createSearchThreads } from './adapters/threads/search-threads'
import { createSqliteVectorIndex } from './adapters/vector-index/vector-index'
import { assertDatabaseNotLost, type Config, crawlerName } from './config'
import { createToldPages } from './engine/crawl/fetch/alternate-text'
import { createPace } from './engine/crawl/fetch/host-rate-limiter'
import { createRobotsReader } from './engine/crawl/fetch/robots-reader'
import { createMissingPages } from './engine/crawl/fetch/soft-404'
import { preview } from './engine/crawl/preview/preview'
import type { FileReader } from './engine/documents/ports'
import { previewPage } from './engine/ingest/preview-page'
import type { ChatModel, Embedder, Extractor, Fetcher } from './engine/ports'
import { createIdentity } from './identity/identity'
import { openSecrets, type Secrets } from './identity/secrets'
import { createSealer } from './sealing'
import { createAccounts } from './services/accounts/accounts'
import { createAddresses } from './services/addresses/addresses'
import { createAgents } from './services/agents/agents'
import { createChat } from './services/chat/chat'
import { createThreads } from './services/chat/threads'
import { createCollections } from './services/collections/collections'
import { createManual } from './services/collections/manual'
import { createSweeping } from './services/collections/purge'
import { createBoilerplate } from './services/crawling/boilerplate/boilerplate'
import { createDocuments } from './services/crawling/documents/documents'
import { createFrontier } from './services/crawling/frontier/frontier'
import { createCrawls } from './services/crawling/runs/execute-run'
import { createFinishRun } from './services/crawling/runs/finish-run'
import { createRunControl } from './services/crawling/runs/run-control'
import { createFileSources } from './services/files/file-sources'
import { createFiles, incomingName } from './services/files/files'
import { createEmbedding } from './services/indexing/embedding'
import { createWords } from './services/indexing/reindex-text'
import { createOrganizations } from './services/organizations/organizations'
import { createSearch } from './services/search/search'
import { createPagePreviews } from './services/sources/page-previews'
import { createPreviewSlots } from './services/sources/preview-slots'
import { createSources } from './services/sources/sources'

// `doctor` tries it where no app can be made.
export { probeEmbedder }

/** What tests put in place of the outside. */
export interface Overrides {
  log?: Logger
  fetcher?: Fetcher
  extractor?: Extractor
  fileReader?: FileReader
  chatModel?: (provider: Provider) => ChatModel
  /** Null: the embedding runtime does not work here. */
  embedder?: () => Promise<Embedder | null>
}

export type App = Awaited<ReturnType<typeof createApp>>

/** The repository's root, or the folder of the image that holds `docs` and `db`. */
const root = rootOf(dirname(fileURLToPath(import.meta.url)))

/** Wires the product: the only place that knows all parts. Opens and migrates the database, loads no model. */
export async function createApp(config: Config, overrides: Overrides = {}) {
  const log =
    overrides.log ?? pino({ level: config.logLevel, redact: ['req.headers.authorization', 'req.headers.cookie'] })
  assertDatabaseNotLost(config)
  const db: Database = await openDatabase(config.databaseFile)
  const secrets = await openSecretsOrClose(config, db)
  const sealer = createSealer(secrets.sealingKeys)
  const databaseCheck = createDatabaseCheck({ file: config.databaseFile, log })
  const tokenizer = createTokenizer(config.embedding.modelFolder)
  const searchThreads = createSearchThreads({ file: config.databaseFile, count: 2, log })
  const indexes = {
    text: createSqliteTextIndex({ search: searchThreads }),
    vectors: createSqliteVectorIndex({
      search: searchThreads,
      cacheBytes: config.vectorCacheBytes,
      rotated: hasRotation(config.embedding.modelFolder),
      database: db,
      log,
    }),
  }

  const pages = readManual(join(root, 'docs', 'manual'), config.publicUrl)
  const safeFetch = createSafeFetch({
    allowPrivateNetworks: config.crawl.allowPrivateNetworks,
    userAgent: config.crawl.userAgent,
    ownManual: { origin: config.publicUrl, read: async (path) => ownPage(readManualPath(pages, path)) },
    ...(config.crawl.proxy ? { proxy: config.crawl.proxy } : {}),
  })
  const fetcher = overrides.fetcher ?? safeFetch
  const extractor = overrides.extractor ?? createExtractor({ modelFolder: config.embedding.modelFolder, log })
  const fileReader = overrides.fileReader ?? createFileReader({ modelFolder: config.embedding.modelFolder, log })
  const pace = createPace({ gapMs: config.crawl.delayMs })
  const robots = createRobotsReader({ fetcher, pace, agent: crawlerName })
  const missing = createMissingPages({ fetcher, extractor, robots, pace })
  const told = createToldPages({ fetcher, robots, pace })
  const engine = { fetcher, extractor, pace, robots, missing, told, agent: crawlerName }

  let listening = config.publicUrl
  const identity = createIdentity({
    config,
    db,
    secrets,
    log,
    listenAddress: () => listening,
    createBurstLimiter,
    requests: createSlidingWindow({ max: config.limits.apiRequestsPerMinute, windowMs: 60_000 }),
  })
  const organizations = createOrganizations({ db, sealer, maxPerPerson: config.limits.organizationsPerPerson })
  const collections = createCollections({ db, organizations })
  const previewSlots = createPreviewSlots()
  const sources = createSources({
    db,
    organizations,
    sealer,
    slots: previewSlots,
    preview: (request, signal) => preview(engine, request, signal),
  })
  const boilerplate = createBoilerplate({ db, indexes, extractor })
  const pagePreviews = createPagePreviews({
    db,
    sealer,
    slots: previewSlots,
    boilerplate,
    read: (request, signal) => previewPage(engine, request, signal),
  })
  const files = createFiles({ db, folder: join(config.dataDir, 'files') })
  const frontier = createFrontier({ db, indexes, organizations })
  const hasServerKey = (provider: Provider) => config.providers[provider].apiKey !== null
  const agents = createAgents({ db, sealer, organizations, hasServerKey })
  const embedding = createEmbedding({ db, indexes })
  const search = createSearch({ db, indexes, embedding, tokenizer, log })
  const chatModel =
    overrides.chatModel ?? ((provider) => createOpenAiModel({ provider, baseUrl: config.providers[provider].baseUrl }))

  /** Loads the embedding model; resolves when it works or is known not to. Never rejects. */
  async function startEmbedding(): Promise<void> {
    try {
      const embedder = overrides.embedder ? await overrides.embedder() : await loadEmbedder()
      if (embedder) await embedding.ready(embedder)
    } catch (error) {
      log.error({ err: error }, 'The embedding model could not be loaded.')
      embedding.unavailable('The embedding model could not be loaded.')
    }
  }

  async function loadEmbedder(): Promise<Embedder | null> {
    const { modelFolder, threads } = config.embedding
    const probe = await probeEmbedder(modelFolder)
    if (probe.ok) return createTransformersEmbedder({ modelFolder, threads, log })
    log.warn({ reason: probe.reason }, 'Search runs on words alone.')
    embedding.unavailable(probe.reason)
    return null
  }

  /** Copies the collections that were searched last into memory. Never rejects. */
  async function warmSearch(): Promise<void> {
    try {
      await indexes.vectors.warm()
    } catch (error) {
      log.warn({ err: error }, 'Collections could not be made ready for searches; the first ones will be slower.')
    }
  }

  async function close(): Promise<void> {
    await embedding.embedder()?.close()
    await indexes.vectors.close()
    await Promise.all([
      extractor.close(),
      fileReader.close(),
      safeFetch.close(),
      searchThreads.close(),
      databaseCheck.close(),
    ])
    await db.close()
  }

  return {
    config,
    log,
    db,
    databaseCheck,
    identity,
    accounts: createAccounts({ db }),
    organizations,
    collections,
    sources,
    pagePreviews,
    files,
    fileSources: createFileSources({ db, organizations, sources, files }),
    runControl: createRunControl({ db, organizations, frontier }),
    addresses: createAddresses({ db, indexes, frontier }),
    agents,
    search,
    chat: createChat({
      db,
      sealer,
      search,
      organizations,
      models: forEachProvider(chatModel),
      serverKeys: forEachProvider((provider) => config.providers[provider].apiKey),
      log,
    }),
    threads: createThreads({ db }),
    manual: createManual({ db, pages, publicUrl: config.publicUrl, collections, sources, agents }),
    embedding,
    words: createWords({ db, indexes }),
    crawls: createCrawls({ db, indexes, frontier, boilerplate, sealer }),
    boilerplate,
    documents: createDocuments({ db, indexes, frontier, files }),
    /** What the jobs read files with. */
    fileReader,
    downloads: createDownloads(join(config.dataDir, 'files', incomingName)),
    finishRun: createFinishRun({ db, indexes, frontier, files }),
    sweeping: createSweeping({ db, indexes, files }),
    /** What the jobs read the web with. */
    engine,
    startEmbedding,
    warmSearch,
    /** Where this process listens; the sign-in speaks to itself there. */
    listensOn(address: string) {
      listening = address
    },
    close,
  }
}

/** After the database, so that a folder whose database is refused stays as it is. */
async function openSecretsOrClose({ secretsDir }: Config, db: Database): Promise<Secrets> {
  try {
    return openSecrets(secretsDir)
  } catch (error) {
    await db.close()
    throw error
  }
}

function forEachProvider<Value>(make: (provider: Provider) => Value): Record<Provider, Value> {
  return { openai: make('openai'), anthropic: make('anthropic'), gemini: make('gemini'), deepseek: make('deepseek') }
}

function ownPage(page: { contentType: string; body: string } | null) {
  return page && { status: 200, headers: { 'content-type': page.contentType }, body: page.body }
}

function rootOf(folder: string): string {
  return existsSync(join(folder, 'package.json')) || dirname(folder) === folder ? folder : rootOf(dirname(folder))
}
