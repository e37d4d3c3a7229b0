import { crawlLimits } from '../../limits'
import type { FetchedBody } from '../../ports/fetcher'
import { normalizeAddress } from '../urls/urls'
import type { Forward } from './content/classify-response'
import { sniffContent } from './content/sniff-content'
import { noValidators } from './http-validators'
import { type OtherOutcome, refused } from './page-outcome'
import type { FetchPageDeps } from './page-request'
import { type Denial, denied, type PoliteRequest, politeFetch } from './polite-fetch'
import { outcomeOfStatus } from './status-outcome'

interface ForwardedPage {
  /** Normalized. */
  url: string
  forward: Forward
  /** How a target is requested. */
  target: Omit<PoliteRequest, 'url'>
}

/**
 * Follows a page that only forwards, by the rules of a redirect: the target must be admitted, at most five in a row are
 * followed, and not in a loop. The outcome is the move to the last one, or why it cannot be read. Rejects only when
 * `signal` aborts or the extractor is closed.
 */
export async function followForward(
  deps: FetchPageDeps,
  { url, forward, target }: ForwardedPage,
  signal?: AbortSignal,
): Promise<OtherOutcome> {
  const requested = new Set([url])
  const movedTo = (to: string): OtherOutcome => {
    const { httpStatus, links } = forward
    return { kind: 'moved', reason: 'redirected', to, httpStatus, links, ...noValidators }
  }
  let next: string | null = forward.to
  while (requested.size <= crawlLimits.redirects) {
    const address: string | null = normalizeAddress(next)
    if (address === null) return refusalOf(denied('invalid-address'))
    if (requested.has(address)) return refusalOf(inCircle())
    const denial = target.denyRedirect?.(address)
    if (denial) return refusalOf(denial)
    if (await target.isKnown?.(address)) return movedTo(address)
    requested.add(address)
    const response = await politeFetch(deps, { ...target, url: address }, signal)
    if (response.kind === 'denied') return refusalOf(response)
    const decided = response.kind === 'fetched' ? outcomeOfStatus(response) : null
    if (decided) return decided
    const reached = normalizeAddress(response.url) ?? address
    if (reached !== address && requested.has(reached)) return refusalOf(inCircle())
    requested.add(reached)
    next = response.kind === 'fetched' ? await forwardIn(deps, reached, response) : null
    if (next === null) return movedTo(reached)
  }
  return refusalOf(denied('too-many-redirects'))
}

async function forwardIn(
  { extractor }: FetchPageDeps,
  url: string,
  { headers, body }: FetchedBody,
): Promise<string | null> {
  const contentType = headers['content-type'] ?? ''
  if (sniffContent(contentType, body).kind !== 'page') return null
  const page = await extractor.extract({ url, body, contentType, linkSite: null })
  return typeof page === 'string' ? null : (page.document.forward?.url ?? null)
}

function inCircle(): Denial {
  return denied('too-many-redirects', 'The address redirects in a loop.')
}

function refusalOf(denial: Denial): OtherOutcome {
  return { ...refused(denial.reason), ...denial, kind: 'refused' }
}
