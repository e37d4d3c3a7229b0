import { context, type Span, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace-node'
import { setDefaults } from '../../../db/environment'
import type { Attributes, Stage } from '../../engine/ports/telemetry'

export interface Tracing {
  /** Runs work in a span of this name, as a part of the one that encloses it. */
  span<Result>(stage: Stage, attributes: Attributes, work: () => Promise<Result>): Promise<Result>
  /** Runs each step of what yields items in one span. */
  stream<Item>(stage: Stage, attributes: Attributes, items: AsyncIterable<Item>): AsyncGenerator<Item>
  /** Sends what has not been sent yet. Never rejects. */
  close(): Promise<void>
}

/**
 * Sends spans to a collector. `variables` are those of OpenTelemetry, which its SDK reads itself: endpoint, headers, timeouts,
 * sampler, batches, attributes of the resource.
 */
export function createTracing(version: string, variables: Record<string, string>, exporter?: SpanExporter): Tracing {
  // They may come from a file.
  setDefaults(variables)
  const product = resourceFromAttributes({ 'service.name': 'sitelore', 'service.version': version })
  const resource = defaultResource()
    .merge(product)
    .merge(detectResources({ detectors: [envDetector] }))
  const provider = new NodeTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(exporter ?? new OTLPTraceExporter())],
  })
  provider.register()
  const tracer = trace.getTracer('sitelore', version)

  return {
    span(stage, attributes, work) {
      return tracer.startActiveSpan(stage, { attributes }, async (span) => {
        try {
          return await work()
        } catch (error) {
          fail(span, error)
          throw error
        } finally {
          span.end()
        }
      })
    },
    async *stream<Item>(stage: Stage, attributes: Attributes, items: AsyncIterable<Item>) {
      const span = tracer.startSpan(stage, { attributes })
      const within = trace.setSpan(context.active(), span)
      const iterator = items[Symbol.asyncIterator]()
      let isDone = false
      try {
        for (;;) {
          // A generator goes on in the context of whoever asks for its next item.
          const next = await context.with(within, () => iterator.next())
          if (next.done) break
          yield next.value
        }
        isDone = true
      } catch (error) {
        isDone = true
        fail(span, error)
        throw error
      } finally {
        if (!isDone) await context.with(within, () => iterator.return?.())
        span.end()
      }
    },
    async close() {
      await provider.shutdown().catch(() => {})
      trace.disable()
      context.disable()
    },
  }
}

function fail(span: Span, error: unknown): void {
  // Messages may quote what was asked.
  span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'Error' })
}
