import { InMemorySpanExporter } from '@opentelemetry/sdk-trace-node'
import { afterEach, expect, it } from 'vitest'
import { createTelemetry } from './telemetry'
import { createTracing, type Tracing } from './tracing'

let tracing: Tracing | undefined
afterEach(() => tracing?.close())

function start() {
  // Shutting down clears it.
  const kept: { name: string; id: string; parent: string | undefined; error: string | undefined }[] = []
  const exporter = new InMemorySpanExporter()
  exporter.shutdown = async () => {}
  tracing = createTracing('1.0.0', {}, exporter)
  const telemetry = createTelemetry(null, tracing)
  async function spans() {
    await tracing?.close()
    for (const span of exporter.getFinishedSpans())
      kept.push({
        name: span.name,
        id: span.spanContext().spanId,
        parent: span.parentSpanContext?.spanId,
        error: span.status.message,
      })
    const nameOf = (id: string | undefined) => kept.find((span) => span.id === id)?.name ?? null
    return kept.map(({ name, parent, error }) => ({ name, parent: nameOf(parent), ...(error ? { error } : {}) }))
  }
  return { telemetry, spans }
}

it('nests the stages of what yields items step by step, for several at once', async () => {
  const { telemetry, spans } = start()
  async function* answer() {
    await telemetry.stage('search', () => telemetry.stage('keywords', async () => {}))
    yield 1
    yield* telemetry.stream('provider', words())
    await telemetry.stage('citations', async () => {})
  }
  async function* words() {
    yield 2
    yield 3
  }
  const read = async () => {
    const items: number[] = []
    for await (const item of telemetry.stream('answer', answer())) items.push(item)
    return items
  }
  expect(await Promise.all([read(), read()])).toEqual([
    [1, 2, 3],
    [1, 2, 3],
  ])
  const found = await spans()
  for (const [name, parent] of [
    ['answer', null],
    ['search', 'answer'],
    ['keywords', 'search'],
    ['provider', 'answer'],
    ['citations', 'answer'],
  ])
    expect(found.filter((span) => span.name === name && span.parent === parent)).toHaveLength(2)
  expect(found).toHaveLength(10)
})

it('ends the span of a stream that its reader leaves, and lets the source clean up', async () => {
  const { telemetry, spans } = start()
  let isClosed = false
  async function* endless() {
    try {
      for (;;) yield 1
    } finally {
      isClosed = true
    }
  }
  for await (const _ of telemetry.stream('answer', endless())) break
  expect(isClosed).toBe(true)
  expect(await spans()).toEqual([{ name: 'answer', parent: null }])
})

it('marks a failed stage with the name of its error, never with its message', async () => {
  const { telemetry, spans } = start()
  await expect(
    telemetry.stage('search', async () => {
      throw new TypeError('a private question')
    }),
  ).rejects.toThrow('a private question')
  expect(await spans()).toEqual([{ name: 'search', parent: null, error: 'TypeError' }])
})
