import type { AddressRow, RunContext } from '../../runs/run-context'
import type { IngestDocument } from '../documents/ingest-document'
import type { ApplyChange } from '../pages/apply-change'
import { decideChange, type PageContext } from '../pages/decide-change'
import { type FetchAddressDeps, fetchAddress } from '../pages/fetch-address'

interface Deps extends FetchAddressDeps {
  engine: FetchAddressDeps['engine'] & Pick<PageContext, 'retryDelaysMs'>
  documents: IngestDocument
  applyChange: ApplyChange
}

export type IngestPage = ReturnType<typeof createIngestPage>

/** Ingests one claimed address of a run: fetches it, decides what changed, stores that in one transaction. */
export function createIngestPage({ documents, applyChange, ...deps }: Deps) {
  return async (run: RunContext, address: AddressRow, signal: AbortSignal): Promise<void> => {
    if (run.source.type === 'file') return documents.ingestFile(run, address, signal)
    const outcome = await fetchAddress(deps, run, address, signal)
    if (outcome.kind === 'document') return documents.ingestDownload(run, address, outcome, signal)
    const { retryDelaysMs } = deps.engine
    await applyChange(run, address, decideChange({ source: run.source, address, retryDelaysMs }, outcome))
  }
}
