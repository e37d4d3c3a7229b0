import pino from 'pino'
import type { App } from '../server/app'
import { readConfig } from '../server/config'
import type { Io } from './io'

/**
 * Opens the product on the data folder, runs `work`, and closes it. Logs only if the environment sets LOG_LEVEL (the
 * value in `.env` is the server's), to stderr, because stdout has the results.
 */
export async function withApp<Result>(io: Io, work: (app: App) => Promise<Result>): Promise<Result> {
  const config = readConfig(io.environment, io.root)
  const level = io.environment.LOG_LEVEL ? config.logLevel : 'silent'
  const { createApp } = await loadApp()
  const app = await createApp(config, { log: pino({ level }, pino.destination(2)), ...io.overrides })
  try {
    return await work(app)
  } finally {
    await app.close()
  }
}

/** Imported late: `--help` does not need it, and `doctor` must run where it cannot be loaded. */
export function loadApp() {
  return import('../server/app')
}
