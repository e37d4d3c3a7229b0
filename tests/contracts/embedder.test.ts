import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTransformersEmbedder } from '../../server/adapters/embedding/transformers'
import type { Embedder } from '../../server/engine/ports/search-index'
import { isAppError } from '../../server/errors'

const modelFolder = resolve(import.meta.dirname, '../../models/all-MiniLM-L6-v2')

describe('Embedder: transformers', () => {
  let embedder: Embedder

  beforeAll(async () => {
    embedder = await createTransformersEmbedder({ modelFolder, threads: 2 })
  })
  afterAll(() => embedder.close())

  test('identifies the model by its folder and its weights', () => {
    expect(embedder.model).toMatch(/^all-MiniLM-L6-v2@[0-9a-f]{12}$/)
    expect(embedder.dimensions).toBe(384)
  })

  test('returns one unit vector per text, in order', async () => {
    const texts = [
      'cats and dogs',
      '',
      'the price of oil',
      '😀',
      'kittens and puppies',
      'x'.repeat(50_000),
      'petroleum costs',
    ]
    const vectors = await embedder.embedPassages(texts)
    expect(vectors).toHaveLength(texts.length)
    for (const vector of vectors) {
      expect(vector).toBeInstanceOf(Float32Array)
      expect(vector).toHaveLength(384)
      expect(cosine(vector, vector)).toBeCloseTo(1, 5)
    }
    expect(cosine(vectors[0]!, vectors[4]!)).toBeGreaterThan(cosine(vectors[0]!, vectors[2]!) + 0.3)
    expect(cosine(vectors[2]!, vectors[6]!)).toBeGreaterThan(cosine(vectors[2]!, vectors[4]!) + 0.3)
  })

  test('returns the same vector for a text alone, among others and as a query', async () => {
    const text = 'How do I reset my password?'
    const [alone] = await embedder.embedPassages([text])
    const among = await embedder.embedPassages(['a', 'some longer text '.repeat(80), text, 'b', 'c', 'd'])
    expect([...among[2]!]).toEqual([...alone!])
    expect([...(await embedder.embedQuery(text))]).toEqual([...alone!])
  })

  test('truncates a text to the length of the model', async () => {
    const words = 'one two three four five six seven eight nine ten '
    const [cut, longer, second] = await embedder.embedPassages([
      words.repeat(26),
      words.repeat(60),
      `Volcano! ${words.repeat(60)}`,
    ])
    expect(cosine(cut!, longer!)).toBeCloseTo(1, 5)
    expect(cosine(cut!, second!)).toBeLessThan(0.999)
  })

  test('accepts an empty list', async () => {
    expect(await embedder.embedPassages([])).toEqual([])
  })

  test('does not delay a query by passages', async () => {
    await embedder.embedPassages(['warm', 'up', 'both', 'threads', 'please'])
    let done = false
    const passages = embedder
      .embedPassages(Array.from({ length: 60 }, (_, n) => `${n} ${'many more words '.repeat(60)}`))
      .then(() => {
        done = true
      })
    await embedder.embedQuery('quick')
    expect(done).toBe(false)
    await passages
  })

  test('stops when its signal aborts', async () => {
    const stop = new AbortController()
    // Too many to embed within the test.
    const texts = Array.from({ length: 10_000 }, (_, n) => `${n} ${'many more words '.repeat(60)}`)
    const stopped = expect(embedder.embedPassages(texts, { signal: stop.signal })).rejects.toThrow(/abort/)
    // Answered by a thread that starts no sooner than those of the passages.
    await embedder.embedQuery('quick')
    stop.abort()
    await stopped
    // No rest of it delays other texts.
    await embedder.embedPassages(['next'])
    await expect(embedder.embedPassages(['never'], { signal: AbortSignal.abort() })).rejects.toThrow(/abort/)
  })

  test('rejects texts after close', async () => {
    const otherEmbedder = await createTransformersEmbedder({ modelFolder, threads: 1 })
    const waiting = otherEmbedder.embedPassages(Array.from({ length: 40 }, () => 'words '.repeat(200)))
    const refused = expect(waiting).rejects.toSatisfy(isAppError)
    await otherEmbedder.close()
    await refused
    await expect(otherEmbedder.embedQuery('late')).rejects.toSatisfy(isAppError)
  })
})

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, n) => sum + value * (b[n] ?? 0), 0)
}
