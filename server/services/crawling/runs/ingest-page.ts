import type { FetchedPage } from '../../../engine/crawl/fetch/page-outcome'
import type { RunContext } from '../../runs/run-context'
import type { ObserveSite } from '../../sites/observe-site'
import type { IngestDocument } from '../documents/ingest-document'
import type { Visit } from '../frontier/frontier'
import type { ApplyVisit } from '../pages/apply-visit'
import { accessTo, type FetchAddressDeps, fetchAddress } from '../pages/fetch-address'
import { textOfPage } from '../pages/read-text'

interface Deps extends FetchAddressDeps {
  documents: IngestDocument
  applyVisit: ApplyVisit
  observeSite: ObserveSite
}

export type IngestPage = ReturnType<typeof createIngestPage>

/** Ingests one claimed address of a run: fetches or reads it, decides what changed, stores that in one transaction. */
export function createIngestPage({ documents, applyVisit, observeSite, ...deps }: Deps) {
  return async (run: RunContext, visit: Visit, signal: AbortSignal): Promise<void> => {
    if (run.source.type === 'file') return documents.ingestFile(run, visit, signal)
    const outcome = await fetchAddress(deps, run, visit.address, signal)
    if (outcome.kind === 'document') return documents.ingestDownload(run, visit, outcome, signal)
    if (outcome.kind === 'fetched') {
      await applyVisit(run, visit, textOfPage(outcome), outcome)
      return observe(run, visit, outcome, signal)
    }
    if (outcome.kind !== 'alias') return applyVisit(run, visit, outcome)
    const { itself } = outcome
    if (itself.kind === 'refused') return applyVisit(run, visit, { ...outcome, itself })
    await applyVisit(run, visit, { ...outcome, itself: textOfPage(itself) }, itself)
    return observe(run, visit, itself, signal)
  }

  function observe(run: RunContext, visit: Visit, { document }: FetchedPage, signal: AbortSignal): Promise<void> {
    const { url } = visit.address
    return observeSite(run, { url, document, access: accessTo(deps, run, url) }, signal)
  }
}
