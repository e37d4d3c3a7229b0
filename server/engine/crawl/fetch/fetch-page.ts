import type { FetchedBody } from '../../ports/fetcher'
import { isSameSite, normalizeAddress, shapeExclusion } from '../urls/urls'
import { classifyResponse } from './content/classify-response'
import { isLoginUrl } from './content/login-url'
import { downloadDocument } from './download-document'
import { followForward } from './follow-forward'
import { noValidators } from './http-validators'
import { type OtherOutcome, type PageOutcome, refused } from './page-outcome'
import type { FetchPageDeps, PageRequest } from './page-request'
import { type Denial, denied, type PoliteRequest, politeFetch } from './polite-fetch'
import { outcomeOfStatus } from './status-outcome'

/**
 * Fetches one page as its site allows: robots.txt, crawl delay, conditional request; then extracts its text as
 * fragments. A document is requested a second time, now as a download. A page that only forwards is a redirect. Does not
 * fetch the page that a redirect or a canonical URL leads to. Rejects only when `signal` aborts, the extractor is closed, or a document cannot be stored.
 */
export async function fetchPage(deps: FetchPageDeps, request: PageRequest, signal?: AbortSignal): Promise<PageOutcome> {
  const url = normalizeAddress(request.url)
  if (url === null) return refused('invalid-address')
  const shape = shapeExclusion(url)
  if (shape) return refused(shape)
  const { etag, lastModified, access, crawlDelayMs, site } = request
  if (site !== null && !isSameSite(url, site)) return refused('other-host')
  const denyRedirect = (target: string) => redirectDenial(target, url, site)
  async function isKnown(target: string): Promise<boolean> {
    const address = normalizeAddress(target)
    return address !== null && address !== url && (await request.isKnown?.(address)) === true
  }
  const ask = (part: Pick<PoliteRequest, 'kind' | 'etag' | 'lastModified' | 'onChunk'>) =>
    politeFetch(deps, { url, access, crawlDelayMs, denyRedirect, isKnown, ...part }, signal)
  const response = await ask({ kind: 'page', etag, lastModified })
  if (response.kind === 'unchanged' && isAt(url, response)) return { kind: 'unchanged' }
  const found = responseAt(url, response)
  if (found.kind !== 'fetched') return found
  const outcome = await classifyResponse(deps, { ...request, url }, found, signal)
  if (outcome.kind === 'forward') {
    const target = { kind: 'page', access, crawlDelayMs, denyRedirect, isKnown } as const
    return followForward(deps, { url, forward: outcome, target }, signal)
  }
  if (outcome.kind !== 'document' || !deps.downloads) return outcome
  const download = async (onChunk: PoliteRequest['onChunk']) =>
    responseAt(url, await ask({ kind: 'document', onChunk }))
  return downloadDocument(deps.downloads, outcome, download)
}

/** The response at exactly this URL, or the outcome that its status or a redirect decides. */
function responseAt(url: string, response: Awaited<ReturnType<typeof politeFetch>>): FetchedBody | OtherOutcome {
  if (response.kind === 'denied') return { ...refused(response.reason), ...response, kind: 'refused' }
  const decided = response.kind === 'fetched' ? outcomeOfStatus(response) : null
  if (decided) return decided
  if (response.kind === 'fetched' && isAt(url, response)) return response
  const to = normalizeAddress(response.url) ?? url
  const httpStatus = response.redirectStatus ?? response.status
  return { kind: 'moved', reason: 'redirected', to, httpStatus, links: [], ...noValidators }
}

function isAt(url: string, response: { url: string }): boolean {
  return (normalizeAddress(response.url) ?? url) === url
}

function redirectDenial(target: string, url: string, site: string | null): Denial | null {
  const address = normalizeAddress(target)
  if (address === null) return denied('invalid-address')
  // Before the host, because a login is often on a host of its own.
  if (isLoginUrl(target) && !isLoginUrl(url)) return denied('login-required')
  if (site !== null && !isSameSite(address, site)) return denied('other-host', { host: new URL(address).host })
  const shape = shapeExclusion(address)
  return shape ? denied(shape) : null
}
