import { expect, it, vi } from 'vitest'
import type { Embedder } from '../../engine/ports/search-index'
import { createEmbeddingModels, type LoadOutcome } from './embedding-models'

const log = { warn: vi.fn(), error: vi.fn() }

function embedderOf(model: string): Embedder {
  const vector = new Float32Array(64)
  return {
    model,
    dimensions: 64,
    embedQuery: async () => vector,
    embedPassages: async (texts) => texts.map(() => vector),
    close: vi.fn(async () => {}),
  }
}

function modelsWith(load: (name: string) => Promise<LoadOutcome>, retryMs = 60_000) {
  const { signal } = new AbortController()
  const models = createEmbeddingModels({ load, onReady: async () => {}, retryMs, stopping: signal, log })
  models.start()
  return models
}

const loaded = (name: string): LoadOutcome => ({ embedder: embedderOf(name), tokenizer: { count: () => 1 } })

it('loads a model once, and only after the start', async () => {
  const load = vi.fn(async (name: string) => loaded(name))
  const { signal } = new AbortController()
  const models = createEmbeddingModels({ load, onReady: async () => {}, retryMs: 1, stopping: signal, log })
  expect(await models.open('first')).toBeNull()
  models.start()
  const [first, second] = await Promise.all([models.open('first'), models.open('first')])
  expect([first?.embedder.model, second === first, load.mock.calls.length]).toEqual(['first', true, 1])
  expect([models.find('first') === first, models.state('first')]).toEqual([true, { kind: 'ready', model: 'first' }])
})

it('does not load again what failed, until it is asked to', async () => {
  let reason: string | null = 'The weights are missing.'
  const load = vi.fn(async (name: string) => (reason === null ? loaded(name) : { unavailable: reason }))
  const models = modelsWith(load)
  expect([await models.open('first'), await models.open('first'), models.find('first')]).toEqual([null, null, null])
  expect([load.mock.calls.length, models.state('first')]).toEqual([1, { kind: 'unavailable', reason }])
  reason = null
  expect((await models.retry('first'))?.embedder.model).toBe('first')
})

it('loads again by itself what is missing for a while, and logs a reason once', async () => {
  let attempts = 0
  const models = modelsWith(async (name) => {
    attempts++
    return attempts < 4 ? { unavailable: 'The service does not respond.', isTemporary: true } : loaded(name)
  }, 1)
  log.warn.mockClear()
  await models.open('first')
  await vi.waitFor(() => expect(models.state('first').kind).toBe('ready'))
  expect(log.warn).toHaveBeenCalledOnce()
})

it('closes the models that nobody needs, and a model that is being loaded at the end', async () => {
  let arrive = (_: LoadOutcome) => {}
  const late = loaded('late')
  const models = modelsWith((name) =>
    name === 'late' ? new Promise((resolve) => (arrive = resolve)) : Promise.resolve(loaded(name)),
  )
  const [first, second] = [await models.open('first'), await models.open('second')]
  await models.keepOnly(new Set(['second']))
  expect(first?.embedder.close).toHaveBeenCalledOnce()
  expect(second?.embedder.close).not.toHaveBeenCalled()
  const opening = models.open('late')
  const closing = models.close()
  arrive(late)
  await closing
  expect(await opening).toBeNull()
  expect(second?.embedder.close).toHaveBeenCalledOnce()
  expect(late && 'embedder' in late && late.embedder.close).toHaveBeenCalledOnce()
})
