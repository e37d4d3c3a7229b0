import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkModel } from '../../../cli/check/check-model'
import { collections } from '../../../db/schema/collections'
import type { Embedder } from '../../../server/engine/ports/search-index'
import { openTestApp } from '../../support/app'
import { createTestCli } from '../../support/cli'
import { settleSearch } from '../../support/database/cluster'
import { type FakeHub, startFakeHub } from '../../support/embedding/hub'
import { writeTinyModel } from '../../support/embedding/tiny-model'
import { addCollection, addTexts } from '../../support/texts'

const id = 'lamps/tiny-lamps'
const parent = mkdtempSync(join(tmpdir(), 'sitelore-cli-models-'))
afterAll(() => rmSync(parent, { recursive: true }))

let hub: FakeHub
beforeAll(async () => {
  const folder = writeTinyModel(join(parent, 'my-lamps'))
  const names = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'onnx/model.onnx']
  hub = await startFakeHub(id, Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name))])))
})
afterAll(() => hub.close())

const createCli = (environment: Record<string, string> = {}) =>
  createTestCli({ HF_ENDPOINT: hub.endpoint, ...environment })

describe('models switch', () => {
  it('lists the collections with another model, changes some or all, and keeps what they use', async () => {
    const cli = await createCli()
    await cli.run(['models', 'pull', id])
    const { app } = await openTestApp({ DATA_DIR: cli.dataDir })
    await addCollection(app, { organizationId: 'o1', collectionId: 'lamps' })
    await addCollection(app, { organizationId: 'o2', collectionId: 'bulbs' })
    await addTexts(app, { organizationId: 'o2', collectionId: 'bulbs' }, ['A bulb.'])
    await app.close()

    const listed = await cli.run(['models', 'switch', id])
    expect(listed.out).toMatch(/^Lamps {2}lamps {2}all-MiniLM-L6-v2 {2}0 fragments$/m)
    expect(listed.out).toMatch(/^Lamps {2}bulbs {2}all-MiniLM-L6-v2 {2}1 fragment$/m)
    expect(listed.out).toContain(`To change all: sitelore models switch ${id} --all`)
    expect((await cli.run(['models', 'remove', id])).code).toBe(0)
    await cli.run(['models', 'pull', id])

    const switched = await cli.run(['models', 'switch', id, '--collection', 'lamps'])
    expect(switched.out).toBe(`1 collection will have ${id}.\nStart the server: it builds the new indexes.\n`)
    const removed = await cli.run(['models', 'remove', id])
    expect([removed.code, removed.err]).toEqual([
      1,
      `${id} is in use by 1 collection: 'Lamps'. Change them first: sitelore models switch all-MiniLM-L6-v2 --all\n`,
    ])
    const rest = await cli.run(['models', 'switch', id, '--all', '--json'])
    expect(rest.json()).toMatchObject({ changing: [{ id: 'bulbs', fragments: 1 }] })
    expect((await cli.run(['models', 'switch', id, '--all'])).out).toBe(`0 collections will have ${id}.\n`)
    expect((await cli.run(['models', 'switch', id])).out).toBe(`All collections have ${id}, or are being changed.\n`)
    expect((await cli.run(['models', 'remove', id])).err).toContain("is in use by 2 collections: 'Lamps', 'Lamps'")
  })

  it.each([
    [['none', '--all'], 2, 'There is no usable model none here. Choose one of: all-MiniLM-L6-v2.'],
    [['all-MiniLM-L6-v2', '--collection', 'x'], 2, 'There is no collection x with another model'],
    [['all-MiniLM-L6-v2', '--collection', 'x', '--all'], 2, '--collection and --all exclude each other.'],
  ])('refuses %j', async (words, code, message) => {
    const cli = await createCli()
    const refused = await cli.run(['models', 'switch', ...words])
    expect([refused.code, refused.err]).toEqual([code, expect.stringContaining(message)])
  })
})

describe('search', () => {
  it('uses the model of the collection, which is not the default', async () => {
    const vector = Float32Array.from({ length: 64 }, () => 0.125)
    const embedder = async (name: string): Promise<Embedder> => ({
      ...{ model: `${name}@1`, dimensions: 64, close: async () => {} },
      embedQuery: async () => vector,
      embedPassages: async (texts) => texts.map(() => vector),
    })
    const cli = await createTestCli({}, { overrides: { embedder } })
    const { app } = await openTestApp({ DATA_DIR: cli.dataDir }, { embedder })
    await app.startEmbedding()
    await addCollection(app, { organizationId: 'o1', collectionId: 'bulbs' })
    await addTexts(app, { organizationId: 'o1', collectionId: 'bulbs' }, ['A bulb that glows.'])
    await app.db.write((tx) => tx.update(collections).set({ embeddingModel: 'second' }))
    expect(await app.services.embedding.embedNext('bulbs', new AbortController().signal)).toBe(1)
    await settleSearch(app)
    await app.close()
    const { out, err } = await cli.run(['search', 'anything'])
    expect([out, err]).toEqual([expect.stringContaining('A bulb that glows.'), ''])
  })

  it('waits for the reranker, and tells what it did', async () => {
    const reranker = writeTinyModel(join(parent, 'tiny-reranker'), { scores: { mine: 50 } })
    const first = await createTestCli()
    const added = await first.run(['models', 'add', reranker])
    expect(added.out).toBe(
      'Added tiny-reranker.\nTo use it, set RERANKER_MODEL=tiny-reranker and restart the server.\n',
    )
    expect(await first.run(['models', 'switch', 'tiny-reranker', '--all'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('tiny-reranker'),
    })
    const cli = await createTestCli({ RERANKER_MODEL: 'tiny-reranker', DATA_DIR: first.dataDir })
    expect((await cli.run(['models'])).out).toMatch(/^\* tiny-reranker +languages unknown +reranker +1 MB$/m)
    expect((await cli.run(['models', 'remove', 'tiny-reranker'])).err).toContain('it is the value of RERANKER_MODEL')
    const doctor = await cli.run(['doctor', '--json'])
    expect(doctor.json().checks).toContainEqual({
      name: 'Reranker',
      status: 'ok',
      message: 'tiny-reranker scores texts.',
    })

    const files = {
      'lamp.md': '# The lamp\n\nA lamp: the lamp for dark evenings.',
      'work.md': '# Work\n\nA mine has a lamp.',
    }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(parent, name), text)
    const indexed = await cli.run(['index', ...Object.keys(files).map((name) => join(parent, name))])
    expect(indexed.code).toBe(0)
    const { out } = await cli.run(['search', 'lamp', '--threshold', '0', '--explain'])
    expect(out).toMatch(/^1\. Work /m)
    expect(out).toMatch(/; reranker \d+\.\d{3}; term coverage /)
    expect(out).toMatch(/^Reranker tiny-reranker: 2 of 2 read in \d+ ms$/m)
  })
})

describe('models', () => {
  it('lists the model that ships, and those of the catalogue', async () => {
    const cli = await createCli()
    const { code, out } = await cli.run(['models'])
    expect(code).toBe(0)
    expect(out).toMatch(/^\* all-MiniLM-L6-v2 +English +384 dimensions +\d+ MB +Apache-2\.0$/m)
    expect(out).toMatch(/^ {2}intfloat\/multilingual-e5-small +94 languages +384 dimensions +136 MB +MIT +not tested$/m)
    const { json } = await cli.run(['models', 'list', '--json'])
    expect(json()).toMatchObject({ installed: [{ name: 'all-MiniLM-L6-v2', is_default: true, dimensions: 384 }] })
  })

  it('pulls the model that EMBEDDING_MODEL names, with which the server did not start', async () => {
    const cli = await createCli({ EMBEDDING_MODEL: id })
    const before = await cli.run(['collections'])
    expect(before).toMatchObject({ code: 1 })
    expect(before.err).toContain(`there is no model '${id}'`)
    expect(before.err).toContain(`run: sitelore models pull ${id}`)
    const { code, out, err } = await cli.run(['models', 'pull', id])
    expect(code).toBe(0)
    expect(err).toMatch(/^Downloading: \d+ of \d+ MB, .+ left$/m)
    expect(out).toBe(
      `Pulled ${id} at commit ${hub.commit.slice(0, 12)}.
To use it, choose it on the page of a collection, or run: sitelore models switch ${id}
To make it the default of new collections, set EMBEDDING_MODEL=${id} and restart the server.
`,
    )
    expect((await cli.run(['collections'])).code).toBe(0)
    const removed = await cli.run(['models', 'remove', id])
    expect(removed).toMatchObject({ code: 1, err: expect.stringContaining('is in use') })
  })

  it('prints JSON, and errors as JSON', async () => {
    const cli = await createCli()
    const { json } = await cli.run(['models', 'pull', id, '--json'])
    expect(json()).toEqual({ name: id, kind: 'embedding', commit: hub.commit })
    const again = await cli.run(['models', 'pull', id, '--json'])
    expect(again.code).toBe(1)
    expect(JSON.parse(again.err)).toMatchObject({ error: { code: 'conflict' } })
    expect((await cli.run(['models', 'pull', 'lamps'])).code).toBe(2)
  })

  it('adds and removes a folder', async () => {
    const cli = await createCli()
    const added = await cli.run(['models', 'add', 'my-lamps'], { folder: parent })
    expect(added.out).toMatch(/^Added my-lamps\.\nTo use it, choose it on the page of a collection/)
    expect((await cli.run(['models'])).out).toMatch(/^ {2}my-lamps +languages unknown/m)
    const folder = join(cli.dataDir, 'models', 'my-lamps')
    expect(await checkModel(folder)).toMatchObject({ status: 'ok' })
    appendFileSync(join(folder, 'tokenizer.json'), ' ')
    expect(await checkModel(folder)).toMatchObject({
      status: 'problem',
      message: 'Changed or damaged: tokenizer.json.',
    })
    expect((await cli.run(['models', 'remove', 'my-lamps'])).out).toBe('Removed my-lamps.\n')
  })
})
