import type { Attributes, Stage, Telemetry } from '../../engine/ports/telemetry'
import type { Metrics } from './metrics'
import type { Tracing } from './tracing'

/** Measures for the metrics, the traces, or both. */
export function createTelemetry(metrics: Metrics | null, tracing: Tracing | null): Telemetry {
  async function stage<Result>(name: Stage, work: () => Promise<Result>, attributes: Attributes = {}) {
    const startedAt = performance.now()
    try {
      return await (tracing ? tracing.span(name, attributes, work) : work())
    } finally {
      metrics?.stageEnded(name, performance.now() - startedAt)
    }
  }

  async function* stream<Item>(name: Stage, items: AsyncIterable<Item>, attributes: Attributes = {}) {
    const startedAt = performance.now()
    try {
      yield* tracing ? tracing.stream(name, attributes, items) : items
    } finally {
      metrics?.stageEnded(name, performance.now() - startedAt)
    }
  }

  return {
    stage,
    stream,
    providerCalled: (call) => metrics?.providerCalled(call),
    pageVisited: (visit) => metrics?.pageVisited(visit),
    refused: (subject) => metrics?.refused(subject),
  }
}
