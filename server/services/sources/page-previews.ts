import type { PagePreviewInput } from '../../../contract/page-preview'
import { type ReasonCode, reasonText, withAddress } from '../../../contract/reasons'
import type { PagePreview, PageReading } from '../../../contract/views/preview'
import type { Database } from '../../../db/database'
import type { Actor } from '../../actor'
import type { FetchedPage, PageOutcome } from '../../engine/crawl/fetch/page-outcome'
import type { PageRequest } from '../../engine/crawl/fetch/page-request'
import type { PagePreviewResult } from '../../engine/ingest/preview-page'
import type { ExtractedPage } from '../../engine/ports'
import { authorize } from '../../policy'
import type { Sealer } from '../../sealing'
import { findCollection } from '../collections/collections'
import type { BoilerplateService } from '../crawling/boilerplate/boilerplate'
import type { FairTurns } from '../usage/fair-turns'
import { findSource } from './find-source'
import { accessOf, accessWith, assertSelectors, type SourceRow } from './source-settings'

interface Deps {
  db: Database
  sealer: Sealer
  turns: Pick<FairTurns, 'run'>
  boilerplate: Pick<BoilerplateService, 'shareOfPage'>
  read: (request: PageRequest, signal: AbortSignal) => Promise<PagePreviewResult>
}

/** One page of a site before and after somebody's selectors; nothing is stored. */
export function createPagePreviews({ db, sealer, turns, boilerplate, read }: Deps) {
  /** Waits for the organization's turn. Throws invalid_input for an invalid selector, and rate_limited. */
  async function preview(
    actor: Actor,
    organizationId: string,
    collectionId: string,
    input: PagePreviewInput,
    signal: AbortSignal,
  ): Promise<PagePreview> {
    authorize(actor, 'source:edit', organizationId)
    const { source_id: sourceId, page } = input
    const source = sourceId === undefined ? null : await findSource(db.read, organizationId, collectionId, sourceId)
    if (!source) await findCollection(db.read, organizationId, collectionId)
    assertSelectors(input)
    const request = {
      url: page,
      followLinks: false,
      site: null,
      followCanonical: false,
      access: accessFor(input, source),
      crawlDelayMs: input.crawl_delay_ms ?? source?.crawlDelayMs ?? undefined,
      selectors: { include: input.include_selectors ?? [], exclude: input.exclude_selectors ?? [] },
      // As a crawl would index the page: without the known boilerplate of its source.
      boilerplate: source ? await boilerplate.shareOfPage(source.id, page) : undefined,
    }
    const hasSelectors = request.selectors.include.length + request.selectors.exclude.length > 0
    return previewOf(page, await turns.run(organizationId, () => read(request, signal), signal), hasSelectors)
  }

  function accessFor(input: PagePreviewInput, source: SourceRow | null) {
    return accessWith(input.page, input) ?? (source && accessOf(source, sealer))
  }

  return { preview }
}

function previewOf(page: string, { outcome, original }: PagePreviewResult, hasSelectors: boolean): PagePreview {
  const selected = outcome.kind === 'fetched' ? outcome : null
  const problem = outcome.kind === 'fetched' ? null : problemOf(outcome)
  return {
    page,
    title: (selected ?? original)?.document.title ?? '',
    before: readingOf(original),
    after: readingOf(selected),
    reason: problem?.reason ?? null,
    message:
      problem?.message ??
      (hasSelectors && isSame(selected, original) ? 'The selectors change nothing on this page.' : null),
  }
}

function isSame(selected: ExtractedPage | null, original: ExtractedPage | null): boolean {
  return selected !== null && original !== null && selected.textHash === original.textHash
}

function problemOf(outcome: Exclude<PageOutcome, FetchedPage>): {
  reason: ReasonCode
  message: string
} {
  if (outcome.kind === 'moved') {
    return { reason: outcome.reason, message: withAddress(outcome.reason, outcome.to) }
  }
  if (outcome.kind === 'document') {
    return { reason: 'not-html', message: 'This is a document. Selectors choose among the parts of a web page.' }
  }
  // The request is unconditional, so that this never happens.
  return outcome.kind === 'unchanged' ? { reason: 'empty-page', message: reasonText('empty-page') } : outcome
}

function readingOf(page: ExtractedPage | null): PageReading {
  const fragments = page?.fragments ?? []
  const words = fragments.reduce((sum, { text }) => sum + (text.match(/\S+/g)?.length ?? 0), 0)
  return { words, fragments: fragments.map(({ headings, text, tokens }) => ({ headings, text, tokens })) }
}
