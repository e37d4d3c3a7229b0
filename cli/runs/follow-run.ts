import type { SourceView } from '../../contract/views/source'
import { system } from '../../server/actor'
import type { App } from '../../server/app'
import { everyPage } from '../accounts/organization'
import type { FoundSource } from '../find-source'
import { CommandError, type Io } from '../io'
import { createProgress } from './progress'
import { createHelpers, watchCrawl, watchIndex, watchVectors } from './watch-source'

/** The end of a run, as it is reported. */
export interface Outcome {
  source: SourceView
  collection: { id: string; name: string }
  vectors: { fragments: number; waiting: number; reason: string | null }
  failures: { url: string; reason: string | null; message: string | null }[]
}

/**
 * Waits until the current or last run has ended and searches find its fragments, with their vectors. The server runs the
 * jobs if there is one, else this process. Returns early if the run is paused.
 */
export async function followRun(app: App, io: Io, found: FoundSource, json: boolean): Promise<Outcome> {
  const { organizationId, collection, source } = found
  const runId = source.last_run?.id
  if (!runId) throw new CommandError('The run did not start. Try again.')
  const watched = { organizationId, collectionId: collection.id, sourceId: source.id, runId }
  const helpers = createHelpers(app)
  const progress = createProgress(io, { json })
  try {
    const { paused, last_run: run } = await watchCrawl(app, watched, helpers, progress, io.signal)
    const addsText = !paused && !run?.cancelled && run?.kind !== 'discover'
    const vectors = addsText
      ? await watchVectors(app, watched, helpers, progress, io)
      : await vectorsOf(app, organizationId, collection.id)
    const problem = addsText ? await watchIndex(app, watched, progress, io.signal) : null
    if (problem) {
      progress.end()
      io.err(`${problem}\n`)
    }
    // Read again, because the run's report counts embedded fragments.
    const ended = await app.services.sources.get(system, {
      organizationId,
      collectionId: collection.id,
      sourceId: source.id,
    })
    return { source: ended, collection, vectors, failures: await failuresOf(app, { ...found, source: ended }) }
  } catch (error) {
    if (!io.signal.aborted) throw error
    progress.end()
    if (!json) io.err(helpers.isServerWorking() ? 'Stopped watching. ' : 'Stopping. ')
    if (!helpers.isServerWorking())
      throw new CommandError('What was indexed so far stays; the same command continues from there.')
    throw new CommandError(
      `The server goes on with the run. Cancel it with: sitelore cancel ${source.url ?? source.id}. Watch it with: sitelore sources`,
    )
  } finally {
    progress.end()
    await helpers.stop()
  }
}

async function vectorsOf(app: App, organizationId: string, collectionId: string): Promise<Outcome['vectors']> {
  const { fragments, pending_embeddings: waiting } = await app.services.collections.get(
    system,
    organizationId,
    collectionId,
  )
  return { fragments, waiting, reason: null }
}

async function failuresOf(app: App, { organizationId, collection, source }: FoundSource): Promise<Outcome['failures']> {
  const { status, last_run: run } = source
  if (status !== 'fail' && (run?.failed ?? 0) + (run?.withdrawn ?? 0) === 0) return []
  const all = await everyPage((page) =>
    app.services.addresses.list(system, organizationId, collection.id, {
      page,
      limit: 100,
      status: 'fail',
      sourceId: source.id,
    }),
  )
  return all.map(({ url, reason, message }) => ({ url, reason, message }))
}
