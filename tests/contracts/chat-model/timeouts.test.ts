import { describe, expect, it } from 'vitest'
import { providerLabels, providers } from '../../../contract/values/enumerations'
import { providerTimes } from '../../../server/adapters/chat-model/chat-model'
import { chatModelWorld, chatRequest, stopClock } from '../../support/providers/chat-models'
import { startRawServer } from '../../support/sites/raw-server'
import { until } from '../../support/until'

describe.each(providers)('a timeout of %s', (name) => {
  const world = chatModelWorld(name)
  const label = providerLabels[name]
  const slow = { providerFailure: 'timeout', message: `${label} took too long to answer. Try again later.` }

  it.each([{ kind: 'hang' } as const, { kind: 'drip', chunkDelayMs: 5 } as const])(
    'ends the request after a timeout before the first text ($kind)',
    async (step) => {
      // The SDK is loaded.
      await world.read()
      world.provider.requests.length = 0
      world.provider.next(step)
      const { error, chunks } = await world.readAfter(providerTimes.firstTokenMs, () => true)
      expect({ error, chunks }).toMatchObject({ error: slow, chunks: [] })
      expect(world.provider.requests).toHaveLength(1)
      await world.provider.requests[0]?.closed
    },
  )

  it('keeps the text after a timeout between two words', async () => {
    world.provider.next({ kind: 'stall', words: 2 })
    const { error, text } = await world.readAfter(providerTimes.idleMs, (chunks) => chunks.length === 2)
    expect(error).toMatchObject({
      providerFailure: 'timeout',
      message: `${label} stopped responding. The answer is incomplete.`,
    })
    expect(text).toBe('The fragments')
    await world.provider.requests[0]?.closed
  })

  it('ends an answer that takes too long as a whole', async () => {
    world.configure({ idleMs: 2 * providerTimes.totalMs })
    world.provider.next({ kind: 'stall', words: 2 })
    const { error, text } = await world.readAfter(providerTimes.totalMs, (chunks) => chunks.length === 2)
    expect({ error, text }).toMatchObject({ error: { providerFailure: 'timeout' }, text: 'The fragments' })
    await world.provider.requests[0]?.closed
  })

  it('counts reasoning as progress', async () => {
    // Without progress, the time of the first text applies, which is longer.
    const idleMs = 7_777
    world.configure({ idleMs })
    world.provider.next({ kind: 'stall', words: 0, reasoning: ['Hm.'] })
    stopClock()
    // Not a spy: restoring one restores the stopped clock after the test.
    const stopped = globalThis.setTimeout
    const delays: unknown[] = []
    const recorded = (...call: Parameters<typeof setTimeout>) => {
      delays.push(call[1])
      return stopped(...call)
    }
    globalThis.setTimeout = Object.assign(recorded, stopped)
    const stop = new AbortController()
    const reading = world.read({}, stop.signal)
    try {
      await until(() => delays.includes(idleMs))
    } finally {
      globalThis.setTimeout = stopped
    }
    stop.abort()
    expect(await reading).toMatchObject({ chunks: [], error: null })
  })
})

describe.each(providers)('an abort of %s', (name) => {
  const world = chatModelWorld(name)

  it('sends no request if it was aborted before', async () => {
    expect(await world.read({}, AbortSignal.abort())).toMatchObject({ chunks: [], error: null })
    expect(world.provider.requests).toHaveLength(0)
  })

  it.each([{ kind: 'hang' } as const, { kind: 'stall', words: 3 } as const])(
    'ends a request that would never end ($kind)',
    async (step) => {
      world.configure({ firstTokenMs: 600_000, idleMs: 600_000, totalMs: 600_000 })
      world.provider.next(step)
      const stop = new AbortController()
      const reading = world.read({}, stop.signal)
      await until(() => world.provider.requests.length === 1)
      stop.abort()
      const { error, end } = await reading
      expect({ error, end }).toEqual({ error: null, end: undefined })
      await world.provider.requests[0]?.closed
    },
  )

  it('ends the delay before a retry', async () => {
    const busy = await startRawServer((socket) =>
      socket.end('HTTP/1.1 503 Busy\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'),
    )
    world.configure({ retryMs: 600_000 }, `http://127.0.0.1:${busy.port}`)
    const stop = new AbortController()
    const reading = world.read({}, stop.signal)
    // The connection ends when the model has read the answer.
    await until(() => busy.connections() === 1 && busy.openNow() === 0)
    stop.abort()
    expect(await reading).toMatchObject({ error: null, chunks: [] })
    expect(busy.connections()).toBe(1)
    await busy.close()
  })

  it('closes the connection if the consumer aborts', async () => {
    world.provider.next({ kind: 'stall', words: 2 })
    for await (const chunk of world.model.stream(chatRequest, new AbortController().signal)) {
      if (chunk.kind === 'text') break
    }
    await world.provider.requests[0]?.closed
  })
})

describe('the times', () => {
  it('are those of the safety rules', () => {
    expect(providerTimes).toMatchObject({ connectMs: 10_000, firstTokenMs: 60_000, idleMs: 30_000, totalMs: 180_000 })
    // A person learns of a failure within a second of its cause.
    expect(providerTimes.retryMs * 3).toBeLessThan(1_000)
    expect(providerTimes.maxRetryAfterMs * 2).toBeLessThan(1_000)
  })
})
