import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { checkEmbedding } from '../../../cli/check/check-model'
import { system } from '../../../server/actor'
import { readyz } from '../../../server/http/health'
import { createTestApp, type TestApp } from '../../support/app'
import { type TinyModel, writeTinyModel } from '../../support/embedding/tiny-model'
import { type Site, startSite } from '../../support/sites/site'

const page = `<!doctype html><html lang="en"><head><title>Lamp care</title></head><body><main><h1>Lamp care</h1>
<p>Wipe the shade of the lamp with a dry cloth, and never with soap.</p></main></body></html>`

let folder: string
let site: Site
let test: TestApp | undefined
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sitelore-broken-'))
  site = await startSite({ '/': { body: page } })
})
afterEach(async () => {
  await test?.close()
  test = undefined
  await site.close()
  rmSync(folder, { recursive: true })
})

/** What `/readyz` answers. */
async function readiness({ app }: TestApp): Promise<{ status: number; body: unknown }> {
  const server = express().get('/readyz', readyz(app)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/readyz`)
    return { status: response.status, body: await response.json() }
  } finally {
    server.close()
  }
}

/** Crawls the page; the returned function searches for its text. */
async function readPage({ app, runner }: TestApp) {
  const { id: orgId } = await app.services.organizations.create(system, { name: 'Fennel', entity_name: '' })
  const { id: collectionId } = await app.services.collections.create(system, orgId, { name: 'Lamps', description: '' })
  await app.services.sources.create(
    system,
    { organizationId: orgId, collectionId },
    { type: 'url', name: '', url: `${site.origin}/` },
  )
  await runner.idle()
  return () => app.services.search.collection(system, orgId, { collectionId, query: 'shade soap', limit: 5 })
}

const broken: [string, TinyModel, RegExp][] = [
  [
    'weights that are none',
    { files: { 'onnx/model.onnx': 'no model' } },
    /^The embedding runtime could not be loaded: /,
  ],
  [
    'a tokenizer that is not known',
    { files: { 'tokenizer.json': { model: { type: 'Runes', vocab: {} } } } },
    /^The embedding runtime could not be loaded: /,
  ],
  [
    'wrong settings',
    { files: { 'sitelore.json': { pooling: 'most' } } },
    /sitelore\.json in .+ pooling must be mean, /,
  ],
  [
    'too few dimensions',
    { dimensions: 32 },
    /^The vectors of the model tiny@.+ have 32 dimensions; the index stores 64 to 4,096\.$/,
  ],
]

it.each(broken)(
  'keeps keyword search and shows the reason for a model with %s',
  { timeout: 60_000 },
  async (_, model, reason) => {
    const modelFolder = writeTinyModel(join(folder, 'tiny'), model)
    test = await createTestApp({ EMBEDDING_MODEL: modelFolder }, { embedder: undefined })
    await test.app.startEmbedding()
    const search = await readPage(test)
    const found = await search()
    expect(found).toMatchObject({ mode: 'keyword', pending_embeddings: 1 })
    expect(found.fragments).toMatchObject([{ title: 'Lamp care', url: `${site.origin}/` }])
    const embedding = { kind: 'unavailable', reason: expect.stringMatching(reason) }
    expect(test.app.services.embedding.state()).toEqual(embedding)
    expect(await readiness(test)).toEqual({
      status: 200,
      body: { ok: true, database: 'ready', embedding, search: 'keyword' },
    })
  },
)

it('doctor reports what is wrong with a model', { timeout: 60_000 }, async () => {
  const modelFolder = writeTinyModel(join(folder, 'tiny'), { files: { 'sitelore.json': { pooling: 'most' } } })
  expect(await checkEmbedding(modelFolder)).toMatchObject({
    status: 'problem',
    message: expect.stringContaining('pooling must be mean, cls or last'),
    fix: expect.stringContaining('only keyword search works'),
  })
})

it('embeds the pending fragments once a model works', { timeout: 60_000 }, async () => {
  const modelFolder = writeTinyModel(join(folder, 'tiny'))
  test = await createTestApp({ EMBEDDING_MODEL: modelFolder }, { embedder: undefined })
  const search = await readPage(test)
  expect(await search()).toMatchObject({ mode: 'keyword', pending_embeddings: 1 })
  await test.app.startEmbedding()
  await test.runner.idle()
  expect(await search()).toMatchObject({ mode: 'hybrid', pending_embeddings: 0 })
  const embedding = { kind: 'ready', model: expect.stringMatching(/^tiny@/) }
  expect((await readiness(test)).body).toMatchObject({ embedding, search: 'hybrid' })
})
