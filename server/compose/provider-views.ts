import { modelChoices, type Provider, providers } from '../../contract/values/enumerations'
import type { ProviderView } from '../../contract/views/chat/agent'
import { defaultBaseUrls } from '../adapters/chat-model/provider-endpoints'
import type { Config } from '../config/config'

/** The operator's first model comes before the product's, because a server of their own may know no other. */
export function defaultModel({ providers }: Pick<Config, 'providers'>, provider: Provider): string | null {
  return providers[provider].models[0] ?? modelChoices[provider][0] ?? null
}

/** What the settings of agents and organizations say about the providers of this server. */
export function providerViews(config: Pick<Config, 'providers'>): Record<Provider, ProviderView> {
  const entries = providers.map((provider) => {
    const settings = config.providers[provider]
    const view: ProviderView = {
      baseUrl: settings.baseUrl ?? defaultBaseUrls[provider],
      models: [...new Set([...modelChoices[provider], ...settings.models])],
      defaultModel: defaultModel(config, provider),
      configured: settings.apiKey !== null ? 'key' : settings.baseUrl !== null ? 'address' : null,
    }
    return [provider, view] as const
  })
  return Object.fromEntries(entries) as Record<Provider, ProviderView>
}
