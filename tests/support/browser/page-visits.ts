import { vi } from 'vitest'
import { fetchPage } from '../../../server/engine/crawl/fetch/fetch-page'
import type { PageRequest } from '../../../server/engine/crawl/fetch/page-request'
import { createMemoryWeb, type MemoryAnswer } from '../sites/memory-web'

export const origin = 'https://site.example'
/** A path of the site as an address; addresses stay as they are. */
export const urlOf = (path: string) => (path.startsWith('/') ? `${origin}${path}` : path)

type VisitedWeb = ReturnType<typeof createMemoryWeb>

/** A web in memory; paths are those of the site. */
export function webOf(pages: Record<string, MemoryAnswer>): VisitedWeb {
  return createMemoryWeb(Object.fromEntries(Object.entries(pages).map(([path, page]) => [urlOf(path), page])))
}

/** What a visit comes to, with the timers of the test. */
export async function visit(web: VisitedWeb, path = '/page', more: Partial<PageRequest> = {}) {
  const request = { followLinks: true, site: `${origin}/`, access: null, ...more }
  const visiting = fetchPage(web.deps, { url: urlOf(path), ...request })
  await vi.runAllTimersAsync()
  return visiting
}

export function visitOf(page: MemoryAnswer, more: Partial<PageRequest> = {}) {
  return visit(webOf({ '/page': page }), '/page', more)
}
