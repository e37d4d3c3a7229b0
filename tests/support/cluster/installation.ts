import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { openSecrets } from '../../../server/identity/secrets'
import { until } from '../until'
import { type RoundRobin, startRoundRobin } from './round-robin'
import { freePort } from './servers'

export interface Member {
  role: 'app' | 'worker'
  port: number
  process: ChildProcess
  printed(): string
}

/** Apps and workers of one installation, each a process of its own, behind a proxy. */
export interface Installation {
  origin: string
  members: Member[]
  start(role: Member['role'], environment?: Record<string, string>): Promise<Member>
  /** Ends a process with SIGTERM, or as kill -9 does. */
  end(member: Member, signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>
  /** What every process is started with. */
  environment: NodeJS.ProcessEnv
  /** Runs a command of the operator. */
  command(...argv: string[]): Promise<string>
  query<Row>(text: string, values?: unknown[]): Promise<Row[]>
  close(): Promise<void>
}

/** Creates an installation without processes on given servers. */
export async function createInstallation(
  servers: { postgres: string; openSearch: string },
  settings: Record<string, string> = {},
): Promise<Installation> {
  const name = `scale_${crypto.randomUUID().slice(0, 8)}`
  const admin = new pg.Client(servers.postgres)
  await admin.connect()
  await admin.query(`create database ${name}`)
  await admin.end()
  const databaseUrl = Object.assign(new URL(servers.postgres), { pathname: name }).href
  const folder = mkdtempSync(join(tmpdir(), 'sitelore-cluster-'))
  const secrets = openSecrets(join(folder, 'secrets'))
  const port = await freePort()
  const proxy: RoundRobin = await startRoundRobin(port)
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    PUBLIC_URL: proxy.origin,
    DATABASE_URL: databaseUrl,
    DATABASE_CONNECTIONS: '5',
    SEARCH_URL: servers.openSearch,
    SEARCH_INDEX_PREFIX: name,
    SEARCH_SHARDS: '1',
    FILES: join(folder, 'files'),
    EMBEDDING_THREADS: '1',
    CRAWL_ALLOW_PRIVATE_NETWORKS: '127.0.0.1',
    CRAWL_DELAY_MS: '0',
    SITELORE_SECRET_COOKIE: secrets.cookieKeys.join(' '),
    SITELORE_SECRET_SIGNING: JSON.stringify(secrets.signingKey),
    SITELORE_SECRET_SEALING: secrets.sealingKeys.map((key) => key.toString('base64url')).join(' '),
    ...settings,
  }
  const members: Member[] = []
  let pool = openPool()

  function openPool(): pg.Pool {
    const opened = new pg.Pool({ connectionString: databaseUrl, max: 2 })
    opened.on('error', () => {})
    return opened
  }

  function route(): void {
    proxy.use(members.filter(({ role }) => role === 'app').map((member) => member.port))
  }

  async function start(role: Member['role'], more: Record<string, string> = {}): Promise<Member> {
    const ownPort = await freePort()
    const env = {
      ...environment,
      ...{ PROCESS: role, PORT: String(ownPort), DATA_DIR: mkdtempSync(join(folder, `${role}-`)) },
      ...more,
    }
    const child = spawn(process.execPath, ['build/app/index.js'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`The process ended: ${output}`)
      return (await fetch(`http://127.0.0.1:${ownPort}/readyz`).catch(() => null))?.ok
    })
    const member = { role, port: ownPort, process: child, printed: () => output }
    members.push(member)
    route()
    return member
  }

  async function end(member: Member, signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    if (member.process.exitCode !== null || member.process.signalCode !== null) return
    const ended = once(member.process, 'exit')
    // A proxy that watches over its apps takes one out before it stops; nobody tells it of one that is killed.
    if (signal === 'SIGTERM') forget()
    member.process.kill(signal)
    await ended
    forget()

    function forget() {
      const place = members.indexOf(member)
      if (place >= 0) members.splice(place, 1)
      route()
    }
  }

  return {
    origin: proxy.origin,
    members,
    environment,
    start,
    end,
    async command(...argv) {
      const env = { ...environment, DATA_DIR: join(folder, 'command') }
      return (await promisify(execFile)(process.execPath, ['build/app/cli.js', ...argv], { env })).stdout
    },
    async query<Row>(text: string, values: unknown[] = []) {
      try {
        return (await pool.query(text, values)).rows as Row[]
      } catch {
        // The server was restarted.
        await pool.end().catch(() => {})
        pool = openPool()
        return (await pool.query(text, values)).rows as Row[]
      }
    },
    async close() {
      for (const member of [...members]) await end(member)
      await proxy.close()
      await pool.end()
      await fetch(`${servers.openSearch}/${name}-*`, { method: 'DELETE' })
    },
  }
}
