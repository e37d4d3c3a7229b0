import type { ProviderFailure } from './chat-model'

/** The stages of an answer and of a search. Those of a search are measured by name only, whoever searches. */
export type Stage =
  | 'answer'
  | 'translate'
  | 'search'
  | 'keywords'
  | 'embedding'
  | 'vectors'
  | 'fragments'
  | 'ranking'
  | 'reranking'
  | 'citations'
  | 'provider'

export type Attributes = Record<string, string | number | boolean>

/** What a call of a model provider came to. Times in milliseconds, null where nothing was received. */
export interface ProviderCall {
  provider: string
  /** 'stopped': the reader or the server ended it. */
  outcome: 'complete' | 'stopped' | 'unexpected' | ProviderFailure
  durationMs: number
  firstTokenMs: number | null
  tokensInput: number | null
  tokensOutput: number | null
}

/** What is counted when metrics are asked for. Sizes in bytes. */
export interface Readings {
  jobs: { kind: string; queued: number; running: number; failed: number; oldest_at: string }[]
  /** Fragments that an index does not have yet. */
  backlog: { without_vector: number; not_in_text_index: number }
  failingSources: number
  database: { bytes: number; wal_bytes: number | null }
  disk: { free: number; total: number }
  lastBackup: { created_at: string; bytes: number } | null
}

/** What is measured of the work: counts and durations for /metrics, spans for traces. Its methods never throw. */
export interface Telemetry {
  /** Measures work, as a part of the stage that encloses it. */
  stage<Result>(stage: Stage, work: () => Promise<Result>, attributes?: Attributes): Promise<Result>
  /** Measures what yields items, from the first request for an item to the last. */
  stream<Item>(stage: Stage, items: AsyncIterable<Item>, attributes?: Attributes): AsyncGenerator<Item>
  providerCalled(call: ProviderCall): void
  /** A visit of a crawl ended. `reason` is null for a page that was read without one. */
  pageVisited(visit: { outcome: string; reason: string | null }): void
  /** A key, an origin or address, or a token was refused. */
  refused(subject: string): void
}

/** Measures nothing. */
export const noTelemetry: Telemetry = {
  stage: (_stage, work) => work(),
  async *stream(_stage, items) {
    yield* items
  },
  providerCalled() {},
  pageVisited() {},
  refused() {},
}
