import { fetchPage } from '../crawl/fetch/fetch-page'
import type { PageOutcome } from '../crawl/fetch/page-outcome'
import type { FetchPageDeps, PageRequest } from '../crawl/fetch/page-request'
import type { ExtractedPage, Extractor } from '../ports/extractor'

export interface PagePreviewResult {
  /** Result with the selectors applied. */
  outcome: PageOutcome
  /** Result without selectors; null where no page was extracted. */
  original: ExtractedPage | null
}

/** Fetches one page and extracts it with and without selectors. Rejects as `fetchPage` does. */
export async function previewPage(
  deps: FetchPageDeps,
  request: PageRequest,
  signal?: AbortSignal,
): Promise<PagePreviewResult> {
  let original: ExtractedPage | null = null
  const extractor: Extractor = {
    ...deps.extractor,
    async extract(page) {
      // `extract` transfers the body, so each call gets its own.
      const { selectors: _, ...unselected } = { ...page, body: new Uint8Array(page.body) }
      const extracted = await deps.extractor.extract(unselected)
      if (typeof extracted !== 'string') original = extracted
      return deps.extractor.extract(page)
    },
  }
  return { outcome: await fetchPage({ ...deps, extractor }, request, signal), original }
}
