import { describe, expect, it } from 'vitest'
import { providerLabels, providers } from '../../../contract/values/enumerations'
import { maxLineBytes } from '../../../server/adapters/chat-model/provider-fetch'
import { chatModelWorld } from '../../support/providers/chat-models'
import { startRawServer } from '../../support/sites/raw-server'

describe.each(providers)('a fault of %s', (name) => {
  const world = chatModelWorld(name)
  const label = providerLabels[name]
  const operator = `The operator must check ${name.toUpperCase()}_BASE_URL.`

  it('in the name of its server is not retried', async () => {
    // A label this long exists nowhere.
    world.configure({ retryMs: 600_000 }, `http://${'x'.repeat(64)}.localhost`)
    expect(await world.failure()).toMatchObject({
      providerFailure: 'unavailable',
      message: `Could not resolve ${'x'.repeat(64)}.localhost. Check the network or ${name.toUpperCase()}_BASE_URL.`,
    })
  })

  it('in TLS is not retried', async () => {
    world.configure({ retryMs: 600_000 }, world.provider.baseUrls[name].replace('http:', 'https:'))
    expect(await world.failure()).toMatchObject({
      providerFailure: 'unavailable',
      message: `The connection to ${label} is not secure: its certificate or protocol was rejected. ${operator}`,
    })
  })

  it('of a server that is not there is retried', async () => {
    const address = world.provider.baseUrls[name]
    await world.provider.close()
    world.configure({}, address)
    expect(await world.failure()).toMatchObject({
      providerFailure: 'unavailable',
      message: `${label} could not be reached. Try again later.`,
    })
  })

  it('of a server that does not speak HTTP is a failed connection', async () => {
    const server = await startRawServer((socket) => socket.end('220 smtp ready\r\n'))
    world.configure({}, `http://127.0.0.1:${server.port}`)
    expect((await world.failure()).message).toBe(`${label} could not be reached. Try again later.`)
    await server.close()
  })

  it.each(['text/html', 'application/json'])('that is a page of type %s names the setting', async (contentType) => {
    world.provider.next({ kind: 'raw', contentType, body: '{"hello":"world"}' })
    expect(await world.failure()).toMatchObject({
      providerFailure: 'unavailable',
      message: `The configured address of ${label} does not speak its protocol. ${operator}`,
    })
  })

  it('that is no JSON is unavailable', async () => {
    const start = name === 'anthropic' ? 'event: message_start\n' : ''
    world.provider.next({ kind: 'raw', body: `${start}data: {"type": nonsense\n\n` })
    expect(await world.failure()).toMatchObject({
      providerFailure: 'unavailable',
      message: `${label} sent an answer that is not valid JSON. ${operator}`,
    })
  })

  it('that is a huge event ends the answer', async () => {
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

  it('that cuts the connection before the response is retried', async () => {
    world.provider.next({ kind: 'cut', words: 0, at: 'response' }, { kind: 'answer', text: 'Here.' })
    expect(await world.read()).toMatchObject({ text: 'Here.', error: null })
  })

  it('that cuts the connection before the first event is not retried', async () => {
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
  ])('in the middle of the answer ($kind $at) keeps the text and is not retried', async (step) => {
    world.provider.next(step)
    expect(await world.failure()).toMatchObject({
      providerFailure: 'interrupted',
      text: 'The fragments',
      message: `${label} disconnected. The answer is incomplete.`,
    })
    expect(world.provider.requests).toHaveLength(1)
  })

  it('in an event before the text has the sentence of its status', async () => {
    world.provider.next({ kind: 'error-event', words: 0, message: 'overloaded' })
    const { providerFailure, message } = await world.failure()
    expect(providerFailure).toBe('unavailable')
    expect(message).toMatch(/is (overloaded|not available at the moment)\. Try again/)
  })
})
