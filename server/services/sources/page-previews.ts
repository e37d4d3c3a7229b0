import type { PagePreviewInput } from '../../../contract/page-preview'
import { type ReasonCode, reasonText, withAddress } from '../../../contract/reasons'
import type { PagePreview, PageReading } from '../../../contract/views/preview'
import type { Database } from '../../../db/database'
import type { Actor } from '../../actor'
import type { VisitRequest } from '../../engine/crawl/fetch/fetch-page'
import type { TriedPage } from '../../engine/ingest/preview-page'
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
  read: (request: VisitRequest, signal: AbortSignal) => Promise<TriedPage>
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
      gapMs: input.crawl_delay_ms ?? source?.crawlDelayMs ?? undefined,
      selectors: { include: input.include_selectors ?? [], exclude: input.exclude_selectors ?? [] },
      // As it would be cut: without what its site shares, where that is known.
      share: source ? await boilerplate.shareOfPage(source.id, page) : undefined,
    }
    const isTried = request.selectors.include.length + request.selectors.exclude.length > 0
    return previewOf(page, await turns.run(organizationId, () => read(request, signal), signal), isTried)
  }

  function accessFor(input: PagePreviewInput, source: SourceRow | null) {
    return accessWith(input.page, input) ?? (source && accessOf(source, sealer))
  }

  return { preview }
}

function previewOf(page: string, { visit, plain }: TriedPage, isTried: boolean): PagePreview {
  const read = visit.kind === 'page' ? visit : null
  const problem = visit.kind === 'page' ? null : problemOf(visit)
  return {
    page,
    title: (read ?? plain)?.document.title ?? '',
    before: readingOf(plain),
    after: readingOf(read),
    reason: problem?.reason ?? null,
    message: problem?.message ?? (isTried && isSame(read, plain) ? 'The selectors change nothing on this page.' : null),
  }
}

function isSame(read: ExtractedPage | null, plain: ExtractedPage | null): boolean {
  return read !== null && plain !== null && read.textHash === plain.textHash
}

function problemOf(visit: Exclude<TriedPage['visit'], { kind: 'page' }>): { reason: ReasonCode; message: string } {
  if (visit.kind === 'elsewhere') {
    return { reason: visit.reason, message: withAddress(visit.reason, visit.address) }
  }
  if (visit.kind === 'document') {
    return { reason: 'not-html', message: 'This is a document. Selectors choose among the parts of a web page.' }
  }
  // Nobody asked on a condition.
  return visit.kind === 'unchanged' ? { reason: 'empty-page', message: reasonText('empty-page') } : visit
}

function readingOf(read: ExtractedPage | null): PageReading {
  const fragments = read?.fragments ?? []
  const words = fragments.reduce((sum, { text }) => sum + (text.match(/\S+/g)?.length ?? 0), 0)
  return { words, fragments: fragments.map(({ headings, text, tokens }) => ({ headings, text, tokens })) }
}
