import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readModelSettings } from '../../server/adapters/embedding/model-settings'
import { probeModel } from '../../server/adapters/models/model-probe'
import { createCrossEncoder } from '../../server/adapters/reranking/cross-encoder'
import { readRerankerSettings } from '../../server/adapters/reranking/reranker-settings'
import { openRerankingSession } from '../../server/adapters/reranking/reranking-session'
import { loadReranker } from '../../server/compose/rerankers'
import { type TinyModel, writeTinyModel } from '../support/embedding/tiny-model'

const parent = mkdtempSync(join(tmpdir(), 'sitelore-rerankers-'))
afterAll(() => rmSync(parent, { recursive: true }))

let number = 0
const folderOf = (model: TinyModel = {}) =>
  writeTinyModel(join(parent, `reranker-${++number}`), { scores: { lamp: 8, bulb: 4 }, ...model })
const open = (modelFolder = folderOf()) => createCrossEncoder({ model: 'lamps', modelFolder })
const ample = 60_000

describe('a cross-encoder', () => {
  test('scores texts with the query, in order', async () => {
    const reranker = await open()
    // The mean of [CLS] the [SEP] lamp [SEP].
    const scores = await reranker.score('the', ['lamp', 'mine', 'bulb', 'lamp lamp'], ample)
    const expected = [8 / 5, 0, 4 / 5, 16 / 6]
    expect(scores).toEqual(expected.map((score) => expect.closeTo(score, 5)))
    expect(await reranker.score('lamp', ['mine'], ample)).toEqual([expect.closeTo(8 / 5, 5)])
    expect(await reranker.score('lamp', [], ample)).toEqual([])
    expect(reranker.model).toBe('lamps')
    expect(reranker.msPerText).toBeGreaterThan(0)
    await reranker.close()
  })

  test('reads the start of a long text, and keeps the last special token', async () => {
    const modelFolder = folderOf()
    const session = await openRerankingSession({ modelFolder, ...readRerankerSettings(modelFolder), threads: 1 })
    // 512 tokens: [CLS] the [SEP], 508 of the text, and [SEP].
    expect(await session.score('the', 'lamp '.repeat(2_000))).toBeCloseTo((508 * 8) / 512, 4)
    expect(await session.score('the', `${'the '.repeat(600)} lamp`)).toBe(0)
    await session.close()
  })

  test('leaves room for the text after a long query', async () => {
    const reranker = await open()
    const [lamp = 0, mine = 0] = await reranker.score('the '.repeat(600), ['lamp', 'mine'], ample)
    expect(lamp).toBeGreaterThan(mine)
    await reranker.close()
  })

  test.each(['WordPiece', 'Unigram', 'BPE'] as const)(
    'encodes pairs with a tokenizer of type %s',
    async (tokenizer) => {
      const scores = { lamp: 8, '▁lamp': 8, Ġlamp: 8 }
      const reranker = await open(folderOf({ tokenizer, scores }))
      const [lamp = 0, none = 0] = await reranker.score('the', ['the lamp', 'the the'], ample)
      expect(lamp).toBeGreaterThan(none)
      await reranker.close()
    },
  )

  test('returns the scores of the texts that it read in time', async () => {
    const reranker = await open()
    const texts = Array.from({ length: 400 }, () => 'bulb '.repeat(500))
    const scores = await reranker.score('the', texts, 40)
    expect(scores.length).toBeLessThan(texts.length)
    // What was read late does not mix with the next search.
    expect(await reranker.score('the', ['mine', 'lamp'], ample)).toEqual([0, expect.closeTo(8 / 5, 5)])
    await reranker.close()
  })

  test('serves two searches at once', async () => {
    const reranker = await open()
    const [first, second] = await Promise.all([
      reranker.score('the', ['lamp', 'mine'], ample),
      reranker.score('lamp', ['lamp', 'mine'], ample),
    ])
    expect(first).toEqual([expect.closeTo(8 / 5, 5), 0])
    expect(second).toEqual([expect.closeTo(16 / 5, 5), expect.closeTo(8 / 5, 5)])
    await reranker.close()
  })
})

describe('a model that cannot be used', () => {
  const probe = (folder: string) => probeModel(folder)

  test('is rejected with a one-sentence reason', async () => {
    expect(await probe(folderOf())).toEqual({ ok: true })
    const broken = folderOf()
    writeFileSync(join(broken, 'onnx', 'model.onnx'), 'not a model')
    expect(await probe(broken)).toMatchObject({ ok: false, reason: /could not be loaded: [^\n]+\.$/ })
    await expect(open(broken)).rejects.toThrow()
    const architectures = ['BertForSequenceClassification']
    const labels = { 0: 'no', 1: 'yes', 2: 'maybe' }
    const classifier = folderOf({ files: { 'config.json': { model_type: 'bert', architectures, id2label: labels } } })
    expect(await probe(classifier)).toEqual({
      ok: false,
      reason: `config.json in ${classifier} has 3 labels: it is a classifier, while a reranker has one score.`,
    })
    const missing = folderOf()
    rmSync(join(missing, 'tokenizer.json'))
    expect(await probe(missing)).toMatchObject({
      ok: false,
      reason: `The reranker is incomplete: tokenizer.json is missing in ${missing}.`,
    })
    const vectors = writeTinyModel(join(parent, 'vectors'), {
      files: { 'config.json': { model_type: 'bert', architectures } },
    })
    expect(await probe(vectors)).toMatchObject({ ok: false, reason: /no output named logits with one score\.$/ })
    expect(() => readModelSettings(folderOf())).toThrow(/ is a reranker: set RERANKER_MODEL to it, and another/)
  })

  test('may be of another kind', async () => {
    const folder = folderOf()
    const reason = `The model in ${folder} is a reranker, not an embedding model.`
    expect(await probeModel(folder, { kind: 'embedding' })).toEqual({ ok: false, reason })
    expect(await probeModel(folder, { kind: 'reranker' })).toEqual({ ok: true })
  })

  test('may be too slow for the machine', async () => {
    const options = { log: { warn: () => {} }, signal: new AbortController().signal }
    const reranker = { name: 'lamps', modelFolder: folderOf() }
    expect(await loadReranker(reranker, { ...options, budgetMs: 0.000_1 })).toEqual({
      unavailable: expect.stringMatching(
        /^lamps takes \d+ ms to read a fragment on this machine, and a search waits at most [\d.]+ ms\. Choose a smaller model\.$/,
      ),
    })
    const loaded = await loadReranker(reranker, options)
    if (!loaded || 'unavailable' in loaded) throw new Error('The reranker was not loaded.')
    await loaded.close()
  })
})
