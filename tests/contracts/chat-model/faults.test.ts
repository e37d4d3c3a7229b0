import { describe, expect, it } from 'vitest'
import { providerLabels, providers } from '../../../contract/values/enumerations'
import { maxLineBytes } from '../../../server/adapters/chat-model/provider-fetch'
import { chatModelWorld } from '../../support/providers/chat-models'
import { startRawServer } from '../../support/sites/raw-server'

describe.each(providers)('a fault of %s', (name) => {
  const world = chatModelWorld(name)
  const label = providerLabels[name]
  const operator = `The operator must check ${name.toUpperCase()}_BASE_URL.`

  it('does not retry a wrong name of its server', async () => {
    // A label this long exists nowhere.
    world.configure({ retryMs: 600_000 }, `http://${'x'.repeat(64)}.localhost`)
    expect(await world.failure()).toMatchObject({
      providerFailure: 'unavailable',
      message: `Could not resolve ${'x'.repeat(64)}.localhost. Check the network or ${name.toUpperCase()}_BASE_URL.`,
    })
  })

  it('does not retry a fault in TLS', async () => {
    world.configure({ retryMs: 600_000 }, world.provider.baseUrls[name].replace('http:', 'https:'))
    expect(await world.failure()).toMatchObject({
      providerFailure: 'unavailable',
      message: `The connection to ${label} is not secure: its certificate or protocol was rejected. ${operator}`,
    })
  })

  it('retries a server that is not there', async () => {
    const address = world.provider.baseUrls[name]
    await world.provider.close()
    world.configure({}, address)
    expect(await world.failure()).toMatchObject({
      providerFailure: 'unavailable',
      message: `${label} could not be reached. Try again later.`,
    })
  })

  it('reports a server that does not speak HTTP as a failed connection', async () => {
    const server = await startRawServer((socket) => socket.end('220 smtp ready\r\n'))
    world.configure({}, `http://127.0.0.1:${server.port}`)
    expect((await world.failure()).message).toBe(`${label} could not be reached. Try again later.`)
    await server.close()
  })

  it.each(['text/html', 'application/json'])(
    'names the setting if the server responds with a page of type %s',
    async (contentType) => {
      world.provider.next({ kind: 'raw', contentType, body: '{"hello":"world"}' })
      expect(await world.failure()).toMatchObject({
        providerFailure: 'unavailable',
        message: `The configured address of ${label} does not speak its protocol. ${operator}`,
      })
    },
  )

  it('reports a response that is no JSON as unavailable', async () => {
    const start = name === 'anthropic' ? 'event: message_start\n' : ''
    world.provider.next({ kind: 'raw', body: `${start}data: {"type": nonsense\n\n` })
    expect(await world.failure()).toMatchObject({
      providerFailure: 'unavailable',
      message: `${label} sent an answer that is not valid JSON. ${operator}`,
    })
  })

  it('ends the answer at a huge event', async () => {
    world.provider.next({ kind: 'raw', body: `data: {"x": "${'x'.repeat(2 * maxLineBytes)}"}\n\n` })
    expect((await world.failure()).message).toBe(
      `${label} sent a longer answer than Sitelore accepts. Choose another model in Agent Settings.`,
    )
  })

  it('to send any text has a message of its own', async () => {
    world.provider.next({ kind: 'answer', text: '' })
    world.provider.next({ kind: 'answer', text: '', reasoning: ['Hm.'], finish: 'length' })
    world.provider.next({ kind: 'answer', text: '', finish: 'content_filter' })
    expect(await world.failure()).toMatchObject({
      providerFailure: 'unavailable',
      message: `${label} gave no answer. Try again later.`,
    })
    expect(await world.failure()).toMatchObject({
      providerFailure: 'output-limit',
      message: `${label} reached the output token limit before its first word. Raise it in Agent Settings.`,
    })
    expect(await world.failure()).toMatchObject({
      providerFailure: 'declined',
      message: `${label} declined to answer this question. Ask it in other words.`,
    })
  })

  it('retries a connection that is cut before the response', async () => {
    world.provider.next({ kind: 'cut', words: 0, at: 'response' }, { kind: 'answer', text: 'Here.' })
    expect(await world.read()).toMatchObject({ text: 'Here.', error: null })
  })

  it('does not retry a connection that is cut before the first event', async () => {
    world.provider.next({ kind: 'cut', words: 0, at: 'first-event' })
    expect(await world.failure()).toMatchObject({
      providerFailure: 'interrupted',
      message: `The connection to ${label} broke before the answer arrived. Try again.`,
    })
    expect(world.provider.requests).toHaveLength(1)
  })

  it.each([
    { kind: 'cut', words: 2, at: 'event' } as const,
    { kind: 'cut', words: 2, at: 'between-events' } as const,
    { kind: 'unfinished', words: 2 } as const,
    { kind: 'error-event', words: 2, message: 'overloaded' } as const,
  ])('keeps the text after a fault in the middle of the answer ($kind $at), without a retry', async (step) => {
    world.provider.next(step)
    expect(await world.failure()).toMatchObject({
      providerFailure: 'interrupted',
      text: 'The fragments',
      message: `${label} disconnected. The answer is incomplete.`,
    })
    expect(world.provider.requests).toHaveLength(1)
  })

  it('gives an error event before the text the sentence of its status', async () => {
    world.provider.next({ kind: 'error-event', words: 0, message: 'overloaded' })
    const { providerFailure, message } = await world.failure()
    expect(providerFailure).toBe('unavailable')
    expect(message).toMatch(/is (overloaded|not available at the moment)\. Try again/)
  })
})
