import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { keepVectors } from './vector-cache'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sitelore-vectors-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function embedderOf(model: string, first = 1) {
  const asked: string[] = []
  const vectorOf = (text: string) =>
    Float32Array.from([first, text.length, 0, 0]).map((number) => number / Math.hypot(first, text.length))
  return {
    asked,
    model,
    dimensions: 4,
    embedPassages: async (texts: string[]) => {
      asked.push(...texts)
      return texts.map(vectorOf)
    },
    embedQuery: async (text: string) => {
      asked.push(`? ${text}`)
      return vectorOf(text)
    },
    close: async () => {},
  }
}

it('embeds a text once, in whatever order it comes again', async () => {
  const first = embedderOf('lamp@1')
  const kept = await keepVectors(first, folder)
  const vectors = await kept.embedPassages(['one', 'three', 'one'])
  expect(vectors.map((vector) => Math.round((vector[1] ?? 0) / (vector[0] ?? 1)))).toEqual([3, 5, 3])
  await kept.embedQuery('one')
  await kept.close()

  const second = embedderOf('lamp@1')
  const again = await keepVectors(second, folder)
  expect(await again.embedPassages(['three', 'eleven', 'one'])).toHaveLength(3)
  expect(await again.embedQuery('one')).toEqual(vectors[0])
  expect(second.asked.filter((text) => !text.startsWith('?'))).toEqual(['eleven'])
  await again.close()
})

it('keeps each model apart, and throws away what a model gave before it gave something else', async () => {
  const second = embedderOf('lamp@2')
  const kept = await keepVectors(second, folder)
  await kept.embedPassages(['one'])
  await kept.close()
  expect(second.asked).toContain('one')

  const changed = embedderOf('lamp@2', 40)
  const reopened = await keepVectors(changed, folder)
  await reopened.embedPassages(['one'])
  await reopened.close()
  expect(changed.asked).toContain('one')
})
