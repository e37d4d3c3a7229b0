import { readdir } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { reasonText } from '../../contract/reasons'
import { createFileReader } from '../../server/adapters/file-reading/file-reader'
import { badFiles } from '../fuzz/bad-files'
import { bundleReader } from '../fuzz/readers'
import { createFileCollection, type FileCollection } from '../support/files/file-sources'

// Concurrently, from upload to the end, with healthy files in between.
// tests/bench/bad-files.ts measures the same, including those that take minutes.

let collection: FileCollection
let witness: Server
let requests = 0
const sources = new Map<string, string>()
const healthy = ['first.csv', 'middle.csv', 'last.csv']

beforeAll(async () => {
  witness = createServer((_request, response) => {
    requests++
    response.end()
  }).listen(0, '127.0.0.1')
  const args = [await bundleReader()]
  collection = await createFileCollection({
    fileReader: createFileReader({
      modelFolder: 'models/all-MiniLM-L6-v2',
      entry: { args, loaderBytes: 0, loaderMs: 0 },
    }),
  })
  const upload = async (name: string, content: string | Buffer) =>
    sources.set(name, await collection.upload(name, content))
  const table = (name: string) => `lamp,euros\n${name} lamp,12\nDesk lamp,7\n`
  await upload('first.csv', table('First'))
  for (const [index, file] of files().entries()) {
    if (index === 8) await upload('middle.csv', table('Middle'))
    await upload(file.name, file.make())
  }
  await upload('last.csv', table('Last'))
  await collection.test.runner.idle()
}, 240_000)
afterAll(async () => {
  await collection.test.close()
  witness.close()
})

const files = () =>
  badFiles(`http://127.0.0.1:${(witness.address() as AddressInfo | null)?.port ?? 0}/`).filter(({ isSlow }) => !isSlow)

it('reads the text of bad files, or names a reason', async () => {
  const found: string[] = []
  for (const { name } of files()) {
    const { status, reason, fragments } = await collection.address(sources.get(name) ?? '')
    found.push(`${name}: ${status === 'idle' && fragments > 0 ? 'read' : reason}`)
  }
  expect(found).toEqual(files().map(({ name, outcome }) => `${name}: ${outcome}`))
  for (const { outcome } of files()) if (outcome !== 'read') expect(reasonText(outcome)).toMatch(/^[A-Z].*\.$/)
})

it('reads healthy files at the same time', async () => {
  for (const name of healthy) {
    const id = sources.get(name) ?? ''
    expect(await collection.source(id), name).toMatchObject({ status: 'idle', reason: null })
    expect(await collection.address(id), name).toMatchObject({
      status: 'idle',
      reason: null,
      fragments: expect.any(Number),
    })
  }
})

it('follows no links, and leaves only the uploads', async () => {
  expect(requests).toBe(0)
  const folder = join(collection.test.dataDir, 'files')
  expect(await readdir(join(folder, 'incoming'))).toEqual([])
  const stored = await Promise.all([...sources.values()].map((id) => collection.test.app.services.files.find(id)))
  const names = (await readdir(folder)).filter((name) => name !== 'incoming').sort()
  expect(names).toEqual(stored.map((file) => file?.id).sort())
})
