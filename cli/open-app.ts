import pino from 'pino'
import type { App } from '../server/app'
import { readConfig } from '../server/config'
import type { Io } from './io'

/**
 * Opens the product on the data folder, does the work, and closes it. Nothing is logged unless LOG_LEVEL stands in the
 * environment itself (in `.env` it is meant for the server); logs go to stderr, so that results stay clean.
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

/** Only now: `--help` and a wrong option need none of it, and `doctor` runs where it cannot be loaded. */
export function loadApp() {
  return import('../server/app')
}
