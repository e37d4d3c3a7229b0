import { readdir } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { reasonText } from '../../contract/reasons'
import { createFileReader } from '../../server/adapters/file-reading/file-reader'
import { badFiles } from '../fuzz/bad-files'
import { bundleReader } from '../fuzz/readers'
import { createFileCollection, type FileCollection } from '../support/file-sources'

// From their upload to their end, one beside the other, with healthy files between them.
// tests/bench/bad-files.ts measures the same, with those that take minutes.

let here: FileCollection
let witness: Server
let asked = 0
const sources = new Map<string, string>()
const healthy = ['first.csv', 'middle.csv', 'last.csv']

beforeAll(async () => {
  witness = createServer((_request, response) => {
    asked++
    response.end()
  }).listen(0, '127.0.0.1')
  const args = [await bundleReader()]
  here = await createFileCollection({
    fileReader: createFileReader({ modelFolder: 'models/all-MiniLM-L6-v2', entry: { args, loaderBytes: 0 } }),
  })
  const upload = async (name: string, content: string | Buffer) => sources.set(name, await here.upload(name, content))
  const table = (name: string) => `lamp,euros\n${name} lamp,12\nDesk lamp,7\n`
  await upload('first.csv', table('First'))
  for (const [at, file] of files().entries()) {
    if (at === 8) await upload('middle.csv', table('Middle'))
    await upload(file.name, file.make())
  }
  await upload('last.csv', table('Last'))
  await here.test.runner.idle()
}, 240_000)
afterAll(async () => {
  await here.test.close()
  witness.close()
})

const files = () =>
  badFiles(`http://127.0.0.1:${(witness.address() as AddressInfo | null)?.port ?? 0}/`).filter(({ isSlow }) => !isSlow)

it('ends in text, or in a reason that a person understands', async () => {
  const found: string[] = []
  for (const { name } of files()) {
    const { status, reason, fragments } = await here.address(sources.get(name) ?? '')
    found.push(`${name}: ${status === 'idle' && fragments > 0 ? 'read' : reason}`)
  }
  expect(found).toEqual(files().map(({ name, outcome }) => `${name}: ${outcome}`))
  for (const { outcome } of files()) if (outcome !== 'read') expect(reasonText(outcome)).toMatch(/^[A-Z].*\.$/)
})

it('takes nothing along: healthy files beside it are read', async () => {
  for (const name of healthy) {
    const id = sources.get(name) ?? ''
    expect(await here.source(id), name).toMatchObject({ status: 'idle', reason: null })
    expect(await here.address(id), name).toMatchObject({ status: 'idle', reason: null, fragments: expect.any(Number) })
  }
})

it('leads nowhere, and leaves nothing but the uploads', async () => {
  expect(asked).toBe(0)
  const folder = join(here.test.dataDir, 'files')
  expect(await readdir(join(folder, 'incoming'))).toEqual([])
  const kept = await Promise.all([...sources.values()].map((id) => here.test.app.files.find(id)))
  const names = (await readdir(folder)).filter((name) => name !== 'incoming').sort()
  expect(names).toEqual(kept.map((file) => file?.path.slice(folder.length + 1)).sort())
})
