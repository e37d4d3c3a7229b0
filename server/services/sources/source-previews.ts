import { and, eq } from 'drizzle-orm'
import type { SourceEdit, SourceInput } from '../../../contract/source'
import type { PreviewEvent } from '../../../contract/views/preview'
import type { Database } from '../../../db/database'
import { addresses } from '../../../db/schema/addresses'
import type { Actor } from '../../actor'
import type { PreviewRequest } from '../../engine/crawl/preview/preview-request'
import { domainRoot } from '../../engine/crawl/urls/urls'
import { crawlLimits } from '../../engine/limits'
import { AppError } from '../../errors'
import { authorize } from '../../policy'
import type { Sealer } from '../../sealing'
import { findCollection } from '../collections/collections'
import { countsTowardLimit, countUrls, type Organizations } from '../organizations/organizations'
import type { FairTurns } from '../usage/fair-turns'
import { findSource } from './find-source'
import { accessAfter, accessWith, assertSelectors } from './source-settings'

interface Deps {
  db: Database
  organizations: Organizations
  sealer: Sealer
  turns: Pick<FairTurns, 'assertRoom' | 'take'>
  /** Reads a site without storing anything; see `engine/crawl/preview.ts`. */
  preview(request: PreviewRequest, signal: AbortSignal): AsyncIterable<PreviewEvent>
}

/** Looks at what a source would take in and what not, and why; nothing is stored. Errors come before the stream. */
export function createSourcePreviews({ db, organizations, sealer, turns, preview: previewSite }: Deps) {
  /** Of a new source. Its collection need not be made yet: null. */
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
    const url = addressOf(input)
    return look(organizationId, signal, {
      type: input.type,
      url,
      include: input.include ?? [],
      exclude: input.exclude ?? [],
      maxPages: input.max_pages ?? null,
      maxDepth: input.max_depth ?? null,
      access: accessWith(url, input),
      remainingPages: 0,
      ...gapOf(input.crawl_delay_ms),
    })
  }

  /** Of a source with other options; what is left out of them is as it is stored, credentials too. */
  async function previewEdit(
    actor: Actor,
    organizationId: string,
    collectionId: string,
    id: string,
    options: SourceEdit,
    signal: AbortSignal,
  ): Promise<AsyncIterable<PreviewEvent>> {
    authorize(actor, 'source:edit', organizationId)
    const source = await findSource(db.read, organizationId, collectionId, id)
    const { type, url } = source
    if (type === 'file' || url === null) throw new AppError('invalid_input', 'A file has no preview.')
    assertSelectors(options)
    return look(organizationId, signal, {
      type,
      url,
      include: options.include ?? source.include,
      exclude: options.exclude ?? source.exclude,
      maxPages: options.max_pages === undefined ? source.maxPages : options.max_pages,
      maxDepth: options.max_depth === undefined ? source.maxDepth : options.max_depth,
      access: accessAfter(options, { ...source, url }, sealer),
      remainingPages: await ownAddresses(id),
      ...gapOf(options.crawl_delay_ms === undefined ? source.crawlDelayMs : options.crawl_delay_ms),
    })
  }

  /** The source's addresses that are in: they take no room of others. */
  function ownAddresses(id: string): Promise<number> {
    return db.read.$count(addresses, and(eq(addresses.sourceId, id), countsTowardLimit()))
  }

  /** `room` of the request: what is there besides that which the plan has left. */
  async function look(
    organizationId: string,
    signal: AbortSignal,
    request: PreviewRequest,
  ): Promise<AsyncIterable<PreviewEvent>> {
    const { urls } = await organizations.planOf(db.read, organizationId)
    const left = urls === 0 ? crawlLimits.pagesPerRun : urls - (await countUrls(db.read, organizationId))
    turns.assertRoom(organizationId)
    const events = previewSite({ ...request, remainingPages: Math.max(0, left) + request.remainingPages }, signal)
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

/** What a source of this type and address begins with. */
export function addressOf({ type, url }: Pick<SourceInput, 'type' | 'url'>): string {
  return (type === 'domain' ? domainRoot(url) : null) ?? url
}

function gapOf(crawlDelayMs: number | null | undefined): Pick<PreviewRequest, 'crawlDelayMs'> {
  return crawlDelayMs == null ? {} : { crawlDelayMs: crawlDelayMs }
}
