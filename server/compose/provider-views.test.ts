import { expect, it } from 'vitest'
import { modelChoices } from '../../contract/values/enumerations'
import { defaultModel, providerViews } from './provider-views'

const unset = { apiKey: null, baseUrl: null, models: [] }
const config = {
  providers: {
    openai: { apiKey: null, baseUrl: 'http://127.0.0.1:11434/v1', models: ['llama3.3', 'qwen3'] },
    anthropic: unset,
    gemini: unset,
    deepseek: unset,
  },
}

it("names the operator's first model as the default, or else the first of the product", () => {
  expect(defaultModel(config, 'openai')).toBe('llama3.3')
  expect(defaultModel(config, 'anthropic')).toBe(modelChoices.anthropic[0])
})

it('describes what the server has for each provider', () => {
  const { openai, anthropic } = providerViews(config)
  expect(openai).toMatchObject({
    baseUrl: 'http://127.0.0.1:11434/v1',
    configured: 'address',
    defaultModel: 'llama3.3',
  })
  expect(openai.models).toEqual([...modelChoices.openai, 'llama3.3', 'qwen3'])
  expect(anthropic.configured).toBeNull()
})
