import type { Provider } from '../../../contract/values/enumerations'
import { defaultBudget, type PromptBudget } from './prompt'

/** Tokens of the context of a model whose name starts so, longest names first; the provider's other models have `other`. */
const contextSizes: Record<Provider, { other: number; byName: readonly (readonly [string, number])[] }> = {
  openai: {
    other: 128_000,
    byName: [
      ['gpt-3.5-turbo', 16_385],
      ['gpt-4-turbo', 128_000],
      ['gpt-4.1', 1_047_576],
      ['gpt-4o', 128_000],
      ['gpt-4-32k', 32_768],
      ['gpt-4', 8_192],
      ['gpt-5', 400_000],
    ],
  },
  anthropic: { other: 200_000, byName: [] },
  gemini: { other: 1_048_576, byName: [] },
  deepseek: { other: 65_536, byName: [] },
}

/** Text, addresses and code of many languages have at least this many characters a token. */
const charactersPerToken = 3
/** For the question. */
const reservedTokens = 1_500
const minCharacters = 4_000

/** Returns the tokens that fit into the model's context, the answer included. */
export function contextTokens(provider: Provider, model: string): number {
  const { other, byName } = contextSizes[provider]
  return byName.find(([name]) => model.startsWith(name))?.[1] ?? other
}

/** Returns the budget of a prompt that leaves room for the answer and for `systemLength` characters of system message. */
export function budgetFor(
  provider: Provider,
  model: string,
  maxOutputTokens: number,
  systemLength: number,
): PromptBudget {
  const tokens = contextTokens(provider, model) - maxOutputTokens - reservedTokens
  const characters = Math.max(minCharacters, tokens * charactersPerToken - systemLength)
  const total = defaultBudget.fragments + defaultBudget.history
  if (characters >= total) return defaultBudget
  const fragments = Math.min(defaultBudget.fragments, Math.round(characters * 0.6))
  return { fragments, history: Math.min(defaultBudget.history, characters - fragments) }
}
