import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { modelChoices, type Provider, providers } from '../../../contract/values/enumerations'
import { apiModelName } from '../../../server/adapters/chat-model/provider-endpoints'

/** The type of each pinned SDK that lists the provider's models. DeepSeek has no SDK of its own. */
const types: Partial<Record<Provider, [file: string, start: string]>> = {
  openai: ['openai/resources/shared.d.ts', 'type ChatModel ='],
  anthropic: ['@anthropic-ai/sdk/resources/messages/messages.d.ts', 'type Model ='],
  gemini: ['@google/genai/dist/genai.d.ts', 'type Model_2 ='],
}

/** Models of the contract that the SDKs do not list any more, because their vendors retired them. */
const retired: Record<Provider, string[]> = {
  openai: [],
  anthropic: [
    'claude-3-5-sonnet-20241022',
    'claude-3-5-haiku-20241022',
    'claude-3-7-sonnet-20250219',
    'claude-sonnet-4-20250514',
    'claude-opus-4-20250514',
  ],
  gemini: ['gemini-2.0-flash'],
  deepseek: [],
}

function listedBy(provider: Provider): Set<string> {
  const [file, start] = types[provider] ?? []
  if (!file || !start) return new Set(modelChoices[provider])
  const source = readFileSync(`node_modules/${file}`, 'utf8')
  const from = source.indexOf(start)
  const names = [...source.slice(from, source.indexOf(';', from)).matchAll(/['"]([^'"]+)['"]/g)]
  expect(names.length).toBeGreaterThan(10)
  return new Set(names.map(([, name = '']) => name))
}

describe.each(providers)("the contract's models of %s", (provider) => {
  it('have ids that the SDK lists, except the retired ones', () => {
    const listed = listedBy(provider)
    const ids = modelChoices[provider].map((model) => apiModelName(provider, model))
    expect(ids.filter((id) => !listed.has(id))).toEqual(retired[provider])
  })
})
