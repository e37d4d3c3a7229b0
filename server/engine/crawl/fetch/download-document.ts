import { reasonText } from '../../../../contract/reasons'
import type { Download, Downloads, FetchedBody } from '../../ports/fetcher'
import { readValidators } from './http-validators'
import type { FetchedDocument, OtherOutcome, PageOutcome } from './page-outcome'

/** Downloads a document to disk as its bytes arrive. `fetch` may say that the document is gone by now. */
export async function downloadDocument(
  downloads: Downloads,
  document: FetchedDocument,
  fetch: (onChunk: Download['write']) => Promise<FetchedBody | OtherOutcome>,
): Promise<PageOutcome> {
  const download = await downloads.open()
  let isKept = false
  try {
    const response = await fetch(download.write)
    const bytes = await download.end()
    if (response.kind !== 'fetched') return withDocumentReason(response)
    isKept = true
    const { status, headers } = response
    return {
      ...document,
      ...readValidators(headers),
      download,
      httpStatus: status,
      bytes,
      contentType: headers['content-type'] ?? '',
    }
  } finally {
    if (!isKept) await download.remove()
  }
}

/** Documents have a size limit of their own. */
function withDocumentReason(outcome: OtherOutcome): OtherOutcome {
  if (outcome.kind !== 'refused' || outcome.reason !== 'too-large') return outcome
  return { ...outcome, reason: 'file-too-large', message: reasonText('file-too-large') }
}
