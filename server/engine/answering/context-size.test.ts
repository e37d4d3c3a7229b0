import { expect, it } from 'vitest'
import { modelChoices, providers } from '../../../contract/values/enumerations'
import { budgetFor, contextTokens } from './context-size'
import { defaultBudget } from './prompt'

it('knows the context of the contract models, by the longest name that fits', () => {
  expect(contextTokens('openai', 'gpt-3.5-turbo')).toBe(16_385)
  expect(contextTokens('openai', 'gpt-4o-mini')).toBe(128_000)
  expect(contextTokens('openai', 'gpt-4.1-nano')).toBe(1_047_576)
  expect(contextTokens('openai', 'gpt-4-0613')).toBe(8_192)
  expect(contextTokens('openai', 'our/model:7b')).toBe(128_000)
  for (const provider of providers)
    for (const model of modelChoices[provider]) expect(contextTokens(provider, model)).toBeGreaterThan(16_000)
})

it('shortens the prompt for a small context, the answer included', () => {
  expect(budgetFor('gemini', '2.5-flash', 4_096, 2_500)).toEqual(defaultBudget)
  const { fragments, history } = budgetFor('openai', 'gpt-3.5-turbo', 4_096, 2_500)
  expect(fragments).toBeGreaterThan(history)
  expect((fragments + history) / 3 + 4_096).toBeLessThan(16_385)
  expect(budgetFor('openai', 'gpt-4', 8_192, 2_500)).toEqual({ fragments: 2_400, history: 1_600 })
})

it('leaves room for a long system prompt', () => {
  const systemLength = 20_000
  const { fragments, history } = budgetFor('openai', 'gpt-3.5-turbo', 4_096, systemLength)
  expect((systemLength + fragments + history) / 3 + 4_096).toBeLessThan(16_385)
})
