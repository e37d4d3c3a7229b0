import pino from 'pino'
import { providers } from '../contract/values/enumerations'
import type { App } from '../server/app'
import { type Config, readConfig } from '../server/config/config'
import { findServer, type RunningServer } from '../server/local-server'
import type { Io } from './io'
import { productVersion } from './version'

/** Stands for a key that only the server has. Nothing is sent with it: the server answers questions. */
const keyOfServer = 'known to the server'

/**
 * Opens the product on the data folder, runs `work`, and closes it. While a server runs on the folder, its address and its
 * keys count, not those of this environment. Logs only if the environment sets LOG_LEVEL (the value in `.env` is the
 * server's), to stderr, because stdout has the results.
 */
export async function withApp<Result>(
  io: Io,
  work: (app: App, server: RunningServer | null) => Promise<Result>,
): Promise<Result> {
  const config = readConfig(io.environment, io.root)
  const server = await findServer(config.dataDir)
  if (server && server.version !== productVersion())
    io.err(`The server runs version ${server.version}, this command ${productVersion()}. Restart the server.\n`)
  const level = io.environment.LOG_LEVEL ? config.logLevel : 'silent'
  const { createApp } = await loadApp()
  const app = await createApp(server ? withSettingsOf(server, config) : config, {
    log: pino({ level }, pino.destination(2)),
    ...io.overrides,
  })
  try {
    return await work(app, server)
  } finally {
    await app.close()
  }
}

function withSettingsOf(server: RunningServer, config: Config): Config {
  const known = providers.map((name) => {
    const settings = config.providers[name]
    const apiKey = server.providers.includes(name) ? (settings.apiKey ?? keyOfServer) : null
    return [name, { ...settings, apiKey, baseUrl: apiKey === null ? null : settings.baseUrl }]
  })
  return { ...config, publicUrl: server.publicUrl, providers: Object.fromEntries(known) as Config['providers'] }
}

/** Imported late: `--help` does not need it, and `doctor` must run where it cannot be loaded. */
export function loadApp() {
  return import('../server/app')
}
