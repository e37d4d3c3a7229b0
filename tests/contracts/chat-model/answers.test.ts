import { describe, expect, it, vi } from 'vitest'
import { providers } from '../../../contract/values/enumerations'
import { providerTimes } from '../../../server/adapters/chat-model/chat-model'
import { chatKey, chatModelWorld, chatRequest, stopClock } from '../../support/providers/chat-models'

const responseIds = {
  openai: 'chatcmpl-local',
  deepseek: 'chatcmpl-local',
  anthropic: 'msg_local',
  gemini: 'gemini-local',
}
const limits = {
  openai: { max_tokens: 777, temperature: 0.2, stream: true, stream_options: { include_usage: true } },
  deepseek: { max_tokens: 777, temperature: 0.2, stream: true, stream_options: { include_usage: true } },
  anthropic: { max_tokens: 777, temperature: 0.2, stream: true },
  gemini: { generationConfig: { maxOutputTokens: 777, temperature: 0.2, thinkingConfig: { thinkingBudget: 0 } } },
}

describe.each(providers)('an answer of %s', (name) => {
  const world = chatModelWorld(name)

  it('streams the words, then token counts, stop reason and id of the provider', async () => {
    world.provider.next({ kind: 'answer', text: 'Wipe it dry [1].' })
    const { chunks, text, end } = await world.read()
    expect(text).toBe('Wipe it dry [1].')
    expect(chunks.filter(({ kind }) => kind === 'text')).toHaveLength(4)
    expect(end).toEqual({
      kind: 'end',
      stopReason: 'complete',
      tokensInput: 4,
      tokensOutput: 4,
      responseId: responseIds[name],
    })
  })

  it('is requested with key, model, messages and parameters, and nothing about the machine', async () => {
    const history = [
      { role: 'user' as const, content: 'Who?' },
      { role: 'assistant' as const, content: 'We.' },
    ]
    const [system, question] = chatRequest.messages
    if (!system || !question) throw new Error('no messages')
    await world.read({ messages: [system, ...history, question] })
    expect(world.provider.requests).toHaveLength(1)
    const [request] = world.provider.requests
    const assistant = name === 'gemini' ? 'model' : 'assistant'
    expect(request).toMatchObject({
      key: chatKey,
      model: 'some-model',
      messages: [system, history[0], { role: assistant, content: 'We.' }, question],
      body: limits[name],
    })
    expect(Object.keys(request?.headers ?? {}).filter((header) => /stainless|api-client/.test(header))).toEqual([])
    expect(request?.headers['user-agent']).toBe('Sitelore')
    expect(JSON.stringify(request?.headers)).not.toContain(process.version)
  })

  it('is requested without a key where none is known', async () => {
    expect((await world.read({ apiKey: null })).error).toBeNull()
    expect(world.provider.requests[0]?.key).toBe('')
  })

  it('says that the provider stopped at the token limit, or filtered the rest', async () => {
    world.provider.next({ kind: 'answer', text: 'Wipe', finish: 'length' })
    expect((await world.read()).end).toMatchObject({ stopReason: 'length' })
    world.provider.next({ kind: 'answer', text: 'Wipe', finish: 'content_filter' })
    expect((await world.read()).end).toMatchObject({ stopReason: 'filtered' })
  })

  it('never contains reasoning', async () => {
    world.provider.next({ kind: 'answer', text: 'Wipe it.', reasoning: ['Secret', ' thoughts'] })
    const { text, end } = await world.read()
    expect({ text, end }).toMatchObject({ text: 'Wipe it.', end: { stopReason: 'complete' } })
  })

  it('never contains reasoning between tags, wherever the stream is split', async () => {
    const written = '<think>Secret </thoughts\n</think>\n\nWipe <it> dry.'
    for (let size = 1; size <= written.length; size++) {
      const deltas = written.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
      world.provider.next({ kind: 'answer', deltas })
      expect((await world.read()).text).toBe('Wipe <it> dry.')
    }
  })

  it('discards reasoning that ends with a tag that nothing opened', async () => {
    world.provider.next({ kind: 'answer', deltas: ['Secret ', 'thoughts', '\n</th', 'ink>\n\n', 'Wipe it.'] })
    expect(await world.read()).toMatchObject({ text: 'Wipe it.', end: { stopReason: 'complete' } })
  })

  it('holds back the reasoning of a model that has written such a tag, and streams its answer', async () => {
    const deltas = ['Secret ', 'thoughts', '</think>', 'Wipe ', 'it.']
    world.provider.next({ kind: 'answer', deltas }, { kind: 'answer', deltas })
    expect((await world.read()).chunks.map(({ kind }) => kind)).toContain('discard')
    const { chunks } = await world.read()
    expect(chunks.map(({ kind }) => kind)).toEqual(['text', 'text', 'end'])
    expect(JSON.stringify(chunks)).not.toContain('Secret')
  })

  it('is given at its end if such a model reasons no more, and is streamed from then on', async () => {
    const answer = { kind: 'answer', text: 'Wipe it dry.' } as const
    world.provider.next({ kind: 'answer', deltas: ['Secret.', '</think>', 'Wipe.'] }, answer, answer)
    await world.read()
    const texts = async () => (await world.read()).chunks.filter(({ kind }) => kind === 'text')
    expect(await texts()).toEqual([{ kind: 'text', text: 'Wipe it dry.' }])
    expect(await texts()).toHaveLength(3)
  })

  it('never is the reasoning of such a model that the token limit cuts off', async () => {
    const cut = { kind: 'answer', text: 'Secret thoughts', finish: 'length' } as const
    world.provider.next({ kind: 'answer', deltas: ['Secret.', '</think>', 'Wipe.'] }, cut)
    await world.read()
    expect(await world.failure()).toMatchObject({ providerFailure: 'output-limit', text: '' })
  })

  it('is complete when the server leaves the stream open, or breaks it, after the end', async () => {
    world.configure({ afterStopMs: 20 })
    world.provider.next({ kind: 'answer', text: 'Wipe it.', neverEnds: true }, { kind: 'cut', words: 2, at: 'end' })
    expect(await world.read()).toMatchObject({ text: 'Wipe it.', error: null, end: { stopReason: 'complete' } })
    expect(await world.read()).toMatchObject({ error: null, end: { stopReason: 'complete' } })
  })

  it('does not time out while the consumer is slow', async () => {
    await world.read()
    stopClock()
    world.provider.next({ kind: 'answer', text: 'One two three.' })
    const words: string[] = []
    for await (const chunk of world.model.stream(chatRequest, new AbortController().signal)) {
      if (chunk.kind === 'text') words.push(chunk.text)
      if (words.length === 1) vi.advanceTimersByTime(2 * providerTimes.idleMs)
    }
    expect(words.join('')).toBe('One two three.')
  })

  it('is stopped at three times its token limit', async () => {
    world.provider.next({ kind: 'answer', deltas: Array.from({ length: 500 }, () => 'Word and word. ') })
    const { text, end, error } = await world.read({ maxOutputTokens: 100 })
    expect(error).toBeNull()
    expect(text).toHaveLength(100 * 3 * 4)
    expect(end).toMatchObject({ kind: 'end', stopReason: 'length' })
  })

  it('is stopped at 1 MB', async () => {
    world.provider.next({ kind: 'answer', deltas: Array.from({ length: 30 }, () => 'wört '.repeat(10_000)) })
    const { text, end } = await world.read({ maxOutputTokens: 1_000_000 })
    expect(Buffer.byteLength(text)).toBeGreaterThan(999_990)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_000_000)
    expect(text).not.toContain('\uFFFD')
    expect(end).toMatchObject({ kind: 'end', stopReason: 'length' })
  })
})
