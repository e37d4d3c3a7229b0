import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { ProviderCall, Readings, Stage } from '../../engine/ports/telemetry'

export interface HttpCall {
  method: string
  route: string
  status: number
  durationMs: number
}

/** Seconds: from a file of the build to a long answer. */
const httpBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180]
/** Seconds: stages of a search take milliseconds. */
const stageBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180]
const tokenBuckets = [0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60]

/** How long readings are used again, so that frequent or parallel scrapes cost one query. */
const maxReadingAgeMs = 5_000

export type Metrics = ReturnType<typeof createMetrics>

/** Metrics of this process in the text format of Prometheus. */
export function createMetrics(version: string) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter({ name: `sitelore_${name}`, help, labelNames, registers })
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name: `sitelore_${name}`, help, labelNames, registers })
  const histogram = <Label extends string>(name: string, help: string, labelNames: Label[], buckets: number[]) =>
    new Histogram({ name: `sitelore_${name}`, help, labelNames, buckets, registers })

  gauge('build_info', 'Always 1. The version is a label.', ['version']).set({ version }, 1)
  const requests = counter('http_requests_total', 'Requests that ended.', ['method', 'route', 'status'])
  const requestTimes = histogram(
    'http_request_duration_seconds',
    'From the head of a request to the end of its response.',
    ['method', 'route'],
    httpBuckets,
  )
  const stages = histogram('stage_duration_seconds', 'Stages of answers and searches.', ['stage'], stageBuckets)
  const providerCalls = counter('provider_calls_total', 'Calls of model providers.', ['provider', 'outcome'])
  const providerTimes = histogram('provider_call_duration_seconds', 'Whole calls.', ['provider'], tokenBuckets)
  const firstTokens = histogram('provider_first_token_seconds', 'Until the first text.', ['provider'], tokenBuckets)
  const tokens = counter('provider_tokens_total', 'Tokens that providers reported.', ['provider', 'direction'])
  const visits = counter('crawl_visits_total', 'Visits of addresses that ended.', ['outcome', 'reason'])
  const rejections = counter('rejections_total', 'Refused keys, origins, addresses and tokens.', ['subject'])
  const jobs = gauge('jobs', 'Jobs that have not finished, and those that failed for good.', ['kind', 'status'])
  const jobAges = gauge('jobs_oldest_age_seconds', 'Age of the oldest of these jobs.', ['kind'])
  const backlog = gauge('index_backlog_fragments', 'Fragments that an index does not have yet.', ['index'])
  const failing = gauge('sources_failing', 'Sources whose last run failed.')
  const database = gauge('database_bytes', 'Size of the database.')
  const wal = gauge('database_wal_bytes', 'Size of the write-ahead log of SQLite.')
  const diskFree = gauge('disk_free_bytes', 'Free space on the disk of the data folder.')
  const diskTotal = gauge('disk_total_bytes', 'Size of the disk of the data folder.')
  const backupTime = gauge('last_backup_timestamp_seconds', 'When the last backup was written; 0 without one.')
  const backupSize = gauge('last_backup_bytes', 'Size of the last backup; 0 without one.')
  const backupFailures = counter('backup_failures_total', 'Scheduled backups that failed.')

  let reading: { at: number; done: Promise<void> } | null = null

  async function take(read: () => Promise<Readings>): Promise<void> {
    const found = await read()
    jobs.reset()
    jobAges.reset()
    for (const { kind, oldest_at, ...counts } of found.jobs) {
      for (const status of ['queued', 'running', 'failed'] as const) jobs.set({ kind, status }, counts[status])
      jobAges.set({ kind }, Math.max(0, (Date.now() - Date.parse(oldest_at)) / 1_000))
    }
    backlog.set({ index: 'vectors' }, found.backlog.without_vector)
    backlog.set({ index: 'keywords' }, found.backlog.not_in_text_index)
    failing.set(found.failingSources)
    database.set(found.database.bytes)
    wal.set(found.database.wal_bytes ?? 0)
    diskFree.set(found.disk.free)
    diskTotal.set(found.disk.total)
    backupTime.set(found.lastBackup ? Date.parse(found.lastBackup.created_at) / 1_000 : 0)
    backupSize.set(found.lastBackup?.bytes ?? 0)
  }

  return {
    contentType: registry.contentType,
    /** All metrics, with fresh readings. Rejects if these cannot be taken. */
    async text(read: () => Promise<Readings>): Promise<string> {
      const now = performance.now()
      if (reading === null || now - reading.at > maxReadingAgeMs) reading = { at: now, done: take(read) }
      await reading.done.catch((error: unknown) => {
        reading = null
        throw error
      })
      return registry.metrics()
    },
    requestEnded({ method, route, status, durationMs }: HttpCall): void {
      requests.inc({ method, route, status })
      requestTimes.observe({ method, route }, durationMs / 1_000)
    },
    stageEnded(stage: Stage, durationMs: number): void {
      stages.observe({ stage }, durationMs / 1_000)
    },
    providerCalled({ provider, outcome, durationMs, firstTokenMs, tokensInput, tokensOutput }: ProviderCall): void {
      providerCalls.inc({ provider, outcome })
      providerTimes.observe({ provider }, durationMs / 1_000)
      if (firstTokenMs !== null) firstTokens.observe({ provider }, firstTokenMs / 1_000)
      if (tokensInput !== null) tokens.inc({ provider, direction: 'input' }, tokensInput)
      if (tokensOutput !== null) tokens.inc({ provider, direction: 'output' }, tokensOutput)
    },
    pageVisited({ outcome, reason }: { outcome: string; reason: string | null }): void {
      visits.inc({ outcome, reason: reason ?? '' })
    },
    refused(subject: string): void {
      rejections.inc({ subject })
    },
    backupFailed(): void {
      backupFailures.inc()
    },
  }
}
