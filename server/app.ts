import { setValidationMessages } from '../contract/values/validation-messages'
import { probeModel } from './adapters/models/model-probe'
import { type Adapters, type Overrides, openAdapters } from './compose/adapters'
import { createEngine } from './compose/engine'
import { createServices, type Services } from './compose/services'
import type { Config } from './config/config'
import { createIdentity } from './identity/identity'

export { backUpCluster, restoreCluster } from './compose/cluster-backup'
export { testEmbeddingService } from './compose/embedders'
export { type Models, openModels } from './compose/models'
export { moveInstallation } from './compose/move'
export { testReranker } from './compose/rerankers'
export type { Overrides, Services }
// `doctor` also runs it when `createApp` fails.
export { probeModel }

export type App = Awaited<ReturnType<typeof createApp>>

/** Wires the adapters, the engine and the services. Opens and migrates the database. Does not load the model. */
export async function createApp(config: Config, overrides: Overrides = {}) {
  setValidationMessages()
  const adapters = await openAdapters(config, overrides)
  const engine = createEngine(adapters, config)
  const services = createServices(adapters, engine, config)
  await services.plans.createInitial()
  const { log, db, databaseCheck, downloads, version } = adapters
  let listening = config.publicUrl
  let embeddingStart: Promise<void> | null = null
  const identity = createIdentity({
    config,
    db,
    secrets: adapters.secrets,
    log,
    listenAddress: () => listening,
    createBurstLimiter: adapters.createBurstLimiter,
    mail: services.mail,
    requests: adapters.createWindow({ name: 'token', max: config.limits.apiRequestsPerMinute, windowMs: 60_000 }),
    fetchPicture: services.pictures.fetchLater,
  })

  return {
    /** Routes receive a part of these; see RouteServices. */
    services,
    identity,
    config,
    version,
    log,
    db,
    databaseCheck,
    /** Tests observe the crawler and the downloads, and fill the indexes. */
    engine,
    indexes: adapters.indexes,
    downloads,
    telemetry: adapters.telemetry,
    metrics: adapters.metrics,
    /** Throws without metrics, and if the database cannot be read. */
    readMetrics: () => readMetrics(adapters, services),
    signals: adapters.signals,
    /** Deletes what processes share and nobody uses any more. */
    sweep: adapters.sweep,
    /** Loads the default embedding model, or records why it is unavailable. Later calls wait for the first. Never rejects. */
    startEmbedding: () => (embeddingStart ??= services.embedding.start()),
    /** Loads the reranker, if there is one. Never rejects. */
    startReranker: services.reranking.start,
    /** Ends the test of a model, so that the process need not wait for it. */
    stopStarting: adapters.stopLoading,
    /** Reads the tokenizer and the manual, and starts the threads that search, so that no request waits for them. */
    readAhead: () => readAhead(adapters),
    warmSearch: () => warmSearch(adapters),
    /** Sets the address at which this process listens; sign-in sends requests to itself there. */
    listensOn(address: string) {
      listening = address
    },
    async close() {
      adapters.stopLoading()
      // Uses that cannot be written are lost; the rest must close.
      const warn = (error: unknown) => adapters.log.warn({ err: error }, 'Uses were not counted.')
      await services.useCounters.write().catch(warn)
      await services.embeddingAccount.write().catch(warn)
      await services.pictures.close()
      await Promise.all([services.embedding.close(), services.reranking.close()])
      await adapters.close()
    },
  }
}

async function readMetrics({ metrics }: Adapters, services: Services): Promise<{ contentType: string; text: string }> {
  if (!metrics) throw new Error('There are no metrics: METRICS_TOKEN and METRICS_PORT are not set.')
  return { contentType: metrics.contentType, text: await metrics.text(services.readings) }
}

async function readAhead({ tokenizer, manualPages, startSearch }: Adapters): Promise<void> {
  const started = startSearch()
  tokenizer.count('')
  manualPages.search('manual')
  await started
}

/** Loads the most recently searched collections into memory. Never rejects. */
async function warmSearch({ warmSearch, log }: Adapters): Promise<void> {
  try {
    await warmSearch()
  } catch (error) {
    log.warn({ err: error }, 'Collections could not be preloaded; their first searches will be slower.')
  }
}
