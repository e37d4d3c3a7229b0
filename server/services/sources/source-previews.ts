import { and, eq } from 'drizzle-orm'
import type { SourceEdit, SourceInput } from '../../../contract/sources/source'
import type { PreviewEvent } from '../../../contract/views/preview'
import type { Database } from '../../../db/database'
import { addresses } from '../../../db/schema/addresses'
import type { Actor } from '../../actor'
import type { PreviewRequest } from '../../engine/crawl/preview/preview-request'
import { startOf } from '../../engine/crawl/urls/entry-pages'
import { crawlLimits } from '../../engine/limits'
import { AppError } from '../../errors'
import { authorize } from '../../policy'
import type { Sealer } from '../../sealing'
import { findCollection } from '../collections/collections'
import type { Organizations } from '../organizations/organizations'
import type { FairTurns } from '../usage/fair-turns'
import { countsTowardLimit, countUrls } from '../usage/urls'
import { findSource, type SourceRef } from './find-source'
import { accessAfter, accessWith, assertSelectors } from './source-settings'

interface Deps {
  db: Database
  organizations: Organizations
  sealer: Sealer
  turns: Pick<FairTurns, 'assertRoom' | 'take'>
  /** See `engine/crawl/preview`. */
  preview(request: PreviewRequest, signal: AbortSignal): AsyncIterable<PreviewEvent>
}

/** Shows what a source would index and what not, and why, without storing anything. Throws before the first event. */
export function createSourcePreviews({ db, organizations, sealer, turns, preview: previewSite }: Deps) {
  /** Of a new source. `collectionId` is null before its collection is created. */
  async function preview(
    actor: Actor,
    organizationId: string,
    collectionId: string | null,
    input: SourceInput,
    signal: AbortSignal,
  ): Promise<AsyncIterable<PreviewEvent>> {
    authorize(actor, 'source:edit', organizationId)
    if (collectionId !== null) await findCollection(db.read, organizationId, collectionId)
    assertSelectors(input)
    const { url, startPath } = startOf(input)
    return start(organizationId, signal, {
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
    })
  }

  /** Of a stored source with other options; omitted options and credentials are the stored ones. */
  async function previewEdit(
    actor: Actor,
    ref: SourceRef,
    options: SourceEdit,
    signal: AbortSignal,
  ): Promise<AsyncIterable<PreviewEvent>> {
    authorize(actor, 'source:edit', ref.organizationId)
    const source = await findSource(db.read, ref)
    const { type, url, startPath } = source
    if (type === 'file' || url === null) throw new AppError('invalid_input', 'A file has no preview.')
    assertSelectors(options)
    return start(ref.organizationId, signal, {
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
    })
  }

  /** The source's own addresses take no room from others. */
  function countAddresses(id: string): Promise<number> {
    return db.read.$count(addresses, and(eq(addresses.sourceId, id), countsTowardLimit()))
  }

  /** `request.remainingPages`: in addition to those that the plan has left. */
  async function start(
    organizationId: string,
    signal: AbortSignal,
    request: PreviewRequest,
  ): Promise<AsyncIterable<PreviewEvent>> {
    const { urls } = await organizations.planOf(db.read, organizationId)
    const remaining = urls === 0 ? crawlLimits.pagesPerRun : urls - (await countUrls(db.read, organizationId))
    turns.assertRoom(organizationId)
    const remainingPages = Math.max(0, remaining) + request.remainingPages
    const events = previewSite({ ...request, remainingPages }, signal)
    return inTurn(organizationId, events, signal)
  }

  /** Waits for a turn when the events are first read: events that nobody reads take none. */
  async function* inTurn(
    organizationId: string,
    events: AsyncIterable<PreviewEvent>,
    signal: AbortSignal,
  ): AsyncGenerator<PreviewEvent> {
    const endTurn = await turns.take(organizationId, signal)
    try {
      yield* events
    } finally {
      endTurn()
    }
  }

  return { preview, previewEdit }
}

function crawlDelayOf(crawlDelayMs: number | null | undefined): Pick<PreviewRequest, 'crawlDelayMs'> {
  return crawlDelayMs == null ? {} : { crawlDelayMs: crawlDelayMs }
}
