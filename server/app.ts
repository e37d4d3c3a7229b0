import { probeEmbedder } from './adapters/embedding/embedder-probe'
import { createBurstLimiter } from './adapters/rate-limiter'
import { createSlidingWindow } from './adapters/sliding-window'
import { createEngine } from './compose/engine'
import { type Outside, type Overrides, openOutside } from './compose/outside'
import { createServices, type Services } from './compose/services'
import type { Config } from './config'
import { createIdentity } from './identity/identity'

export type { Overrides, Services }
// `doctor` tries it where no app can be made.
export { probeEmbedder }

export type App = Awaited<ReturnType<typeof createApp>>

/** Wires the product: what is outside, the engine, the services. Opens and migrates the database, loads no model. */
export async function createApp(config: Config, overrides: Overrides = {}) {
  const outside = await openOutside(config, overrides)
  const engine = createEngine(outside, config)
  const services = createServices(outside, engine, config)
  const { log, db, databaseCheck, fileReader, downloads } = outside
  let listening = config.publicUrl
  const identity = createIdentity({
    config,
    db,
    secrets: outside.secrets,
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
    startEmbedding: () => startEmbedding(outside, services),
    warmSearch: () => warmSearch(outside),
    /** Where this process listens; the sign-in speaks to itself there. */
    listensOn(address: string) {
      listening = address
    },
    async close() {
      await services.embedding.embedder()?.close()
      await outside.close()
    },
  }
}

/** Resolves when the embedding model works or is known not to. Never rejects. */
async function startEmbedding({ log, loadEmbedder }: Outside, { embedding }: Services): Promise<void> {
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
async function warmSearch({ indexes, log }: Outside): Promise<void> {
  try {
    await indexes.vectors.warm()
  } catch (error) {
    log.warn({ err: error }, 'Collections could not be preloaded; their first searches will be slower.')
  }
}
