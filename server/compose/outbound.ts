import { providerLabels, providers } from '../../contract/values/enumerations'
import type { HealthView } from '../../contract/views/health'
import { defaultBaseUrls } from '../adapters/chat-model/provider-endpoints'
import { type Config, hasServerKey } from '../config/config'

/** To whom the configuration lets this server speak, and why. */
export function outboundOf(config: Config): HealthView['outbound'] {
  const { crawl, externalIssuer, mail } = config
  return [
    { to: 'The addresses of sources', why: 'Crawling and previews' },
    ...providers.map((provider) => ({
      to: new URL(config.providers[provider].baseUrl ?? defaultBaseUrls[provider]).host,
      why: `${providerLabels[provider]}: ${hasServerKey(config.providers[provider]) ? 'answers of all agents that use it' : 'only with a key of an organization or an agent'}`,
    })),
    ...(externalIssuer ? [{ to: new URL(externalIssuer.issuer).host, why: 'Sign-in' }] : []),
    ...(mail ? [{ to: mail.server.host, why: 'Mail' }] : []),
    ...(crawl.proxy ? [{ to: new URL(crawl.proxy.url).host, why: 'The proxy through which pages are fetched' }] : []),
  ]
}
