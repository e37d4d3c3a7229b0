import type { Provider } from '../../../contract/values/enumerations'

/** Base URLs of the providers' APIs, in the form that their SDKs take. */
export const defaultBaseUrls: Record<Provider, string> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com',
  gemini: 'https://generativelanguage.googleapis.com',
  deepseek: 'https://api.deepseek.com/v1',
}

/** Ids of the contract's models that the provider's API names differently; the last ones that the provider published. */
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

/** Returns the provider's name of a model; unknown names are passed through. */
export function apiModelName(provider: Provider, model: string): string {
  const names = apiNames[provider]
  return Object.hasOwn(names, model) ? (names[model] ?? model) : model
}
