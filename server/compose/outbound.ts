import { providerLabels, providers } from '../../contract/values/enumerations'
import type { HealthView } from '../../contract/views/health'
import { defaultBaseUrls } from '../adapters/chat-model/provider-endpoints'
import type { Config } from '../config/config'
import { serviceAccess } from '../config/embedding-settings'
import { hasServerKey } from '../config/provider-settings'
import type { S3Settings } from '../config/s3-settings'

/**
 * To whom the configuration lets this server speak, and why, as `doctor` and the health page show it.
 * tests/proofs/nothing-leaves.test.ts checks that there is no other destination.
 */
export function outboundOf(config: Config): HealthView['outbound'] {
  const { backups, cluster, crawl, externalIssuer, files, hub, mail, traces } = config
  return [
    ...(cluster
      ? [
          { to: new URL(cluster.database.url).host, why: 'PostgreSQL: all that is stored' },
          {
            to: new URL(cluster.search.url).host,
            why: 'OpenSearch: the words and vectors of all fragments, and searches',
          },
        ]
      : []),
    ...(files.kind === 's3' ? [{ to: storeOf(files), why: 'The store of uploaded files' }] : []),
    ...(backups?.to.kind === 's3' ? [{ to: storeOf(backups.to), why: 'The store of backups' }] : []),
    { to: 'The addresses of sources', why: 'Crawling and previews' },
    ...embeddingServices(config),
    { to: new URL(hub.endpoint).host, why: 'Embedding models, only while you run sitelore models pull' },
    ...providers.map((provider) => ({
      to: new URL(config.providers[provider].baseUrl ?? defaultBaseUrls[provider]).host,
      why: `${providerLabels[provider]}: ${hasServerKey(config.providers[provider]) ? 'answers of all agents that use it' : 'only with a key of an organization or an agent'}`,
    })),
    ...(externalIssuer
      ? [
          { to: new URL(externalIssuer.issuer).host, why: 'Sign-in' },
          { to: 'The hosts of the pictures that it names', why: 'Pictures of people' },
        ]
      : []),
    ...(traces
      ? [{ to: collectorOf(traces), why: 'Traces: names and durations of stages, ids of agents, names of models' }]
      : []),
    ...(mail ? [{ to: `${mail.server.host}:${mail.server.port}`, why: 'Mail' }] : []),
    ...(crawl.proxy ? [{ to: new URL(crawl.proxy.url).host, why: 'The proxy through which pages are fetched' }] : []),
  ]
}

function embeddingServices({ embedding, providers }: Config): HealthView['outbound'] {
  return [...embedding.services].map(([name, service]) => {
    const { baseUrl } = serviceAccess(service, providers)
    return {
      to: new URL(baseUrl ?? defaultBaseUrls[service.provider]).host,
      why: `${providerLabels[service.provider]}: the text of the collections with the embedding model ${name}, and of all searches and questions in them`,
    }
  })
}

function collectorOf(traces: Record<string, string>): string {
  return new URL(traces.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? traces.OTEL_EXPORTER_OTLP_ENDPOINT ?? '').host
}

function storeOf({ endpoint, bucket, region }: S3Settings): string {
  return endpoint === null ? `${bucket}.s3.${region}.amazonaws.com` : new URL(endpoint).host
}
