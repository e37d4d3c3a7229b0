/**
 * Measures what hostile files cost the server: the time to read each, the reported outcome, and the delay of the event loop
 * during upload and reading.
 *
 *   npx tsx tests/bench/bad-files.ts [--only pdf]
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { system } from '../../server/actor'
import { createFileReader } from '../../server/adapters/file-reading/file-reader'
import { badFiles } from '../fuzz/bad-files'
import { bundleReader } from '../fuzz/readers'
import { createFileCollection } from '../support/files/file-sources'

const { values } = parseArgs({ options: { only: { type: 'string' } } })
const entry = { args: [await bundleReader()], loaderBytes: 0, loaderMs: 0 }
const collection = await createFileCollection({
  fileReader: createFileReader({ modelFolder: 'models/all-MiniLM-L6-v2', entry }),
})
try {
  // Loads the code that all files need.
  await collection.upload('warm-up.csv', 'lamp,euros\nStorm,12\n')
  await collection.test.runner.idle()
  const chosen = badFiles('http://127.0.0.1:9/').filter(({ name }) => !values.only || name.includes(values.only))
  // A reference for the load of the machine.
  await measure('nothing', 'for two seconds', 0, async () => {
    await sleep(2_000)
    return 'nothing'
  })
  for (const { what, name, make } of chosen) {
    const bytes = make()
    await measure(what, name, bytes.length, () => read(name, bytes))
  }
} finally {
  await collection.test.close()
}

/** Uploads in chunks, as over a connection. */
async function read(name: string, bytes: Buffer): Promise<string> {
  const { app, runner } = collection.test
  const ref = { organizationId: collection.orgId, collectionId: collection.collectionId }
  const receive = await app.services.fileSources.receiver(system, ref)
  const { id } = await app.services.fileSources.create(
    system,
    ref,
    { name: '' },
    await receive(name, Readable.from(chunksOf(bytes))),
  )
  await runner.idle()
  const { reason, fragments } = await collection.address(id)
  return reason ?? `${fragments} fragments`
}

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += 65_536) yield bytes.subarray(start, start + 65_536)
}

async function measure(what: string, name: string, bytes: number, work: () => Promise<string>): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const started = performance.now()
  delay.enable()
  const outcome = await work()
  delay.disable()
  const seconds = (performance.now() - started) / 1000
  const size = bytes < 10_000 ? `${bytes} bytes` : `${(bytes / 2 ** 20).toFixed(1)} MiB`
  const milliseconds = (nanoseconds: number) => `${(nanoseconds / 1e6).toFixed(0)} ms`
  const delays = `event loop p99 ${milliseconds(delay.percentile(99))}, at most ${milliseconds(delay.max)}`
  console.log(`${what} (${name}, ${size}): ${outcome}, ${seconds.toFixed(1)} s, ${delays}`)
}
