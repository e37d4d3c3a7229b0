import type { Provider } from '../../../contract/enumerations'

/** Base URLs of the providers' APIs in OpenAI's protocol, unless the operator configures others. */
export const defaultBaseUrls: Record<Provider, string> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  gemini: 'https://generativelanguage.googleapis.com/v1beta/openai',
  deepseek: 'https://api.deepseek.com',
}

/** Model names of the contract that the provider's API names differently. */
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
