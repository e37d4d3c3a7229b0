import { probeEmbedder } from './adapters/embedding/embedder-probe'
import { createBurstLimiter } from './adapters/rate-limiter'
import { createSlidingWindow } from './adapters/sliding-window'
import { type Adapters, type Overrides, openAdapters } from './compose/adapters'
import { createEngine } from './compose/engine'
import { createServices, type Services } from './compose/services'
import type { Config } from './config'
import { createIdentity } from './identity/identity'

export type { Overrides, Services }
// `doctor` tries it where no app can be made.
export { probeEmbedder }

export type App = Awaited<ReturnType<typeof createApp>>

/** Composes adapters, engine and services. Opens and migrates the database; loads no model. */
export async function createApp(config: Config, overrides: Overrides = {}) {
  const adapters = await openAdapters(config, overrides)
  const engine = createEngine(adapters, config)
  const services = createServices(adapters, engine, config)
  const { log, db, databaseCheck, fileReader, downloads } = adapters
  let listening = config.publicUrl
  const identity = createIdentity({
    config,
    db,
    secrets: adapters.secrets,
    log,
    listenAddress: () => listening,
    createBurstLimiter,
    requests: createSlidingWindow({ max: config.limits.apiRequestsPerMinute, windowMs: 60_000 }),
  })

  return {
    ...services,
    /** What routes get. */
    services: services as Services,
    identity,
    config,
    log,
    db,
    databaseCheck,
    /** What jobs read the web with. */
    engine,
    /** What jobs read files with. */
    fileReader,
    downloads,
    startEmbedding: () => startEmbedding(adapters, services),
    warmSearch: () => warmSearch(adapters),
    /** Where this process listens; the sign-in speaks to itself there. */
    listensOn(address: string) {
      listening = address
    },
    async close() {
      await services.embedding.embedder()?.close()
      await adapters.close()
    },
  }
}

/** Resolves when the embedding model works or is known not to. Never rejects. */
async function startEmbedding({ log, loadEmbedder }: Adapters, { embedding }: Services): Promise<void> {
  try {
    const loaded = await loadEmbedder()
    if ('unavailable' in loaded) {
      log.warn({ reason: loaded.unavailable }, 'Semantic search is unavailable. Keyword search works.')
      embedding.unavailable(loaded.unavailable)
    } else if (loaded.embedder) {
      await embedding.ready(loaded.embedder)
    }
  } catch (error) {
    log.error({ err: error }, 'The embedding model could not be loaded.')
    embedding.unavailable('The embedding model could not be loaded.')
  }
}

/** Loads the collections that were searched last into memory. Never rejects. */
async function warmSearch({ indexes, log }: Adapters): Promise<void> {
  try {
    await indexes.vectors.warm()
  } catch (error) {
    log.warn({ err: error }, 'Collections could not be preloaded; their first searches will be slower.')
  }
}
