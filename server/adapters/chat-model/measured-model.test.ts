import { expect, it } from 'vitest'
import type { ChatChunk } from '../../engine/ports/chat-model'
import { noTelemetry } from '../../engine/ports/telemetry'
import { createMeasuredModel } from './measured-model'

const request = { model: 'tiny', messages: [], maxOutputTokens: 10, apiKey: 'sk-secret' }

it('logs what a call used, and neither its key nor its text', async () => {
  const lines: object[] = []
  const log = { debug: (details: object) => void lines.push(details) }
  const model = createMeasuredModel(
    {
      async *stream(): AsyncGenerator<ChatChunk> {
        yield { kind: 'text', text: 'A private answer' }
        yield { kind: 'end', stopReason: 'complete', tokensInput: 7, tokensOutput: 3, responseId: 'r1' }
      },
    },
    'openai',
    { log, telemetry: noTelemetry },
  )
  for await (const _ of model.stream(request, new AbortController().signal));
  expect(lines).toEqual([
    expect.objectContaining({
      provider: 'openai',
      model: 'tiny',
      tokensInput: 7,
      tokensOutput: 3,
      outcome: 'complete',
    }),
  ])
  expect(JSON.stringify(lines)).not.toMatch(/private|sk-secret/)
})

it('logs a failure, and passes it on', async () => {
  const lines: object[] = []
  const log = { debug: (details: object) => void lines.push(details) }
  const failing = {
    // biome-ignore lint/correctness/useYield: it fails before the first chunk
    async *stream(): AsyncGenerator<ChatChunk> {
      throw new Error('No connection.')
    },
  }
  const stream = createMeasuredModel(failing, 'openai', { log, telemetry: noTelemetry }).stream(
    request,
    new AbortController().signal,
  )
  await expect(stream[Symbol.asyncIterator]().next()).rejects.toThrow('No connection.')
  expect(lines).toEqual([expect.objectContaining({ outcome: 'unexpected', firstTokenMs: null })])
})
