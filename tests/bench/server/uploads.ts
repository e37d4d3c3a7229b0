/**
 * Measures uploads to the built product without embedding: eight files of 64 MiB at once, then a table of 64 MiB until its
 * last fragment is stored. Runs `npm run build` first.
 *
 *   npx tsx tests/bench/server/uploads.ts [--mebibytes 64] [--at-once 8]
 */
import { once } from 'node:events'
import { copyFile, mkdir } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { ensureBuilt } from '../../../scripts/lib/build.mjs'
import { system } from '../../../server/actor'
import { fileSource, multipart, multipartType } from '../../support/api/multipart'
import { openTestApp } from '../../support/app'
import { issueToken } from '../../support/people/access-token'
import { createPerson } from '../../support/people/people'
import { type BuiltServer, startBuiltServer } from '../../support/web/server'
import { watchMemory } from '../crawl/crawl-memory'
import { percentile } from '../percentiles'

const { values } = parseArgs({
  options: { mebibytes: { type: 'string', default: '64' }, 'at-once': { type: 'string', default: '8' } },
})
const bytes = Number(values.mebibytes) * 2 ** 20 - 1024
const atOnce = Number(values['at-once'])
const readTimeoutMs = 1_200_000
/** The issuer of tokens that the server accepts, independent of its port. */
const publicUrl = { PUBLIC_URL: 'https://bench.example' }

await ensureBuilt()
const { dataDir, base, token } = await prepare()
const server = await startBuiltServer({ ...publicUrl, DATA_DIR: dataDir, LOG_LEVEL: 'error' })
const authorization = `Bearer ${token}`
try {
  await upload('warm-up.csv', rowsOf(200_000))
  await idle()
  await measured(`${atOnce} uploads of ${values.mebibytes} MiB at once`, async () => {
    // Files that are not PDF are rejected at once, so only the uploads are measured.
    const uploads = Array.from({ length: atOnce }, (_, index) => upload(`noise-${index}.pdf`, rowsOf(bytes)))
    await Promise.all(uploads)
    await idle()
  })
  await measured(`a table of ${values.mebibytes} MiB, from its upload to its end`, async () => {
    await upload('table.csv', rowsOf(bytes))
    await idle()
  })
} finally {
  await server.stop()
}

/** A data folder with an unlimited organization, a collection, and a member with an API token for a day. */
async function prepare() {
  const { app, dataDir } = await openTestApp(publicUrl)
  const { id: orgId } = await app.services.organizations.create(system, { name: 'Bench', entity_name: '' })
  const { id: collectionId } = await app.services.collections.create(system, orgId, { name: 'Files', description: '' })
  const { email } = await createPerson(app, { [orgId]: 'member' })
  const token = await issueToken(app, email)
  await app.close()
  await leaveModelOut(dataDir)
  return { dataDir, base: `/v1/${orgId}/sources/${collectionId}`, token }
}

/** A folder with the tokenizer only, because embedding is not measured. */
async function leaveModelOut(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'models', 'all-MiniLM-L6-v2')
  await mkdir(folder, { recursive: true })
  for (const name of ['config.json', 'tokenizer.json', 'tokenizer_config.json']) {
    await copyFile(join('models/all-MiniLM-L6-v2', name), join(folder, name))
  }
}

/** Streams lines of a table that no two files share. */
function* rowsOf(size: number): Generator<string> {
  const seed = Math.floor(Math.random() * 1e9)
  let lines = 'number,lamp,place,price\n'
  for (let row = 0, written = 0; written + lines.length < size; row++) {
    lines += `${seed + row},storm lamp ${(row * 7919) % 9973},hall ${row % 97} of house ${row % 89},${(row % 997) / 10}\n`
    if (lines.length < 60_000) continue
    written += lines.length
    yield lines
    lines = ''
  }
  yield lines
}

async function upload(name: string, rows: Iterable<string>): Promise<void> {
  const [head = '', tail = ''] = multipart(fileSource(name, '\0')).toString().split('\0')
  function* body() {
    yield head
    yield* rows
    yield tail
  }
  const headers = { authorization, 'content-type': multipartType }
  const sending = request(new URL(base, server.origin), { method: 'POST', headers })
  const answered = new Promise<number>((resolve, reject) => {
    sending.on('error', reject).on('response', (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
  })
  await pipeline(Readable.from(body(), { objectMode: true, highWaterMark: 1 }), sending)
  const status = await answered
  if (status !== 200 && status !== 201) throw new Error(`The upload of ${name} was answered with ${status}.`)
}

/** Resolves when no source is being read. */
async function idle(): Promise<void> {
  for (const deadline = Date.now() + readTimeoutMs; Date.now() < deadline; await sleep(1_000)) {
    const response = await fetch(`${server.origin}${base}?page=1&limit=100`, { headers: { authorization } })
    const { sources } = (await response.json()) as { sources: { docs: { status: string }[] } }
    if (sources.docs.every(({ status }) => status !== 'processing' && status !== 'crawling')) return
  }
  throw new Error('The files were not read in time.')
}

async function measured(title: string, work: () => Promise<void>): Promise<void> {
  const memory = watchMemory(server.process.pid ?? 0, Number.POSITIVE_INFINITY, async () => 0)
  const pings = watchAnswers(server)
  const started = performance.now()
  await work()
  const seconds = (performance.now() - started) / 1000
  const { startMib, peakMib } = await memory.stop()
  const times = await pings.stop()
  console.log(`\n${title}: ${seconds.toFixed(1)} s`)
  console.log(`  memory of the server: ${startMib.toFixed(0)} MiB before, ${peakMib.toFixed(0)} MiB at its peak so far`)
  console.log(`  another request at the same time: p50 ${percentile(times, 0.5)}, p99 ${percentile(times, 0.99)}`)
}

/** The time of another request, which waits for the event loop and the processors. */
function watchAnswers({ origin }: BuiltServer): { stop(): Promise<number[]> } {
  const worker = new Worker(new URL('./ping.mjs', import.meta.url), { workerData: `${origin}/healthz`, execArgv: [] })
  return {
    async stop() {
      worker.postMessage('stop')
      const [times] = await once(worker, 'message')
      return times
    },
  }
}
