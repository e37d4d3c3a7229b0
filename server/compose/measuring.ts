import { createMetrics, type Metrics } from '../adapters/telemetry/metrics'
import { createTelemetry } from '../adapters/telemetry/telemetry'
import type { Config } from '../config/config'
import { noTelemetry, type Telemetry } from '../engine/ports/telemetry'

export interface Measuring {
  telemetry: Telemetry
  /** Null where nobody can read them. */
  metrics: Metrics | null
  close(): Promise<void>
}

/** Starts what the settings ask for: metrics, traces, both or neither. The libraries of the others are not loaded. */
export async function startMeasuring({ metrics: settings, traces }: Config, version: string): Promise<Measuring> {
  const metrics = settings && createMetrics(version)
  const tracing = traces && (await import('../adapters/telemetry/tracing')).createTracing(version, traces)
  return {
    telemetry: metrics || tracing ? createTelemetry(metrics, tracing) : noTelemetry,
    metrics,
    close: async () => tracing?.close(),
  }
}
