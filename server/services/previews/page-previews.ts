import { type ReasonCode, reasonText, withAddress } from '../../../contract/reasons'
import type { PagePreviewInput } from '../../../contract/sources/page-preview'
import type { PagePreview, PageReading } from '../../../contract/views/preview'
import type { Database } from '../../../db/database'
import type { Actor } from '../../actor'
import { createCookies, withCookies } from '../../engine/crawl/fetch/cookies'
import type { PageOutcome } from '../../engine/crawl/fetch/page-outcome'
import type { PageRequest } from '../../engine/crawl/fetch/page-request'
import type { PagePreviewResult } from '../../engine/ingest/preview-page'
import type { ExtractedPage } from '../../engine/ports/extractor'
import { authorize } from '../../policy'
import type { Sealer } from '../../sealing'
import { findCollection } from '../collections/collections'
import { loadPageBoilerplate } from '../runs/boilerplate'
import { findSource } from '../source-rows/find-source'
import { accessOf, accessWith, assertSelectors } from '../source-rows/source-settings'
import type { FairTurns } from '../usage/fair-turns'

interface Deps {
  db: Database
  sealer: Sealer
  turns: Pick<FairTurns, 'run'>
  previewPage: (request: PageRequest, signal: AbortSignal) => Promise<PagePreviewResult>
}

/** Shows the text of one page without and with selectors, without storing anything. */
export function createPagePreviews({ db, sealer, turns, previewPage }: Deps) {
  /** Throws invalid_input for an invalid selector, and rate_limited while too many previews of the organization run. */
  async function preview(
    actor: Actor,
    organizationId: string,
    collectionId: string,
    input: PagePreviewInput,
    signal: AbortSignal,
  ): Promise<PagePreview> {
    authorize(actor, 'source:edit', organizationId)
    const { source_id: sourceId, page } = input
    const source = sourceId === undefined ? null : await findSource(db.read, { organizationId, collectionId, sourceId })
    if (!source) await findCollection(db.read, organizationId, collectionId)
    assertSelectors(input)
    const request = {
      url: page,
      followLinks: false,
      site: null,
      access: withCookies(
        accessWith(page, input) ?? (source && accessOf(source, sealer)),
        source?.url ?? page,
        createCookies(),
      ),
      crawlDelayMs: input.crawl_delay_ms ?? source?.crawlDelayMs ?? undefined,
      selectors: { include: input.include_selectors ?? [], exclude: input.exclude_selectors ?? [] },
      boilerplate: source ? await loadPageBoilerplate(db.read, source.id, page) : undefined,
    }
    const hasSelectors = request.selectors.include.length + request.selectors.exclude.length > 0
    const result = await turns.run(organizationId, () => previewPage(request, signal), { signal })
    return previewOf(page, result, hasSelectors)
  }

  return { preview }
}

function previewOf(page: string, { outcome, original }: PagePreviewResult, hasSelectors: boolean): PagePreview {
  const selected = outcome.kind === 'fetched' ? outcome : null
  const problem = outcome.kind === 'fetched' ? null : problemOf(outcome)
  const isUnchanged = hasSelectors && selected !== null && selected.textHash === original?.textHash
  return {
    page,
    title: (selected ?? original)?.document.title ?? '',
    before: readingOf(original),
    after: readingOf(selected),
    reason: problem?.reason ?? null,
    message: problem?.message ?? (isUnchanged ? 'The selectors do not change anything on this page.' : null),
  }
}

function problemOf(outcome: Exclude<PageOutcome, { kind: 'fetched' }>): { reason: ReasonCode; message: string } {
  switch (outcome.kind) {
    case 'moved':
      return { reason: outcome.reason, message: withAddress(outcome.reason, outcome.to) }
    case 'document':
      return { reason: 'not-html', message: 'This is a document. Selectors apply to web pages only.' }
    case 'unchanged':
    case 'alias':
      // Impossible for an unconditional request of a single page.
      return { reason: 'empty-page', message: reasonText('empty-page') }
    default:
      return outcome
  }
}

function readingOf(page: ExtractedPage | null): PageReading {
  const fragments = page?.fragments ?? []
  const words = fragments.reduce((sum, { text }) => sum + (text.match(/\S+/g)?.length ?? 0), 0)
  return { words, fragments: fragments.map(({ headings, text, tokens }) => ({ headings, text, tokens })) }
}
