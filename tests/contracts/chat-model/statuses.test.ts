import { describe, expect, it } from 'vitest'
import { providerLabels, providers } from '../../../contract/values/enumerations'
import { chatKey, chatModelWorld, logged } from '../../support/providers/chat-models'

const gone = 'This model is no longer offered. Choose another in Agent Settings.'
const tooLong =
  "The question and its fragments are too long for the model 'some-model'. Lower the fragment limit or choose another model in Agent Settings."

/** The sentence that each provider says when a prompt does not fit. */
const tooLongDetails = {
  openai: "This model's maximum context length is 16385 tokens. However, your messages resulted in 20000 tokens.",
  deepseek: "This model's maximum context length is 65536 tokens. However, you requested 70000 tokens.",
  anthropic: 'prompt is too long: 210000 tokens > 200000 maximum',
  gemini: 'The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).',
}

describe.each(providers)('a failure of %s', (name) => {
  const world = chatModelWorld(name)
  const label = providerLabels[name]
  const refused = `${label} rejected the API key. Save a valid key in Agent Settings.`

  it.each([
    [400, 'bad-request', `${label} did not accept the request: said the server`],
    [401, 'refused-key', refused],
    [402, 'rate-limited', `The account at ${label} has no credit left. Top it up there, then try again.`],
    [403, 'refused-key', refused],
    [404, 'unknown-model', gone],
    [413, 'context-too-long', tooLong],
    [422, 'bad-request', `${label} did not accept the request: said the server`],
    [307, 'unavailable', `The configured address of ${label} redirects. The operator must check `],
  ])('does not retry status %i', async (status, kind, message) => {
    world.provider.next({ kind: 'status', status, error: { message: 'said the server' } })
    expect(await world.failure()).toMatchObject({
      providerFailure: kind,
      message: expect.stringContaining(message),
      text: '',
    })
    expect(world.provider.requests).toHaveLength(1)
  })

  it.each([
    [408, 'timeout', 'took too long to answer. Try again later.'],
    [409, 'unavailable', 'is busy with another request. Try again in a moment.'],
    [429, 'rate-limited', 'accepts no more requests at the moment. Try again in a minute.'],
    [500, 'unavailable', 'is not available at the moment. Try again later.'],
    [502, 'unavailable', 'is not available at the moment. Try again later.'],
    [503, 'unavailable', 'is not available at the moment. Try again later.'],
    [529, 'unavailable', 'is overloaded. Try again in a few minutes.'],
  ])('retries status %i twice', async (status, kind, message) => {
    const step = { kind: 'status', status } as const
    world.provider.next(step, step, step)
    expect(await world.failure()).toMatchObject({ providerFailure: kind, message: `${label} ${message}` })
    expect(world.provider.requests).toHaveLength(3)
  })

  it('hides a transient failure by a retry', async () => {
    const headers = { 'retry-after': '0' }
    world.provider.next({ kind: 'status', status: 503 }, { kind: 'status', status: 429, headers })
    world.provider.next({ kind: 'answer', text: 'Here.' })
    expect(await world.read()).toMatchObject({ text: 'Here.', error: null })
  })

  it('does not retry a failure with a Retry-After, and says when to ask again', async () => {
    const waitAfter = async (header: string) => {
      world.provider.next({ kind: 'status', status: 429, headers: { 'retry-after': header } })
      const { message, providerFailure } = await world.failure()
      expect(providerFailure).toBe('rate-limited')
      return message.match(/Try again in (.*)\.$/)?.[1]
    }
    expect(await waitAfter('60')).toBe('60 seconds')
    expect(await waitAfter('600')).toBe('10 minutes')
    expect(await waitAfter(new Date(Date.now() + 3_600_000).toUTCString())).toBe('60 minutes')
    expect(world.provider.requests).toHaveLength(3)
  })

  it('because the prompt is too long is typed', async () => {
    world.provider.next({ kind: 'status', status: 400, error: { message: tooLongDetails[name] } })
    expect(await world.failure()).toMatchObject({ providerFailure: 'context-too-long', message: tooLong })
  })

  it('keeps the page of a gateway out of its sentence', async () => {
    const headers = { 'content-type': 'text/html' }
    world.provider.next({ kind: 'status', status: 400, headers, body: '<html>' })
    expect((await world.failure()).message).not.toContain('html')
  })

  it('quotes no key, not even in part', async () => {
    await world.start({ keys: ['another'] })
    const denied = await world.failure()
    expect(denied.message).toBe(refused)
    expect(logged(denied)).not.toContain(chatKey.slice(0, 8))
    expect(logged(denied)).not.toContain(chatKey.slice(-4))

    await world.start()
    world.provider.next({ kind: 'status', status: 400, error: { message: `cannot use ${chatKey} here` } })
    const bad = await world.failure()
    expect(bad.message).toBe(`${label} did not accept the request: cannot use [key] here`)
    expect(logged(bad)).not.toContain(chatKey)
  })

  it('is no request with a key that cannot be sent', async () => {
    const denied = await world.failure({ apiKey: 'sk-ключ\nwith a line' })
    expect(denied.message).toBe(refused)
    expect(logged(denied)).not.toContain('ключ')
    expect(world.provider.requests).toHaveLength(0)
  })
})

describe('a code in the error', () => {
  const openai = chatModelWorld('openai')
  const gemini = chatModelWorld('gemini')

  it.each([
    [403, 'model_not_found', gone],
    [429, 'insufficient_quota', 'The account at OpenAI has no credit left. Top it up there, then try again.'],
    [400, 'context_length_exceeded', tooLong],
  ])('prefers the code in the error over status %i: %s', async (status, code, message) => {
    openai.provider.next({ kind: 'status', status, error: { message: 'said the server', code } })
    expect((await openai.failure()).message).toBe(message)
    expect(openai.provider.requests).toHaveLength(1)
  })

  it('is found in the array that Gemini sends', async () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }]
    const body = [{ error: { code: 400, message: 'No.', status: 'INVALID_ARGUMENT', details } }]
    gemini.provider.next({ kind: 'status', status: 400, body })
    expect((await gemini.failure()).providerFailure).toBe('refused-key')
  })
})
