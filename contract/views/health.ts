import type { InstalledModelsView } from './model'

/** How the machine and the process of a server are; sizes in bytes, times in milliseconds. */
export interface MachineState {
  version: string
  node: string
  pid: number
  started_at: string
  /** Delay of the event loop, measured when it was asked for, and its share of busy time since the start. */
  event_loop: { delay_median: number; delay_max: number; utilization: number }
  memory: { resident: number; heap: number; machine_free: number; machine_total: number }
  disk: { free: number; total: number }
  /** `wal_bytes` is null for PostgreSQL. */
  database: { kind: 'sqlite' | 'postgresql'; bytes: number; wal_bytes: number | null; damage: string | null }
  /** When the last backup was written; null if none is known. */
  last_backup: { created_at: string; bytes: number; verified: boolean } | null
}

/** The jobs of one kind that have not finished. */
export interface JobsOfKind {
  kind: string
  queued: number
  running: number
  failed: number
  /** When the oldest of them was enqueued. */
  oldest_at: string
  /** When the lease of a running one ends that ends first; null if none runs. */
  oldest_lease: string | null
  /** Message of the last failure of one that failed for good. */
  error: string | null
}

/** A search index on a server of its own. */
export interface SearchIndexView {
  /** `red`: searches fail. `yellow`: copies are missing. `away`: the server does not respond. */
  status: 'green' | 'yellow' | 'red' | 'away'
  documents: number
  bytes: number
  /** Whether it is of this version and of the embedding model of the installation. */
  is_current: boolean
  /** Fragments that wait to be written to it, and since when the first of them has. */
  pending: number
  oldest_pending_at: string | null
}

export interface FailingSource {
  id: string
  name: string
  message: string | null
  organization: string
  /** When its last run began; null if none has. */
  refreshed_at: string | null
}

/** The size and the use of an installation. */
export interface GlanceView {
  fragments: number
  collections: number
  /** Answers in conversations that began in the last 24 hours. */
  questions: { answered: number; not_found: number }
}

/** An installation as its operators see it. */
export interface HealthView extends MachineState {
  jobs: JobsOfKind[]
  /** What search does not find yet. */
  backups: {
    /** When the next backup is due; null without a schedule. */
    next_at: string | null
    /** Why the last scheduled backup failed; null if it did not. */
    failure: { at: string; message: string } | null
  }
  backlog: { without_vector: number; not_in_text_index: number }
  /** Null where the index is part of the database. */
  search_index: SearchIndexView | null
  /** Processes with a heartbeat that run jobs. */
  workers: number
  failing_sources: { total: number; docs: FailingSource[] }
  /** Agents whose last answers failed, or whose key the provider refused. */
  failing_agents: { total: number; docs: { id: string; name: string; failed_answers: number; key_refused: boolean }[] }
  models: InstalledModelsView
  embedding: { model: string } | { unavailable: string } | 'starting'
  /** The model that reorders search results; null without one. */
  reranker: { model: string; is_ready: boolean; problem: string | null } | null
  /** Destinations that this server speaks to by itself or for its users, and why. */
  outbound: { to: string; why: string }[]
}
