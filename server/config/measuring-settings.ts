import { ConfigError } from './config-error'

/** Who can read the metrics: whoever sends the token, whoever reaches the port, or both are required. */
export interface MetricsSettings {
  token: string | null
  /** Of a server of their own; null if the site serves them. */
  port: number | null
}

interface Variables {
  PORT: number
  METRICS_TOKEN?: string | undefined
  METRICS_PORT?: number | undefined
}

/** Null without a token and a port: then there are no metrics. */
export function metricsSettings({ PORT, METRICS_TOKEN: token, METRICS_PORT: port }: Variables): MetricsSettings | null {
  if (port !== undefined && port === PORT)
    throw new ConfigError('METRICS_PORT: must be another port than PORT. Leave it out to serve /metrics on PORT.')
  return token === undefined && port === undefined ? null : { token: token ?? null, port: port ?? null }
}

/** Null unless a collector is named and traces are not turned off. */
export function traceSettings(environment: Record<string, string | undefined>): Record<string, string> | null {
  const set = Object.entries(environment).flatMap(([name, value]) =>
    name.startsWith('OTEL_') && value ? [[name, value] as const] : [],
  )
  const variables = Object.fromEntries(set)
  const isOff = variables.OTEL_SDK_DISABLED === 'true' || variables.OTEL_TRACES_EXPORTER === 'none'
  const hasCollector = variables.OTEL_EXPORTER_OTLP_ENDPOINT ?? variables.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT
  if (isOff || !hasCollector) return null
  const protocol = variables.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? variables.OTEL_EXPORTER_OTLP_PROTOCOL
  if (protocol !== undefined && protocol !== 'http/protobuf')
    throw new ConfigError(
      `OTEL_EXPORTER_OTLP_PROTOCOL: must be http/protobuf, not ${protocol}. Collectors take it on port 4318.`,
    )
  return variables
}
