import { describe, expect, it } from 'vitest'
import { providers } from '../../../contract/values/enumerations'
import { apiModelName, defaultBaseUrls } from '../../../server/adapters/chat-model/provider-endpoints'
import { chatModelWorld } from '../../support/providers/chat-models'

describe.each(providers)('a parameter that a model of %s rejects', (name) => {
  const world = chatModelWorld(name)

  it('is left out, and is not sent to the model again', async () => {
    await world.start({ refused: 'temperature' })
    expect((await world.read()).error).toBeNull()
    expect((await world.read()).error).toBeNull()
    const sent = world.provider.requests.map(({ body }) => body.temperature ?? body.generationConfig?.temperature)
    expect(sent).toEqual([0.2, undefined, undefined])
  })
})

describe.each(['openai', 'deepseek'] as const)('a server of the protocol of %s', (name) => {
  const world = chatModelWorld(name)

  it('may reject stream_options', async () => {
    await world.start({ usage: 'refused' })
    expect((await world.read()).end).toMatchObject({ tokensInput: null, tokensOutput: null })
    expect(world.provider.requests.map(({ body }) => body.stream_options !== undefined)).toEqual([true, false])
  })

  it('may reject stream_options without an error object', async () => {
    const body = { detail: [{ loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' }] }
    world.provider.next({ kind: 'status', status: 422, body })
    expect((await world.read()).error).toBeNull()
    expect(world.provider.requests[1]?.body.stream_options).toBeUndefined()
  })

  it('may accept only the new name of the limit', async () => {
    await world.start({ refused: 'max_tokens' })
    expect((await world.read()).error).toBeNull()
    expect(world.provider.requests.at(-1)?.body).toMatchObject({ max_completion_tokens: 777 })
  })

  it('asks a server that rejects both names of the limit twice', async () => {
    const error = { message: "Unsupported parameter: use 'max_tokens', not 'max_completion_tokens'" }
    const step = { kind: 'status', status: 400, error } as const
    world.provider.next(step, step, step)
    expect((await world.failure()).providerFailure).toBe('bad-request')
    expect(world.provider.requests).toHaveLength(2)
  })
})

describe('a model of Gemini', () => {
  const world = chatModelWorld('gemini')

  it('asks a model that cannot stop to reason without that option', async () => {
    const message = 'Budget 0 is invalid. This model only works in thinking mode.'
    world.provider.next({ kind: 'status', status: 400, error: { message } })
    expect((await world.read()).error).toBeNull()
    const sent = world.provider.requests.map(({ body }) => body.generationConfig?.thinkingConfig !== undefined)
    expect(sent).toEqual([true, false])
  })

  it('does not ask for a model with a name that is no part of a path', async () => {
    for (const model of ['../secrets', 'a?b=c', 'a b'])
      expect((await world.failure({ model })).providerFailure).toBe('unknown-model')
    expect(world.provider.requests).toHaveLength(0)
  })

  it("is requested by the provider's own name", async () => {
    await world.read({ model: '2.5-flash' })
    expect(world.provider.requests[0]?.model).toBe('gemini-2.5-flash')
  })
})

describe('the settings', () => {
  it('know the address of each provider, and pass through unknown model names', () => {
    expect(defaultBaseUrls).toEqual({
      openai: 'https://api.openai.com/v1',
      anthropic: 'https://api.anthropic.com',
      gemini: 'https://generativelanguage.googleapis.com',
      deepseek: 'https://api.deepseek.com/v1',
    })
    expect(apiModelName('anthropic', 'claude-sonnet-4')).toBe('claude-sonnet-4-20250514')
    expect(apiModelName('gemini', 'gemini-3-pro')).toBe('gemini-3-pro')
    expect(apiModelName('openai', 'constructor')).toBe('constructor')
  })
})
