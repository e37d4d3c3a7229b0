import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { cpSync, mkdtempSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { until } from '../until'

export interface BuiltServer {
  origin: string
  dataDir: string
  /** What the start printed for the person. */
  printed(): string
  process: ChildProcess
  /** Ends with SIGTERM; resolves to the exit code. */
  stop(): Promise<number | null>
}

/**
 * The built product as a process of its own, as `npm start` runs it, on a free port and a new data folder. A `launcher`
 * is a command that turns into the one behind it.
 */
export async function startBuiltServer(
  environment: Record<string, string> = {},
  launcher: string[] = [],
): Promise<BuiltServer> {
  const port = await freePort()
  const dataDir = environment.DATA_DIR ?? mkdtempSync(join(tmpdir(), 'sitelore-e2e-'))
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    PORT: String(port),
    DATA_DIR: dataDir,
    NODE_ENV: 'production',
    STAFF_MFA: 'off',
    LOG_LEVEL: 'warn',
    CRAWL_ALLOW_PRIVATE_NETWORKS: '127.0.0.1',
    CRAWL_DELAY_MS: '0',
    ...environment,
  }
  const [command = '', ...args] = [...launcher, process.execPath, 'build/app/index.js']
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  let output = ''
  const collect = (text: string) => {
    output += text
  }
  child.stdout.setEncoding('utf8').on('data', collect)
  child.stderr.setEncoding('utf8').on('data', collect)
  const origin = `http://localhost:${port}`
  await untilReady(origin, () => output, ended)
  return {
    origin,
    dataDir,
    process: child,
    printed: () => output,
    async stop() {
      child.kill('SIGTERM')
      return ended
    },
  }
}

/** The built product with the account and the organization of `prepareAccount`. */
export async function startServerWithAccount(environment: Record<string, string> = {}): Promise<BuiltServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sitelore-e2e-'))
  cpSync(join(accountFolder(), 'data'), dataDir, { recursive: true })
  return startBuiltServer({ DATA_DIR: dataDir, ...environment })
}

/** Where `prepareAccount` stored the data folder and the cookies of the account. */
export function accountFolder(): string {
  return process.env.TEST_ACCOUNT ?? ''
}

/** Runs a command of the operator on the data folder of the running server. */
export async function runCommand({ dataDir }: BuiltServer, ...argv: string[]): Promise<void> {
  const { LOG_LEVEL: _, ...environment } = process.env
  const env = { ...environment, DATA_DIR: dataDir }
  await promisify(execFile)(process.execPath, ['build/app/cli.js', ...argv], { env })
}

async function untilReady(origin: string, output: () => string, ended: Promise<number | null>): Promise<void> {
  let exited = false
  void ended.then(() => {
    exited = true
  })
  await until(async () => {
    if (exited) throw new Error(`The server ended: ${output()}`)
    return output().includes('is ready at') && (await fetch(`${origin}/readyz`).catch(() => null))?.ok
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('No port.')),
      )
    })
  })
}
