import type { Provider } from '../../../contract/enumerations'

/** How each provider is reached by OpenAI's protocol, unless the operator names another address. */
export const defaultBaseUrls: Record<Provider, string> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  gemini: 'https://generativelanguage.googleapis.com/v1beta/openai',
  deepseek: 'https://api.deepseek.com',
}

/** The contract's model names where the provider's API calls them otherwise. */
const apiNames: Record<Provider, Record<string, string>> = {
  openai: {},
  anthropic: {
    'claude-3-5-sonnet': 'claude-3-5-sonnet-20241022',
    'claude-3-5-haiku': 'claude-3-5-haiku-20241022',
    'claude-3-7-sonnet': 'claude-3-7-sonnet-20250219',
    'claude-sonnet-4': 'claude-sonnet-4-20250514',
    'claude-opus-4': 'claude-opus-4-20250514',
  },
  gemini: {
    '2.0-flash': 'gemini-2.0-flash',
    '2.5-flash': 'gemini-2.5-flash',
    '2.5-pro': 'gemini-2.5-pro',
  },
  deepseek: {},
}

/** A name that is not known is the provider's own: it goes through as it is. */
export function apiModelName(provider: Provider, model: string): string {
  const names = apiNames[provider]
  return Object.hasOwn(names, model) ? (names[model] ?? model) : model
}
