import type { SourceEdit, SourceInput } from '../../../contract/sources/source'
import type { PreviewEvent } from '../../../contract/views/preview'
import type { Database } from '../../../db/database'
import type { Actor } from '../../actor'
import type { PreviewRequest } from '../../engine/crawl/preview/preview-request'
import { startOf } from '../../engine/crawl/urls/entry-pages'
import { crawlLimits } from '../../engine/limits'
import { AppError } from '../../errors'
import { authorize } from '../../policy'
import type { Sealer } from '../../sealing'
import { type Reauthenticate, watchAccess } from '../access/watch-access'
import { findCollection } from '../collections/collections'
import type { Organizations } from '../organizations/organizations'
import { findSource, type SourceRef } from '../source-rows/find-source'
import { accessAfter, accessWith, assertSelectors } from '../source-rows/source-settings'
import type { FairTurns } from '../usage/fair-turns'
import { countUrls, countUrlsOfSource } from '../usage/urls'

interface Deps {
  db: Database
  organizations: Organizations
  sealer: Sealer
  turns: Pick<FairTurns, 'assertRoom' | 'take'>
  /** See `engine/crawl/preview`. */
  preview(request: PreviewRequest, signal: AbortSignal): AsyncIterable<PreviewEvent>
}

/** Where a new source would be. */
interface PreviewTarget {
  organizationId: string
  /** Null before its collection is created. */
  collectionId: string | null
}

/** Whoever reads the events. */
interface PreviewReader {
  organizationId: string
  signal: AbortSignal
  reauthenticate: Reauthenticate | undefined
}

/** Shows what a source would index and what not, and why, without storing anything. Throws before the first event. */
export function createSourcePreviews({ db, organizations, sealer, turns, preview: previewSite }: Deps) {
  /** Previews a new source. */
  async function preview(
    actor: Actor,
    { organizationId, collectionId }: PreviewTarget,
    input: SourceInput,
    signal: AbortSignal,
    reauthenticate?: Reauthenticate,
  ): Promise<AsyncIterable<PreviewEvent>> {
    authorize(actor, 'source:edit', organizationId)
    if (collectionId !== null) await findCollection(db.read, organizationId, collectionId)
    assertSelectors(input)
    const { url, startPath } = startOf(input)
    return start(
      { organizationId, signal, reauthenticate },
      {
        type: input.type,
        url,
        startPath,
        include: input.include ?? [],
        exclude: input.exclude ?? [],
        maxPages: input.max_pages ?? null,
        maxDepth: input.max_depth ?? null,
        access: accessWith(url, input),
        remainingPages: 0,
        ...crawlDelayOf(input.crawl_delay_ms),
      },
    )
  }

  /** Previews a stored source with other options; omitted options and credentials are the stored ones. */
  async function previewEdit(
    actor: Actor,
    ref: SourceRef,
    options: SourceEdit,
    signal: AbortSignal,
    reauthenticate?: Reauthenticate,
  ): Promise<AsyncIterable<PreviewEvent>> {
    authorize(actor, 'source:edit', ref.organizationId)
    const source = await findSource(db.read, ref)
    const { type, url, startPath } = source
    if (type === 'file' || url === null) throw new AppError('invalid_input', 'A file has no preview.')
    assertSelectors(options)
    return start(
      { organizationId: ref.organizationId, signal, reauthenticate },
      {
        type,
        url,
        startPath,
        include: options.include ?? source.include,
        exclude: options.exclude ?? source.exclude,
        maxPages: options.max_pages === undefined ? source.maxPages : options.max_pages,
        maxDepth: options.max_depth === undefined ? source.maxDepth : options.max_depth,
        access: accessAfter(options, { ...source, url }, sealer),
        remainingPages: await countAddresses(ref.sourceId),
        ...crawlDelayOf(options.crawl_delay_ms === undefined ? source.crawlDelayMs : options.crawl_delay_ms),
      },
    )
  }

  /** The source's own addresses take no room from others. */
  function countAddresses(id: string): Promise<number> {
    return countUrlsOfSource(db.read, id)
  }

  /** `request.remainingPages`: in addition to those that the plan has left. */
  async function start(
    { organizationId, ...reader }: PreviewReader,
    request: PreviewRequest,
  ): Promise<AsyncIterable<PreviewEvent>> {
    const { urls } = await organizations.planOf(db.read, organizationId)
    const remaining = urls === 0 ? crawlLimits.pagesPerRun : urls - (await countUrls(db.read, organizationId))
    turns.assertRoom(organizationId)
    const remainingPages = Math.max(0, remaining) + request.remainingPages
    const read = (signal: AbortSignal) => previewSite({ ...request, remainingPages }, signal)
    return inTurn({ organizationId, ...reader }, read)
  }

  /**
   * Waits for a turn when the events are first read: events that nobody reads take none. Ends early, without 'done', if the
   * reader may no longer edit sources.
   */
  async function* inTurn(
    { organizationId, signal, reauthenticate }: PreviewReader,
    read: (signal: AbortSignal) => AsyncIterable<PreviewEvent>,
  ): AsyncGenerator<PreviewEvent> {
    const endTurn = await turns.take(organizationId, signal)
    const access = watchAccess(reauthenticate, (actor) => authorize(actor, 'source:edit', organizationId))
    try {
      yield* read(AbortSignal.any([signal, access.signal]))
    } catch (error) {
      if (!access.signal.aborted) throw error
    } finally {
      access.stop()
      endTurn()
    }
  }

  return { preview, previewEdit }
}

function crawlDelayOf(crawlDelayMs: number | null | undefined): Pick<PreviewRequest, 'crawlDelayMs'> {
  return crawlDelayMs == null ? {} : { crawlDelayMs: crawlDelayMs }
}
