import { setTimeout as sleep } from 'node:timers/promises'
import type { SourceView } from '../../contract/views/source'
import { system } from '../../server/actor'
import type { App } from '../../server/app'
import { findServer } from '../../server/local-server'
import type { EmbeddingState } from '../../server/services/indexing/embedding-models'
import { type Feeding, startFeeding } from '../../workers/feed-search'
import { startWorkers } from '../../workers/index'
import type { Runner } from '../../workers/runner'
import { CommandError, type Io } from '../io'
import type { Progress } from './progress'

export interface Watched {
  organizationId: string
  collectionId: string
  sourceId: string
  runId: string
}

export interface Helpers {
  /** Starts workers in this process once no server runs the jobs. */
  ensureWorkers(): Promise<void>
  /** Whether fragments can be embedded; null while unknown. */
  embedding(): Promise<EmbeddingState | null>
  /** Whether a server does the work, which goes on after this command. */
  isServerWorking(): boolean
  stop(): Promise<void>
}

const tickMs = 300
const patienceMs = 120_000

export function createHelpers(app: App): Helpers {
  let runner: Runner | undefined
  let feeding: Feeding | undefined
  let loading: Promise<void> | undefined
  let loaded = false

  async function ensureWorkers(): Promise<void> {
    if (runner || (await app.services.installation.isServerAlive())) return
    runner = await startWorkers(app, 'cli')
    feeding = startFeeding(app)
    loading = app.startEmbedding().then(() => {
      loaded = true
    })
  }

  async function embedding(): Promise<EmbeddingState | null> {
    if (!runner) return (await findServer(app.config.dataDir))?.embedding ?? null
    const state = app.services.embedding.state()
    if (loaded && state.kind === 'starting')
      return { kind: 'unavailable', reason: 'The embedding model does not work here.' }
    return state
  }

  async function stop(): Promise<void> {
    await runner?.stop()
    await feeding?.stop()
    await loading
  }

  return { ensureWorkers, embedding, isServerWorking: () => runner === undefined, stop }
}

/** Waits until the run has ended or is paused. Returns the source. */
export async function watchCrawl(
  app: App,
  watched: Watched,
  helpers: Helpers,
  progress: Progress,
  signal: AbortSignal,
): Promise<SourceView> {
  const { organizationId, collectionId, sourceId, runId } = watched
  for (;;) {
    await helpers.ensureWorkers()
    const source = await app.services.sources.get(system, { organizationId, collectionId, sourceId })
    // The run and its source are stored in one transaction, but read in two.
    const run = source.last_run
    // A run that is cancelled while paused has not ended yet.
    const held = source.paused && run?.cancelled === false
    const over = run?.id !== runId || run.finished_at !== null || held
    if (over) return app.services.sources.get(system, { organizationId, collectionId, sourceId })
    const failure = await app.services.installation.crawlFailure(sourceId, runId)
    if (failure !== null) throw new CommandError(`The site could not be read: ${failure}`)
    const { done, total, current } = source.progress ?? { done: 0, total: 0, current: null }
    progress.show(
      source.type === 'file'
        ? { label: 'Reading the file', done: total > 0 ? done : null, total, detail: source.file_name ?? '' }
        : { label: 'Crawling pages', done, total, detail: current ?? '' },
    )
    await sleep(tickMs, undefined, { signal })
  }
}

/** Waits until all fragments of the collection are embedded. Returns why some are not, or null. */
export async function watchVectors(
  app: App,
  { organizationId, collectionId }: Watched,
  helpers: Helpers,
  progress: Progress,
  { signal }: Pick<Io, 'signal'>,
): Promise<{ fragments: number; waiting: number; reason: string | null }> {
  const hasStalled = createStallCheck()
  for (;;) {
    await helpers.ensureWorkers()
    const { fragments, pending_embeddings: waiting } = await app.services.collections.get(
      system,
      organizationId,
      collectionId,
    )
    if (waiting === 0) return { fragments, waiting, reason: null }
    const state = await helpers.embedding()
    if (state?.kind === 'unavailable') return { fragments, waiting, reason: state.reason }
    if (hasStalled(waiting))
      return { fragments, waiting, reason: `No embedding arrived within ${patienceMs / 1000} s.` }
    progress.show({ label: 'Building the semantic index', done: fragments - waiting, total: fragments })
    await sleep(tickMs, undefined, { signal })
  }
}

/** Waits until searches find the fragments of the collection. Returns why they do not, or null. */
export async function watchIndex(
  { services: { feedSearch } }: App,
  { collectionId }: Watched,
  progress: Progress,
  signal: AbortSignal,
): Promise<string | null> {
  const { feed } = feedSearch
  if (!feed) return null
  const hasStalled = createStallCheck()
  for (;;) {
    const { count: waiting } = await feed.pending(collectionId)
    if (waiting === 0) break
    if (hasStalled(waiting))
      return `The search index has taken nothing for ${patienceMs / 1000} s; ${waiting} fragments wait for it. See: sitelore doctor`
    progress.show({ label: 'Writing the search index', done: null, total: 0, detail: `${waiting} fragments left` })
    await sleep(tickMs, undefined, { signal })
  }
  await feed.refresh()
  return null
}

/** Tells whether what waits has not become less for `patienceMs`. */
function createStallCheck(): (waiting: number) => boolean {
  let least = Number.POSITIVE_INFINITY
  let changedAt = Date.now()
  return (waiting) => {
    if (waiting < least) {
      least = waiting
      changedAt = Date.now()
    }
    return Date.now() - changedAt > patienceMs
  }
}
