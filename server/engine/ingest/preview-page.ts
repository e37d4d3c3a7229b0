import { type Visit, type VisitDeps, type VisitRequest, visitPage } from '../crawl/fetch/fetch-page'
import type { ExtractedPage, Extractor } from '../ports'

export interface TriedPage {
  /** As a visit with the selectors says. */
  visit: Visit
  /** The page as it is read without selectors; null where nothing was read. */
  plain: ExtractedPage | null
}

/** Reads one page with and without selectors. Its site is asked once. Rejects as `visitPage` does. */
export async function previewPage(deps: VisitDeps, request: VisitRequest, signal?: AbortSignal): Promise<TriedPage> {
  let plain: ExtractedPage | null = null
  const extractor: Extractor = {
    ...deps.extractor,
    async extract(page) {
      // A body changes hands when it is read.
      const { selectors: _, ...whole } = { ...page, body: new Uint8Array(page.body) }
      const read = await deps.extractor.extract(whole)
      if (typeof read !== 'string') plain = read
      return deps.extractor.extract(page)
    },
  }
  const visit = await visitPage({ ...deps, extractor }, request, signal)
  return { visit, plain }
}
