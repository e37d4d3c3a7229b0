import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { openSearchScript, postgresFolder } from '../../../scripts/lib/testing/servers.mjs'
import { until } from '../until'

/** A server that was started for tests, on this machine only. */
export interface StartedServer {
  url: string
  /** Ends it as kill -9 does, and starts it again on what it stored. */
  restart(): Promise<void>
  /** Makes it accept connections without a response, as a stalled network does, until the returned function is called. */
  freeze(): () => void
  stop(): Promise<void>
}

/** Starts PostgreSQL on a new folder. It refuses to run as root, so root runs it as nobody. */
export async function startPostgres(): Promise<StartedServer> {
  const programs = postgresFolder()
  if (!programs) throw new Error('PostgreSQL is not installed here.')
  const folder = mkdtempSync(join(tmpdir(), 'sitelore-postgres-'))
  const isRoot = process.getuid?.() === 0
  const asUser = isRoot ? ['setpriv', '--reuid=nobody', '--clear-groups'] : []
  if (isRoot) execFileSync('chown', ['nobody', folder])
  const data = join(folder, 'data')
  const [initdb = '', ...initdbArgs] = [
    ...asUser,
    join(programs, 'initdb'),
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
  ]
  execFileSync(initdb, initdbArgs, { stdio: 'ignore', cwd: '/' })
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const options = ['max_connections=300', 'fsync=off', 'log_min_messages=panic'].flatMap((option) => ['-c', option])
  let child = await start()

  async function start(): Promise<ChildProcess> {
    const [command = '', ...args] = [
      ...asUser,
      join(programs ?? '', 'postgres'),
      '-D',
      data,
      '-p',
      String(port),
      '-h',
      '127.0.0.1',
      '-k',
      folder,
      ...options,
    ]
    const started = spawn(command, args, { stdio: 'ignore', cwd: '/' })
    await until(() => responds(url))
    return started
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }

  return {
    url,
    async restart() {
      await end('SIGQUIT')
      child = await start()
    },
    freeze() {
      child.kill('SIGSTOP')
      return () => child.kill('SIGCONT')
    },
    async stop() {
      await end('SIGQUIT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function responds(url: string): Promise<boolean> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}

/** Starts OpenSearch. What is downloaded is kept in `.cache`. */
export async function startOpenSearch(): Promise<StartedServer> {
  const folder = resolve('.cache/opensearch')
  const port = await freePort()
  const run = () => {
    const started = spawnSync('bash', [openSearchScript, folder, String(port), '1g'], { encoding: 'utf8' })
    if (started.status !== 0) throw new Error(`OpenSearch did not start: ${started.stderr}`)
  }
  run()
  const send = (signal: NodeJS.Signals) => {
    for (const id of readFileSync(join(folder, 'pids'), 'utf8').split(/\s+/).filter(Boolean)) {
      try {
        process.kill(Number(id), signal)
      } catch {
        // It has ended.
      }
    }
  }
  const end = async () => {
    send('SIGKILL')
    const url = `http://127.0.0.1:${port}`
    await until(() =>
      fetch(url).then(
        () => false,
        () => true,
      ),
    )
  }
  return {
    url: `http://127.0.0.1:${port}`,
    async restart() {
      await end()
      run()
    },
    freeze() {
      send('SIGSTOP')
      return () => send('SIGCONT')
    },
    async stop() {
      await end()
      rmSync(join(folder, 'node-0'), { recursive: true, force: true })
    },
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolvePort, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() =>
        typeof address === 'object' && address ? resolvePort(address.port) : reject(new Error('No port.')),
      )
    })
  })
}
