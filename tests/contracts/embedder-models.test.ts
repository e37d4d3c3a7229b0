import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { identityOf } from '../../server/adapters/embedding/model-identity'
import { readModelSettings } from '../../server/adapters/embedding/model-settings'
import { createTransformersEmbedder } from '../../server/adapters/embedding/transformers'
import { openEmbeddingSession } from '../../server/adapters/embedding/transformers-session'
import { safetensorsOf } from '../support/embedding/safetensors'
import { type TinyModel, writeTinyModel } from '../support/embedding/tiny-model'

const parent = mkdtempSync(join(tmpdir(), 'sitelore-models-'))
afterAll(() => rmSync(parent, { recursive: true }))

let number = 0
const folderOf = (model: TinyModel) => writeTinyModel(join(parent, `model-${++number}`), model)

async function vectorsOf(model: TinyModel, texts: string[]): Promise<number[][]> {
  const modelFolder = folderOf(model)
  const session = await openEmbeddingSession({ modelFolder, ...readModelSettings(modelFolder) })
  const vectors: number[][] = []
  for (const text of texts) vectors.push([...(await session.embed(text))])
  await session.close()
  return vectors
}

function normalized(vector: number[]): number[] {
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

describe('other models', () => {
  test('get the prefixes of their settings', async () => {
    const prompts = { query: 'query: ', passage: 'passage: ' }
    const modelFolder = folderOf({ files: { 'config_sentence_transformers.json': { prompts } } })
    const embedder = await createTransformersEmbedder({ modelFolder, threads: 1 })
    const [passage, twice] = await embedder.embedPassages(['lamp', 'query: lamp'])
    const query = await embedder.embedQuery('lamp')
    await embedder.close()
    expect(embedder.dimensions).toBe(384)
    const expected = await vectorsOf({}, ['passage: lamp', 'passage: query: lamp', 'query: lamp'])
    expect([passage, twice, query].map((vector) => [...(vector ?? [])])).toEqual(expected)
  })

  test('pool the first token, the last one, or all', async () => {
    const pooled = (pooling: string) => vectorsOf({ files: { 'sitelore.json': { pooling } } }, ['lamp', 'the bulb'])
    const [cls, last, mean] = [await pooled('cls'), await pooled('last'), await pooled('mean')]
    // This model has no attention, and every text starts and ends with the same special tokens.
    expect(cls[0]).toEqual(cls[1])
    expect(last[0]).toEqual(last[1])
    expect(cls[0]).not.toEqual(last[0])
    expect(mean[0]).not.toEqual(mean[1])
    for (const vector of [...cls, ...last, ...mean]) expect(Math.hypot(...vector)).toBeCloseTo(1, 5)
  })

  test('read weights from a file of their own, which is part of their identity', async () => {
    expect(await vectorsOf({ hasDataFile: true }, ['lamp'])).toEqual(await vectorsOf({}, ['lamp']))
    const folder = folderOf({ hasDataFile: true })
    const settings = readModelSettings(folder)
    const before = await identityOf(folder, settings)
    appendFileSync(join(folder, 'onnx', 'model.onnx_data'), 'x')
    expect(await identityOf(folder, settings)).not.toBe(before)
  })

  test('give the vector of the text, if they have one', async () => {
    const texts = ['lamp', 'the bulb of the lamp']
    const pooled = await vectorsOf({ pools: true }, texts)
    const expected = await vectorsOf({}, texts)
    for (const [n, vector] of pooled.entries())
      for (const [place, value] of vector.entries()) expect(value).toBeCloseTo(expected[n]?.[place] ?? 0, 5)
    const files = { 'sitelore.json': { output: 'last_hidden_state' } }
    await expect(vectorsOf({ pools: true, files }, texts)).rejects.toThrow('has no output named last_hidden_state.')
    const wanted = { 'sitelore.json': { output: 'sentence_embedding' } }
    await expect(vectorsOf({ files: wanted }, texts)).rejects.toThrow('has no output named sentence_embedding.')
  })

  test('put the pooled vector through their Dense layer', async () => {
    const text = 'the lamp'
    const [plain = []] = await vectorsOf({}, [text])
    const everyThird = Array.from({ length: 128 * 384 }, (_, n) => Number(n % 384 === 3 * Math.floor(n / 384)))
    const files = {
      'modules.json': ['Transformer', 'Pooling', 'Dense', 'Normalize'].map((name, n) => ({
        path: n === 0 ? '' : `${n}_${name}`,
        type: `sentence_transformers.models.${name}`,
      })),
      '2_Dense/config.json': { in_features: 384, out_features: 128, activation_function: 'torch.nn.Identity' },
      '2_Dense/model.safetensors': safetensorsOf({ 'linear.weight': { shape: [128, 384], values: everyThird } }, 'F16'),
    }
    const [vector = []] = await vectorsOf({ files }, [text])
    const kept = normalized(plain.filter((_, n) => n % 3 === 0))
    expect(vector).toHaveLength(128)
    for (const [n, value] of vector.entries()) expect(value).toBeCloseTo(kept[n] ?? 0, 5)
    expect(readModelSettings(folderOf({ files })).dimensions).toBe(128)
  })

  test('keep the first dimensions, as a vector of length 1', async () => {
    const text = 'the lamp'
    const [plain = []] = await vectorsOf({}, [text])
    const files = { 'sitelore.json': { dimensions: 256 } }
    const [vector = []] = await vectorsOf({ files }, [text])
    const kept = normalized(plain.slice(0, 256))
    expect(vector).toHaveLength(256)
    for (const [n, value] of vector.entries()) expect(value).toBeCloseTo(kept[n] ?? 0, 5)
    await expect(vectorsOf({ files: { 'sitelore.json': { dimensions: 512 } } }, [text])).rejects.toThrow(
      "sitelore.json keeps 512 dimensions, but the model's vectors have 384.",
    )
  })

  test('count the prefix in the length of a text', async () => {
    const files = { 'sentence_bert_config.json': { max_seq_length: 12 } }
    const prefixed = { ...files, 'sitelore.json': { passage_prefix: 'passage: ' } }
    const modelFolder = folderOf({ files: prefixed })
    const embedder = await createTransformersEmbedder({ modelFolder, threads: 1 })
    const [cut, same, second] = await embedder.embedPassages([
      'lamp '.repeat(8),
      `${'lamp '.repeat(8)} bulb`,
      `${'lamp '.repeat(7)} bulb`,
    ])
    await embedder.close()
    expect([...(same ?? [])]).toEqual([...(cut ?? [])])
    expect([...(second ?? [])]).not.toEqual([...(cut ?? [])])
  })

  test.each(['WordPiece', 'Unigram', 'BPE'] as const)('support the tokenizer %s', async (tokenizer) => {
    const [first, two] = await vectorsOf({ tokenizer, weights: 'model_quantized.onnx' }, [
      'the lamp',
      'Lampen, światło',
    ])
    expect(first).toHaveLength(384)
    expect(first).not.toEqual(two)
  })

  test('differ in identity by weights, tokenizer and settings', async () => {
    const name = join('same', 'name')
    const identity = (model: TinyModel) => {
      const folder = writeTinyModel(join(parent, `${++number}`, name), model)
      return identityOf(folder, readModelSettings(folder))
    }
    const first = await identity({})
    expect(first).toMatch(/^name@[0-9a-f]{12}$/)
    expect(await identity({})).toBe(first)
    const others: TinyModel[] = [
      { dimensions: 128 },
      { tokenizer: 'Unigram' },
      { files: { 'sitelore.json': { passage_prefix: 'p ' } } },
      { files: { 'sitelore.json': { query_prefix: 'p ' } } },
      { files: { 'sitelore.json': { pooling: 'cls' } } },
      { files: { 'sitelore.json': { dimensions: 256 } } },
      { files: { 'sentence_bert_config.json': { max_seq_length: 128 } } },
    ]
    const identities = await Promise.all(others.map(identity))
    expect(new Set([first, ...identities]).size).toBe(1 + others.length)
  })
})
