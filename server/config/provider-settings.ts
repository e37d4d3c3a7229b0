import { type Provider, providers } from '../../contract/values/enumerations'
import { ConfigError } from './config-error'

export interface ProviderSettings {
  apiKey: string | null
  /** Base address as the vendor's SDK takes it; null for the provider's public API. */
  baseUrl: string | null
  /** The operator's own models, offered after the contract's. */
  models: string[]
}

/** Whether agents without a key of their own can use the provider. A server at its own address may need no key. */
export function hasServerKey({ apiKey, baseUrl }: ProviderSettings): boolean {
  return apiKey !== null || baseUrl !== null
}

/** What the settings of providers are read from. */
export type ProviderVariables = Partial<
  Record<`${Uppercase<Provider>}_${'API_KEY' | 'BASE_URL'}`, string | undefined>
> &
  Record<`${Uppercase<Provider>}_MODELS`, string[]>

export function providerSettings(variables: ProviderVariables): Record<Provider, ProviderSettings> {
  const settings = {} as Record<Provider, ProviderSettings>
  for (const provider of providers) {
    const name = provider.toUpperCase() as Uppercase<Provider>
    settings[provider] = {
      apiKey: variables[`${name}_API_KEY`] ?? null,
      baseUrl: providerBaseUrl(provider, variables[`${name}_BASE_URL`]),
      models: variables[`${name}_MODELS`],
    }
  }
  return settings
}

/** Throws ConfigError for an address with credentials, and for one in the form of another SDK. */
export function providerBaseUrl(
  provider: Provider,
  url: string | undefined,
  {
    variable = `${provider.toUpperCase()}_BASE_URL`,
    keyVariable = `${provider.toUpperCase()}_API_KEY`,
  }: { variable?: string; keyVariable?: string } = {},
): string | null {
  if (url === undefined) return null
  const { username, password, pathname } = new URL(url)
  if (username || password)
    throw new ConfigError(`${variable}: must not contain a user or a password. Set ${keyVariable}.`)
  const addsVersion = provider === 'anthropic' || provider === 'gemini'
  if (addsVersion) {
    const plain = url.replace(/\/v\d+[a-z]*\d*(\/openai)?$/, '')
    if (plain !== url) throw new ConfigError(`${variable}: must be the address without a version. Write ${plain}.`)
  } else if (!/\/v\d/.test(pathname)) {
    throw new ConfigError(`${variable}: must be the address with its version. Write ${url}/v1.`)
  }
  return url
}
