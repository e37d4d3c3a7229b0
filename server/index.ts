/** The process: configuration, app, jobs, http; it ends cleanly on SIGTERM and SIGINT. */
import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, createServer as createNetServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { ServerBuild } from '@remix-run/node'
import { providers } from '../contract/values/enumerations'
import { startFeeding } from '../workers/feed-search'
import { startWorkers } from '../workers/index'
import { startSchedule } from '../workers/schedule'
import { type App, createApp } from './app'
import { readConfig, readEnvironment } from './config/config'
import { ConfigError } from './config/config-error'
import { hasServerKey } from './config/provider-settings'
import { builtAssets, createServer, type EdgeBuild } from './http/create-server'
import { createHealthServer } from './http/health'
import { createMetricsServer } from './http/metrics'
import { announceServer, withdrawServer } from './local-server'
import { startErrorCode } from './start-errors'
import { stopServing } from './stop'
import { randomToken } from './tokens'

const drainMs = 25_000

try {
  await start()
} catch (error) {
  const { message, stack = message } = error instanceof Error ? error : new Error(String(error))
  process.stderr.write(startErrorCode(error) ? `${message}\n` : `Sitelore could not start: ${stack}\n`)
  process.exit(1)
}

async function start(): Promise<void> {
  const config = readConfig(await withRealPort(readEnvironment()))
  const app = await createApp(config)
  logStart(app)
  if (!(await app.services.plans.has(config.defaultPlan)))
    throw new ConfigError(
      `DEFAULT_PLAN: there is no plan '${config.defaultPlan}'. Create it with: sitelore plans set ${config.defaultPlan}`,
    )
  await app.databaseCheck.start()
  // An unhandled rejection must not end the requests of everybody else.
  process.on('unhandledRejection', (error) => app.log.error({ err: error }, 'Unhandled rejection'))
  const token = randomToken()
  const server = config.role === 'worker' ? createHealthServer(app) : await createSite(app, token)
  await listen(server, config)
  const metricsServer = await serveMetrics(app)
  app.listensOn(addressOf(server))
  const work = config.role === 'app' ? null : await startWork(app)
  // Behind the start: the first request does not wait for a model.
  const embedding = usesModel(app)
    ? app.startEmbedding().then(() => app.services.embedding.loadAll())
    : Promise.resolve()
  const reranker = config.role === 'worker' ? Promise.resolve() : embedding.then(app.startReranker)
  if (config.role !== 'worker') {
    void app.warmSearch()
    await announceServer(config.dataDir, {
      address: addressOf(server),
      publicUrl: config.publicUrl,
      version: app.version,
      token,
      providers: providers.filter((name) => hasServerKey(config.providers[name])),
      embeddingModel: config.embedding.name,
      rerankerModel: config.reranker?.name ?? null,
    })
  }
  await greet(app)

  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    app.stopStarting()
    const forced = setTimeout(() => process.exit(1), drainMs)
    metricsServer?.close()
    await stopServing(server, app.services.chat, { stop: async () => work?.stop() })
    await Promise.all([embedding, reranker])
    await withdrawServer(config.dataDir, { token })
    await app.close()
    clearTimeout(forced)
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop())
}

/** Serves the metrics on a port of their own, if there is one. */
async function serveMetrics(app: App): Promise<Server | null> {
  const { host, metrics } = app.config
  if (!metrics?.port) return null
  const server = createMetricsServer(app)
  await listen(server, { host, port: metrics.port }, 'METRICS_PORT')
  return server
}

/** Serves people and programs. Resolves when the first request does not wait for what it needs. */
async function createSite(app: App, token: string): Promise<Server> {
  const ahead = app.readAhead()
  const server = await createServer(app, app.config.production ? await builtEdge() : await developmentEdge(), token)
  await ahead
  return server
}

/** Runs the jobs of this process and, in one process of the installation, what is to be done from time to time. */
async function startWork(app: App): Promise<{ stop(): Promise<void> }> {
  const runner = await startWorkers(app, 'server')
  const schedule = startSchedule(app, runner)
  const feeding = app.config.jobs.includes('index') ? startFeeding(app) : null
  return {
    async stop() {
      schedule.stop()
      await Promise.all([runner.stop(), feeding?.stop()])
    },
  }
}

/** Queries are embedded where they are answered, and passages by workers that take this job. */
function usesModel({ config }: App): boolean {
  return config.role !== 'worker' || config.jobs.includes('embed')
}

function logStart({ log, version, config }: App): void {
  log.info({ version, node: process.version, settings: config.settings }, 'Sitelore starts.')
}

/** Replaces PORT=0 by a free port: links, and the address of the site, have the port in them. */
async function withRealPort(environment: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  if (environment.PORT?.trim() !== '0') return environment
  const probe = createNetServer().listen(0, environment.HOST)
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return { ...environment, PORT: String(port) }
}

async function builtEdge(): Promise<EdgeBuild> {
  // A computed specifier, so that the bundler leaves it alone.
  const build = (await import(new URL('../server/index.js', import.meta.url).href)) as ServerBuild
  const folder = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url))
  return { build, assets: builtAssets(folder('client')), widgetFolder: folder('widget'), development: false }
}

async function developmentEdge(): Promise<EdgeBuild> {
  const { createServer: createVite } = await import('vite')
  let load: () => Promise<ServerBuild> = () => Promise.reject(new Error('Vite has not started.'))
  return {
    build: () => load(),
    development: true,
    widgetFolder: fileURLToPath(new URL('../build/widget', import.meta.url)),
    assets: async (site, server) => {
      const vite = await createVite({ server: { middlewareMode: true, hmr: { server } }, appType: 'custom' })
      load = () => vite.ssrLoadModule('virtual:remix/server-build') as Promise<ServerBuild>
      site.use(vite.middlewares)
    },
  }
}

function listen(
  server: Server,
  { port, host }: { port: number; host: string },
  setting: 'PORT' | 'METRICS_PORT' = 'PORT',
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE')
        reject(
          new ConfigError(
            `${setting}: port ${port} on ${host} is in use. Stop the program that uses it, or set another ${setting}.`,
          ),
        )
      else if (error.code === 'EACCES')
        reject(
          new ConfigError(
            `${setting}: port ${port} cannot be opened by this user. Set ${setting} to a number above 1023.`,
          ),
        )
      else if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
        reject(new ConfigError(`HOST: this machine has no address ${host}. Use 127.0.0.1, or 0.0.0.0 for all.`))
      else reject(error)
    })
    server.listen(port, host, resolve)
  })
}

/** The address at which this process reaches itself. */
function addressOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo
  const host =
    address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '[::1]' : family === 'IPv6' ? `[${address}]` : address
  return `http://${host}:${port}`
}

/** Where to go next. Plain lines, for a person at a terminal and for the log of a container. */
async function greet(app: App): Promise<void> {
  if (app.config.role === 'worker') {
    process.stdout.write(`\nA worker of Sitelore is ready. It takes: ${app.config.jobs.join(', ')}\n\n`)
    return
  }
  const lines = [`Sitelore is ready at ${app.config.publicUrl}`]
  const link = await app.identity.setupLink({ isFirst: app.config.cluster !== null })
  if (link)
    lines.push(
      'No account exists yet. Create the first one, the administrator, with this link (valid for 24 hours):',
      `  ${link}`,
    )
  process.stdout.write(`\n${lines.join('\n')}\n\n`)
}
