import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addresses } from '../../db/schema/addresses'
import { modelChanges, runs, sources } from '../../db/schema/collections'
import { jobs } from '../../db/schema/jobs'
import { bundleForNode, workerEntries } from '../../scripts/lib/bundle.mjs'
import { system } from '../../server/actor'
import { createTransformersEmbedder } from '../../server/adapters/embedding/transformers'
import { createSearchThreads } from '../../server/adapters/search-threads'
import { createSqliteTextIndex } from '../../server/adapters/text-index/text-index'
import { createSqliteVectorIndex } from '../../server/adapters/vector-index/vector-index'
import type { App } from '../../server/app'
import type { Fragment } from '../../server/engine/ports/extractor'
import { replaceFragments } from '../../server/services/fragments/fragments'
import { createTestApp, openTestApp } from '../support/app'
import { newDataFolder } from '../support/database/data-folder'
import { chooseFolder } from '../support/embedding/choose-folder'
import { writeTinyModel } from '../support/embedding/tiny-model'
import { testRandom } from '../support/test-random'
import { until } from '../support/until'

const kills = 10
const pages = 26
const fragmentsOfPage = 80
const count = pages * fragmentsOfPage
const outdir = 'node_modules/.cache/embedding-process'

let parent: string
let modelFolder: string
let child: ChildProcess | undefined
beforeAll(async () => {
  const entryPoints = { 'embedding-process': 'tests/support/embedding/embedding-process.ts', ...workerEntries() }
  await bundleForNode({ entryPoints, outdir, splitting: true })
  parent = mkdtempSync(join(tmpdir(), 'sitelore-kills-'))
  modelFolder = writeTinyModel(join(parent, 'tiny'))
})
afterAll(() => {
  child?.kill('SIGKILL')
  rmSync(parent, { recursive: true })
})

const embedder = () => createTransformersEmbedder({ modelFolder, threads: 1 })

/** One that its words tell from all others; but each tenth page has the texts of the one before. */
function fragmentOf(page: number, ordinal: number): Fragment {
  const own = page % 10 === 9 ? page - 1 : page
  let seed = own * fragmentsOfPage + ordinal + 1
  const words = Array.from({ length: 25 }, () => {
    seed = (seed * 16_807) % 2_147_483_647
    return seed.toString(36)
  })
  const text = `The lamp code${own}x${ordinal} hums ${words.join(' ')}`
  const said = { headings: [], innerHeadings: [], anchor: null, tokens: 60, language: 'en' }
  return { ordinal, text, title: 'Lamps', hash: `hash of ${text}`, ...said }
}

/** A data folder with a collection whose fragments are found by their words and wait for their vectors. */
async function prepare(app: App) {
  const { id: organizationId } = await app.services.organizations.create(system, { name: 'Fennel', entity_name: '' })
  const { id: collectionId } = await app.services.collections.create(system, organizationId, {
    name: 'Lamps',
    description: '',
  })
  const keys = { organizationId, collectionId, sourceId: 's1' }
  const search = createSearchThreads({ file: app.config.databaseFile })
  const text = createSqliteTextIndex({ search })
  const indexes = { text, vectors: createSqliteVectorIndex({ search }) }
  await app.db.write(async (tx) => {
    await tx.insert(sources).values({ ...keys, id: 's1', type: 'url', name: 'Care', status: 'idle' })
    await tx.insert(runs).values({ id: 'r1', sourceId: 's1', startedAt: new Date(0) })
  })
  for (let page = 0; page < pages; page++) {
    const address = { ...keys, id: `page-${page}` }
    const wanted = Array.from({ length: fragmentsOfPage }, (_, ordinal) => fragmentOf(page, ordinal))
    await app.db.write(async (tx) => {
      await tx.insert(addresses).values({ ...address, url: `https://lamps.example/${page}`, status: 'idle' })
      await replaceFragments(tx, indexes, address, wanted)
    })
  }
  await search.close()
  return { organizationId, collectionId }
}

async function keysOf(app: App, statement: string): Promise<number[]> {
  const rows = await app.db.read.execute<{ key: number }>(sql.raw(`${statement} order by 1`))
  return rows.map(({ key }) => key)
}

/** The keys of the fragments that have their vector; each of them has one, and nothing else has any. */
async function embedded(app: App): Promise<number[]> {
  const said = await keysOf(app, 'select key from fragments where vector_model is not null')
  expect(await keysOf(app, 'select key from fragment_vectors')).toEqual(said)
  return said
}

it('ten times by kill -9 loses no vector, stores none twice and is searched all the while', async () => {
  const { app, dataDir } = await openTestApp({}, { embedder })
  const place = await prepare(app)
  const vectors = async () => (await keysOf(app, 'select key from fragment_vectors')).length
  await app.startEmbedding()

  const random = testRandom()
  for (let kill = 0; kill < kills; kill++) {
    const before = await vectors()
    const started = spawn(process.execPath, [join(outdir, 'embedding-process.js'), dataDir, modelFolder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    child = started
    const ended = once(started, 'exit')
    await Promise.race([once(started.stdout, 'data'), ended])
    // Of three, one ends where it has just stored something, one some time later, and one while it embeds its first.
    const way = kill % 3
    while (way < 2 && started.exitCode === null && (await vectors()) === before) await setImmediate()
    if (way > 0) await sleep(random() * 80)
    expect(started.exitCode, 'the process is there to be killed').toBeNull()
    started.kill('SIGKILL')
    await ended
    await expectRightAnswers()
  }
  const left = count - (await vectors())
  expect(left).toBeGreaterThan(0)
  expect(left).toBeLessThan(count)
  await app.close()

  const last = await createTestApp({ DATA_DIR: dataDir }, { embedder })
  await last.app.startEmbedding()
  await last.runner.idle()
  expect(await embedded(last.app)).toHaveLength(count)
  expect(await last.app.db.read.select().from(runs)).toMatchObject([{ id: 'r1', embedded: count }])
  expect(await keysOf(last.app, 'select 1 as key from jobs')).toEqual([])
  await expectTheirOwnVectors(last.app)
  await last.close()

  async function expectRightAnswers(): Promise<void> {
    const done = await embedded(app)
    for (const page of [0, 5, 20, pages - 2]) {
      const code = `code${page}x${Math.floor(random() * fragmentsOfPage)}`
      const query = { collectionId: place.collectionId, query: `where is the lamp ${code}`, limit: 3 }
      const found = await app.services.search.collection(system, place.organizationId, query)
      expect(found.pending_embeddings).toBe(count - done.length)
      expect(found.fragments[0]?.content).toContain(` ${code} `)
    }
  }
})

it('six times by kill -9, a change of the model continues, and the former vectors are searched until it has ended', async () => {
  const dataDir = await newDataFolder()
  writeTinyModel(join(dataDir, 'models', 'next'), { dimensions: 96 })
  const byName = (name: string) =>
    createTransformersEmbedder({ modelFolder: chooseFolder(dataDir, name, modelFolder), threads: 1 })
  const { app } = await openTestApp({ DATA_DIR: dataDir }, { embedder: byName })
  const place = await prepare(app)
  await app.startEmbedding()
  while ((await app.services.embedding.embedNext(place.collectionId, new AbortController().signal)) > 0);
  await app.db.write((tx) => tx.delete(jobs))
  await app.services.modelChanges.start(system, place, 'next')

  const random = testRandom()
  const done = async () => (await app.db.read.select().from(modelChanges))[0]?.throughKey ?? Number.NaN
  for (let kill = 0; kill < 6; kill++) {
    const before = await done()
    const started = spawn(process.execPath, [join(outdir, 'embedding-process.js'), dataDir, modelFolder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    child = started
    const ended = once(started, 'exit')
    while (started.exitCode === null && (await done()) === before) await setImmediate()
    if (kill % 2 > 0) await sleep(random() * 40)
    expect(started.exitCode, 'the process is there to be killed').toBeNull()
    started.kill('SIGKILL')
    await ended
    const through = await done()
    expect(through).toBeGreaterThan(before)
    // Each fragment up to there has a vector in both sets, and no other has one in the second.
    const built = (await keysOf(app, 'select key from fragment_vectors where key < 0')).map((key) => -key).reverse()
    expect(built).toEqual(await keysOf(app, `select key from fragments where key <= ${through}`))
    const code = `code5x${Math.floor(random() * fragmentsOfPage)}`
    const query = { collectionId: place.collectionId, query: `where is the lamp ${code}`, limit: 3 }
    const found = await app.services.search.collection(system, place.organizationId, query)
    expect([found.mode, found.pending_embeddings]).toEqual(['hybrid', 0])
    expect(found.fragments[0]?.content).toContain(` ${code} `)
  }
  await app.close()

  const last = await createTestApp({ DATA_DIR: dataDir }, { embedder: byName })
  await last.app.startEmbedding()
  await until(async () => (await last.app.services.modelChanges.get(system, place)).change === null)
  expect(await keysOf(last.app, 'select key from fragment_vectors where length(vector) <> 384')).toEqual([])
  expect(await keysOf(last.app, 'select key from fragment_vectors')).toHaveLength(count)
  expect(await keysOf(last.app, 'select key from fragment_vectors where key > 0')).toEqual([])
  await last.close()
})

/** Of some fragments all over the collection, those of the same text elsewhere included. */
async function expectTheirOwnVectors({ db, services }: App): Promise<void> {
  const rows = await db.read.execute<{ text: string; vector: Buffer }>(sql`select text, vector from fragments
    join fragment_vectors on fragment_vectors.key = fragments.key where fragments.key % 37 = 0`)
  expect(rows.length).toBeGreaterThan(50)
  const expected = await services.embedding.embedder()?.embedPassages(rows.map(({ text }) => `Lamps\n${text}`))
  const bytesOf = (vector: Float32Array | undefined) =>
    Buffer.from(vector?.buffer ?? new ArrayBuffer(0)).toString('hex')
  expect(rows.map(({ vector }) => Buffer.from(vector).toString('hex'))).toEqual(expected?.map(bytesOf))
}
