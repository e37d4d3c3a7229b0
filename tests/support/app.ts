import pino from 'pino'
import { type App, createApp, type Overrides } from '../../server/app'
import { readConfig } from '../../server/config/config'
import { startWorkers } from '../../workers/index'
import type { Runner } from '../../workers/runner'
import { clusterEnvironment, settleSearch } from './database/cluster'
import { newDataFolder } from './database/data-folder'
import { noRetryDelays } from './no-retry-delays'
import { sharedExtractor } from './shared-extractor'

export interface TestApp {
  app: App
  runner: Runner
  dataDir: string
  close(): Promise<void>
}

/** The product on a new data folder: real migrations, real indexes; nobody runs its jobs. */
export async function openTestApp(
  environment: Record<string, string> = {},
  overrides: Overrides = {},
): Promise<{ app: App; dataDir: string }> {
  const dataDir = environment.DATA_DIR ?? (await newDataFolder())
  // Of the environment only what a test names counts, so that a developer's own .env changes nothing.
  const config = readConfig({
    DATA_DIR: dataDir,
    CRAWL_ALLOW_PRIVATE_NETWORKS: '127.0.0.1',
    CRAWL_DELAY_MS: '0',
    NODE_ENV: 'test',
    STAFF_MFA: 'off',
    ...(await clusterEnvironment(dataDir)),
    ...environment,
  })
  const app = await createApp(config, {
    log: pino({ level: environment.LOG_LEVEL ?? 'silent' }),
    embedder: async () => null,
    extractor: sharedExtractor(config.embedding.modelFolder),
    retryDelaysMs: noRetryDelays,
    ...overrides,
  })
  return { app, dataDir }
}

/** The whole product, with jobs that run; no listening port. */
export async function createTestApp(
  environment: Record<string, string> = {},
  overrides: Overrides = {},
): Promise<TestApp> {
  const { app, dataDir } = await openTestApp(environment, overrides)
  const runner = await startTestWorkers(app)
  return {
    app,
    runner,
    dataDir,
    async close() {
      await runner.stop()
      await app.close()
    },
  }
}

/** Runs the jobs of an app. When the runner is idle, searches find all that was stored. */
export async function startTestWorkers(app: App): Promise<Runner> {
  const runner = await startWorkers(app, 'server')
  return {
    ...runner,
    async idle() {
      await runner.idle()
      await settleSearch(app)
    },
  }
}
