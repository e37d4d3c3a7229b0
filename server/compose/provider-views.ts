import { modelChoices, type Provider, providers } from '../../contract/enumerations'
import type { ProviderView } from '../../contract/views/agent'
import { defaultBaseUrls } from '../adapters/chat-model/provider-endpoints'
import type { Config } from '../config'

/** What the settings of agents and organizations say about the providers of this server. */
export function providerViews(config: Pick<Config, 'providers'>): Record<Provider, ProviderView> {
  const entries = providers.map((provider) => {
    const settings = config.providers[provider]
    const view: ProviderView = {
      baseUrl: settings.baseUrl ?? defaultBaseUrls[provider],
      models: [...new Set([...modelChoices[provider], ...settings.models])],
      configured: settings.apiKey !== null ? 'key' : settings.baseUrl !== null ? 'address' : null,
    }
    return [provider, view] as const
  })
  return Object.fromEntries(entries) as Record<Provider, ProviderView>
}
