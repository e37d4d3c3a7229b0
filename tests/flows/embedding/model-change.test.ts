import { eq, sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fragments } from '../../../db/schema/addresses'
import { collections, modelChanges } from '../../../db/schema/collections'
import { jobs } from '../../../db/schema/jobs'
import { system } from '../../../server/actor'
import type { Embedder } from '../../../server/engine/ports/search-index'
import { type Feeding, startFeeding } from '../../../workers/feed-search'
import { createTestApp, type TestApp } from '../../support/app'
import { settleSearch } from '../../support/database/cluster'
import { newDataFolder } from '../../support/database/data-folder'
import { writeTinyModel } from '../../support/embedding/tiny-model'
import { addCollection, addTexts } from '../../support/texts'
import { until } from '../../support/until'

const lamps = { organizationId: 'o1', collectionId: 'lamps' }
const widths = { 'all-MiniLM-L6-v2': 384, wide: 768, same: 384 }
const texts = Array.from({ length: 150 }, (_, n) => `The lamp of number ${n} burns oil.`)

let dataDir: string
let test: TestApp
let feeding: Feeding
/** Resolves when the next batch of the new model may go on. */
let gate: () => Promise<void>
let isBroken: boolean
let embedders: Map<string, Embedder & { passages: number }>

beforeEach(async () => {
  dataDir = await newDataFolder()
  for (const name of ['wide', 'same']) writeTinyModel(`${dataDir}/models/${name}`)
  gate = async () => {}
  embedders = new Map()
  isBroken = false
  test = await createTestApp({ DATA_DIR: dataDir }, { embedder: async (name) => embedderOf(name) })
  await test.app.startEmbedding()
  feeding = startFeeding(test.app)
  await addCollection(test.app, lamps)
  await addTexts(test.app, lamps, texts)
  await embedNow()
})
afterEach(async () => {
  await feeding.stop()
  await test.close()
})

function embedderOf(name: string): Embedder {
  if (isBroken) throw new Error('The weights are damaged.')
  const dimensions = widths[name as keyof typeof widths]
  // Each model places the texts elsewhere: a comparison across models would find others.
  const seed = [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0)
  const vectorOf = (text: string) => {
    const number = Number(/\d+/.exec(text)?.[0] ?? 0)
    const vector = Float32Array.from({ length: dimensions }, (_, n) => Math.sin((number + 1) * (n + seed)))
    const norm = Math.hypot(...vector)
    return vector.map((value) => value / norm)
  }
  const embedder = {
    model: `${name}@1`,
    dimensions,
    passages: 0,
    embedQuery: async (text: string) => vectorOf(text),
    async embedPassages(passages: string[]) {
      if (name !== 'all-MiniLM-L6-v2') await gate()
      embedder.passages += passages.length
      return passages.map(vectorOf)
    },
    close: vi.fn(async () => {}),
  }
  embedders.set(name, embedder)
  return embedder
}

async function embedNow(): Promise<void> {
  while ((await test.app.services.embedding.embedNext('lamps', new AbortController().signal)) > 0);
  await settle()
}

/** Resolves when searches find all that was stored, whoever delivers it. */
async function settle(): Promise<void> {
  const { feed } = test.app.services.feedSearch
  await until(async () => !feed || (await feed.pending()).count === 0)
  await settleSearch(test.app)
}

const search = (number = 17) =>
  test.app.services.search.collection(system, 'o1', {
    collectionId: 'lamps',
    query: `lamp of number ${number}`,
    limit: 5,
    explain: true,
  })
const change = async () => (await test.app.services.modelChanges.get(system, lamps)).change
const collection = async () => (await test.app.db.read.select().from(collections))[0]
const vectorKeys = async () =>
  (await test.app.db.read.execute<{ key: number }>(sql`select key from fragment_vectors order by key`)).map(
    ({ key }) => key,
  )
const labels = async () =>
  (await test.app.db.read.selectDistinct({ model: fragments.vectorModel }).from(fragments)).map(({ model }) => model)
/** The former vectors are kept for the searches that began before the swap. */
async function endSearches(): Promise<void> {
  await until(async () => (await change())?.state === 'removing')
  await test.app.db.write(async (tx) => {
    await tx.update(modelChanges).set({ swappedAt: new Date(0) })
    await tx.update(jobs).set({ runAfter: new Date(0) })
  })
}
const first = async () => {
  const { mode, fragments: found } = await search()
  return [mode, found[0]?.content, found[0]?.figures?.vector_rank, found[0]?.figures?.cosine?.toFixed(3)]
}
const best = ['hybrid', texts[17], 1, '1.000']

describe('a change of the embedding model of a collection', () => {
  it('builds beside the vectors in use, swaps once, and removes the former ones', async () => {
    expect(await first()).toEqual(best)
    await test.app.services.modelChanges.start(system, lamps, 'wide')
    const seen = new Set<string>()
    const isSearched = async () => {
      const { mode, fragments: found } = await search()
      seen.add(`${mode} ${found[0]?.content} ${found[0]?.figures?.cosine?.toFixed(3)}`)
      return true
    }
    await until(async () => (await isSearched()) && (await change())?.state === 'removing')
    await endSearches()
    await until(async () => (await isSearched()) && (await change()) === null)
    await settle()
    expect([...seen]).toEqual([`hybrid ${texts[17]} 1.000`])
    expect(await first()).toEqual(best)
    expect(await collection()).toMatchObject({ embeddingModel: 'wide', vectorModel: 'wide@1', vectorSlot: 1 })
    expect(await labels()).toEqual(['wide@1'])
    expect((await vectorKeys()).every((key) => key < 0)).toBe(true)
    expect(await vectorKeys()).toHaveLength(texts.length)
  })

  it('embeds what is added meanwhile with both models', async () => {
    let open = () => {}
    gate = () => new Promise((resolve) => (open = resolve))
    await test.app.services.modelChanges.start(system, lamps, 'wide')
    await addTexts(test.app, lamps, ['The lamp of number 900 is new.'])
    await embedNow()
    expect((await search(900)).fragments[0]?.content).toContain('900')
    expect((await vectorKeys()).filter((key) => key > 0)).toHaveLength(texts.length + 1)
    gate = async () => {}
    open()
    await endSearches()
    await until(async () => (await change()) === null)
    await test.runner.idle()
    await settle()
    const { fragments: found, pending_embeddings: pending } = await search(900)
    expect([found[0]?.content, found[0]?.figures?.vector_rank, pending]).toEqual([
      'The lamp of number 900 is new.',
      1,
      0,
    ])
    expect(await vectorKeys()).toHaveLength(texts.length + 1)
  })

  it('is paused, resumed and cancelled, and leaves nothing behind', async () => {
    let waiting = 0
    let open = () => {}
    gate = () =>
      new Promise((resolve) => {
        waiting++
        open = resolve
      })
    const { modelChanges: changes } = test.app.services
    await changes.start(system, lamps, 'wide')
    await expect(changes.start(system, lamps, 'same')).rejects.toThrow('being changed already')
    await until(() => waiting === 1)
    await changes.pause(system, lamps)
    open()
    await until(async () => (await change())?.state === 'paused')
    await test.runner.idle()
    expect(await change()).toMatchObject({ state: 'paused', done: 0, total: 150 })
    await changes.resume(system, lamps)
    await until(() => waiting === 2)
    open()
    await until(() => waiting === 3)
    expect(await change()).toMatchObject({ state: 'building', done: 64, total: 150, problem: null })
    await changes.cancel(system, lamps)
    open()
    await until(async () => (await change()) === null)
    await settle()
    expect(await collection()).toMatchObject({ vectorModel: 'all-MiniLM-L6-v2@1', vectorSlot: 0 })
    expect((await vectorKeys()).every((key) => key > 0)).toBe(true)
    expect(await first()).toEqual(best)
    expect(embedders.get('wide')?.close).toHaveBeenCalledOnce()
  })

  it('changes back, and to vectors of the same width', async () => {
    for (const [name, slot] of [
      ['same', 1],
      ['all-MiniLM-L6-v2', 0],
    ] as const) {
      await test.app.services.modelChanges.start(system, lamps, name)
      await endSearches()
      expect(await collection()).toMatchObject({ embeddingModel: name, vectorSlot: slot })
      await until(async () => (await change()) === null)
      await test.runner.idle()
      await settle()
      expect(await first()).toEqual(best)
      expect(await vectorKeys()).toHaveLength(texts.length)
    }
  })

  it('says why it waits while the new model cannot be loaded, and can be cancelled', async () => {
    isBroken = true
    await test.app.services.modelChanges.start(system, lamps, 'wide')
    await until(async () => (await change())?.problem !== null)
    expect(await change()).toMatchObject({ problem: 'The embedding model could not be loaded.', seconds_left: null })
    expect(await first()).toEqual(best)
    await test.app.services.modelChanges.cancel(system, lamps)
    await until(async () => (await change()) === null)
  })

  it('refuses models that are not installed, the same model, and strangers', async () => {
    const { modelChanges: changes } = test.app.services
    await expect(changes.start(system, lamps, 'none')).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(changes.start(system, lamps, 'all-MiniLM-L6-v2')).rejects.toMatchObject({ code: 'conflict' })
    await expect(changes.cancel(system, lamps)).rejects.toMatchObject({ code: 'conflict' })
    const viewer = {
      kind: 'person' as const,
      userId: 'u1',
      staff: false,
      memberships: [{ organizationId: 'o1', role: 'viewer' as const }],
    }
    await expect(changes.start(viewer, lamps, 'wide')).rejects.toMatchObject({ code: 'forbidden' })
    await expect(changes.get({ ...viewer, memberships: [] }, lamps)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('gives an empty collection the model at once', async () => {
    const bulbs = { organizationId: 'o1', collectionId: 'bulbs' }
    await addCollection(test.app, bulbs)
    await test.app.services.modelChanges.start(system, bulbs, 'wide')
    expect(await test.app.services.modelChanges.get(system, bulbs)).toMatchObject({ name: 'wide', change: null })
    await addTexts(test.app, bulbs, ['The lamp of number 3 burns oil.'])
    await test.app.services.embedding.embedNext('bulbs', new AbortController().signal)
    const [row] = await test.app.db.read.select().from(collections).where(eq(collections.id, 'bulbs'))
    expect(row).toMatchObject({ vectorModel: 'wide@1', vectorSlot: 0 })
  })
})
