import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { system } from '../../../server/actor'
import { openTestApp } from '../../support/app'
import { writeTinyModel } from '../../support/embedding/tiny-model'
import { type CrawledCollection, createCollection } from '../../support/sites/crawl'
import { type Site, startSite } from '../../support/sites/site'

const parent = mkdtempSync(join(tmpdir(), 'sitelore-reranker-'))
afterAll(() => rmSync(parent, { recursive: true }))

const page = (title: string, text: string) =>
  `<html lang="en"><title>${title}</title><main><h1>${title}</h1><p>${text}</p></main></html>`

let site: Site
let crawled: CrawledCollection
let reranker: string

beforeAll(async () => {
  // Of two pages that both match, it prefers the one with more of these words.
  reranker = writeTinyModel(join(parent, 'tiny-reranker'), { scores: { mine: 50, bulb: 10 } })
  site = await startSite({
    '/lamp': page('The lamp', 'A lamp: the lamp for dark evenings, and the lamp for long tables.'),
    '/bulb': page('Parts', 'The bulb of a lamp is a part like others, and is sold with a box of ten.'),
    '/mine': page('Work', 'In a mine, workers carry a lamp on the head for twelve hours in a row.'),
  })
  crawled = await createCollection({ RERANKER_MODEL: reranker })
  for (const path of ['/lamp', '/bulb', '/mine']) await crawled.add({ type: 'url', url: site.origin + path })
})
afterAll(async () => {
  await crawled.test.close()
  await site.close()
})

function find(limit = 10) {
  const asked = { collectionId: crawled.collectionId, query: 'lamp', explain: true, threshold: 0, limit }
  return crawled.test.app.services.search.collection(system, crawled.orgId, asked)
}
const pathsOf = ({ fragments }: Awaited<ReturnType<typeof find>>) => fragments.map(({ url }) => new URL(url).pathname)

describe('a search with a reranker', () => {
  it('does without until it is loaded, and is reordered then', async () => {
    const { app } = crawled.test
    const before = await find()
    expect(before.explanation?.reranker).toBeNull()
    expect(pathsOf(before)[0]).toBe('/lamp')
    expect(app.services.reranking.state()).toMatchObject({ model: reranker, state: { kind: 'starting' } })

    await app.startReranker()
    expect(app.services.reranking.state()).toMatchObject({ state: { kind: 'ready' } })
    const after = await find()
    expect(pathsOf(after)).toEqual(['/mine', '/bulb', '/lamp'])
    expect(after.explanation?.reranker).toEqual({
      model: reranker,
      candidates: 3,
      scored: 3,
      ms: expect.any(Number),
      applied: true,
    })
    expect(after.fragments.map(({ figures }) => figures?.reranker_score)).toEqual(
      after.fragments.map(({ figures }) => figures?.reranker_score).toSorted((a, b) => Number(b) - Number(a)),
    )
    // The scores are those of the search, with which thresholds are compared.
    expect(after.fragments.map(({ score }) => score).toSorted()).toEqual(
      before.fragments.map(({ score }) => score).toSorted(),
    )
  })

  it('chooses among more hits than it returns', async () => {
    const found = await find(1)
    expect(pathsOf(found)).toEqual(['/mine'])
    expect(found.explanation?.dropped).toMatchObject([{ reason: 'over-limit' }, { reason: 'over-limit' }])
  })

  it('gives agents the fragments in its order', async () => {
    const { fragments } = await crawled.test.app.services.search.find(crawled.orgId, {
      collectionId: crawled.collectionId,
      query: 'lamp',
      threshold: 0,
      limit: 2,
    })
    expect(fragments.map(({ url }) => new URL(url).pathname)).toEqual(['/mine', '/bulb'])
  })
})

describe('RERANKER_MODEL', () => {
  it('is not EMBEDDING_MODEL', async () => {
    await expect(openTestApp({ EMBEDDING_MODEL: reranker })).rejects.toThrow(
      `EMBEDDING_MODEL: ${reranker} is a reranker. Set RERANKER_MODEL to it, and EMBEDDING_MODEL to another model.`,
    )
  })

  it('may name a folder with damaged files', async () => {
    const folder = writeTinyModel(join(parent, 'damaged'), { files: { 'config.json': '{' } })
    const { app } = await openTestApp({ RERANKER_MODEL: folder, EMBEDDING_MODEL: folder })
    await app.startReranker()
    expect(app.services.reranking.state()?.state).toMatchObject({
      reason: `config.json in ${folder} is not valid JSON.`,
    })
    await app.close()
  })

  it.each([
    [
      'a model that is not installed',
      'no-such-model',
      /^RERANKER_MODEL: there is no model 'no-such-model' in .*sitelore models pull no-such-model$/,
    ],
    [
      'an embedding model',
      'all-MiniLM-L6-v2',
      'RERANKER_MODEL: all-MiniLM-L6-v2 is an embedding model. Set a reranker, such as cross-encoder/ms-marco-MiniLM-L6-v2.',
    ],
  ])('refuses %s', async (_, name, message) => {
    await expect(openTestApp({ RERANKER_MODEL: name })).rejects.toThrow(message)
  })

  it('names a model that cannot be used: searches do without, and its state says why', async () => {
    const folder = writeTinyModel(join(parent, 'broken'), { scores: {}, files: { 'onnx/model.onnx': 'not a model' } })
    const { app } = await openTestApp({ RERANKER_MODEL: resolve(folder) })
    await app.startReranker()
    expect(app.services.reranking.current()).toBeNull()
    expect(app.services.reranking.state()?.state).toMatchObject({
      kind: 'unavailable',
      reason: expect.stringMatching(/could not be loaded: /),
    })
    await app.close()
  })
})
