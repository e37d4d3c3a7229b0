import { reasonText } from '../../../../contract/reasons'
import type { Download, Downloads, FetchedBody } from '../../ports'
import type { Visit, VisitedDocument } from './fetch-page'
import { validatorsOf } from './http-validators'

/**
 * Puts a document on the disk as its bytes come; whoever gets it takes it away. `ask` fetches it, or says what stands in
 * its place now.
 */
export async function downloadDocument(
  downloads: Downloads,
  document: VisitedDocument,
  ask: (take: Download['take']) => Promise<FetchedBody | Visit>,
): Promise<Visit> {
  const download = await downloads.open()
  let isKept = false
  try {
    const answer = await ask(download.take)
    const bytes = await download.end()
    if (answer.kind !== 'fetched') return withOwnReason(answer)
    isKept = true
    const { status, headers } = answer
    return {
      ...document,
      ...validatorsOf(headers),
      download,
      status,
      bytes,
      contentType: headers['content-type'] ?? '',
    }
  } finally {
    if (!isKept) await download.remove()
  }
}

/** Too large for a document is more than for a page. */
function withOwnReason(visit: Visit): Visit {
  if (visit.kind !== 'refused' || visit.reason !== 'too-large') return visit
  return { ...visit, reason: 'file-too-large', message: reasonText('file-too-large') }
}
