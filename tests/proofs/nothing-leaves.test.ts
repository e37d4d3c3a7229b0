import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it, type TestContext } from 'vitest'
import { ensureBuilt } from '../../scripts/lib/build.mjs'
import { straceArguments, whyUntraced } from '../../scripts/lib/testing/strace.mjs'
import { makePdf } from '../support/files/pdf'
import { type Site, startSite } from '../support/sites/site'
import { until } from '../support/until'
import { connectionsOut } from '../support/web/connections-out'
import { startBuiltServer } from '../support/web/server'

// The product reads a site of this machine, indexes and searches it, while strace notes every connection of its
// processes. The only address that may be in the notes is 127.0.0.1.

/** The model's runtime reports to its vendor 9 s after it is loaded, unless its telemetry is disabled. */
const reportAfterMs = 12_000

const untraced = whyUntraced()
const skip = (context: TestContext) => {
  // Continuous integration must not pass without this proof.
  if (untraced && process.env.REQUIRE_STRACE) throw new Error(untraced)
  context.skip(untraced !== null, untraced ?? '')
}

let folder: string
let temporary: string
let site: Site
let environment: Record<string, string>
beforeAll(async () => {
  // Set for the tests themselves; the product must do without.
  delete process.env.ORT_DISABLE_TELEMETRY
  await ensureBuilt()
  folder = mkdtempSync(join(tmpdir(), 'sitelore-leaves-'))
  temporary = join(folder, 'temporary')
  mkdirSync(temporary)
  const guide = makePdf({ pages: [{ texts: [{ text: 'The storm lamp burns for forty hours.', x: 72, y: 700 }] }] })
  site = await startSite({
    '/': '<main><h1>Lamps</h1><p>Wipe the shade with a dry cloth. <a href="/guide.pdf">Guide</a></p></main>',
    '/guide.pdf': { headers: { 'content-type': 'application/pdf' }, body: guide },
  })
  environment = {
    DATA_DIR: join(folder, 'data'),
    TMPDIR: temporary,
    CRAWL_ALLOW_PRIVATE_NETWORKS: '127.0.0.1',
    CRAWL_DELAY_MS: '0',
    LOG_LEVEL: 'warn',
  }
})
afterAll(async () => {
  await site.close()
  rmSync(folder, { recursive: true })
})

/** The trace, once its process has ended. */
function finished(trace: string): Promise<string> {
  return until(() => {
    const lines = readFileSync(trace, 'utf8')
    const [first = ''] = lines.split(' ')
    return new RegExp(`^${first} +\\+\\+\\+ exited with`, 'm').test(lines) ? lines : ''
  })
}

/** Runs node under strace. */
async function run(args: string[], name: string): Promise<{ printed: string; trace: string }> {
  const trace = join(folder, name)
  const env: NodeJS.ProcessEnv = { PATH: process.env.PATH, NODE_ENV: 'production', ...environment }
  const child = spawn('strace', [...straceArguments(trace), process.execPath, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [printed, failed, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  expect(code, failed).toBe(0)
  return { printed, trace: await finished(trace) }
}

const sitelore = (name: string, ...args: string[]) => run(['build/app/cli.js', ...args], name)

it('notes a lookup, where there is one', async (context) => {
  skip(context)
  const script = "require('node:dns').lookup('lamps.invalid', () => {})"
  const { trace } = await run(['--eval', script], 'lookup')
  expect(connectionsOut(trace)).not.toEqual([])
})

it('the command line reaches nobody but the site', async (context) => {
  skip(context)
  const index = await sitelore('index', 'index', site.origin)
  expect(index.printed).toContain('2 checked, 2 new')
  const search = await sitelore('search', 'search', 'how', 'long', 'does', 'it', 'burn')
  expect(search.printed).toContain('forty hours')
  const doctor = await sitelore('doctor', 'doctor')
  expect(doctor.printed).toContain('The model computes embeddings.')
  for (const { trace } of [index, search, doctor]) expect(connectionsOut(trace)).toEqual([])
  expect(readdirSync(temporary)).toEqual([])
})

it('the server reaches nobody but the site', async (context) => {
  skip(context)
  const trace = join(folder, 'server')
  const server = await startBuiltServer(environment, ['strace', ...straceArguments(trace)])
  await until(async () => {
    const response = await fetch(`${server.origin}/readyz`)
    return ((await response.json()) as { embedding: { kind: string } }).embedding.kind === 'ready'
  })
  const loaded = Date.now()
  const { port } = new URL(server.origin)
  environment = { ...environment, PORT: port }
  // The server does the work.
  const { printed } = await sitelore('handed', 'index', `${site.origin}/guide.pdf`, '--collection', 'Guides')
  expect(printed).toContain('1 checked, 1 new')
  await until(() => Date.now() - loaded > reportAfterMs)
  expect(await server.stop(), server.printed()).toBe(0)
  expect(connectionsOut(await finished(trace))).toEqual([])
  expect(readdirSync(temporary)).toEqual([])
})
