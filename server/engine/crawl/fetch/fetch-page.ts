import type { FileType } from '../../../../contract/file'
import { type ReasonCode, type ReasonDetails, reasonText } from '../../../../contract/reasons'
import { crawlLimits } from '../../limits'
import type { Download, Downloads, ExtractedPage, Extractor, FetchedBody, PageToRead, SiteAccess } from '../../ports'
import { isSameSite, normalizeAddress, refusalOfShape } from '../urls/urls'
import type { ToldPages } from './alternate-text'
import { readAnswer } from './classify-response'
import { downloadDocument } from './download-document'
import { noValidators, type Validators } from './http-validators'
import { asksToSignIn } from './login-url'
import { type AskDeps, askSite, type Denial, denied, type Question } from './polite-fetch'
import { retryAfterOf } from './retry-after'
import type { MissingPages } from './soft-404'

export interface VisitDeps extends AskDeps {
  extractor: Extractor
  missing: MissingPages
  told: ToldPages
  /** Product token, as robots.txt and X-Robots-Tag name it. */
  agent: string
  /** Where documents are put; without it they are only told of. */
  downloads?: Downloads
}

export interface VisitRequest {
  url: string
  /** Of the last visit, for a conditional request. */
  etag?: string | null
  lastModified?: string | null
  /** Collect the page's links within the site. */
  followLinks: boolean
  /** Any address of the site that the page must be on, redirects included; null takes the page wherever it is. */
  site: string | null
  /** Whether what stands at another address is looked at by itself, so that a redirect there is not followed. */
  isKnown?(address: string): Promise<boolean>
  /** False keeps a page where it is, whatever address it names as its proper one. */
  followCanonical: boolean
  /** The page's language as other pages or a sitemap name it, for one that nobody can tell the language of. */
  toldLanguage?: string
  /** What opens a protected site. */
  access: SiteAccess | null
  /** Milliseconds between two requests to the site, in place of the default. */
  gapMs?: number
  selectors?: PageToRead['selectors']
  share?: PageToRead['share']
}

export interface VisitedPage extends ExtractedPage, Validators {
  kind: 'page'
  /** Normalized; the address that was asked for. */
  finalUrl: string
  status: number
  /** Size of the decoded page. */
  bytes: number
  contentType: string
  /** BCP 47, lower case: as the page or its header says, else what its text is likely in; '' when nobody knows. */
  language: string
  /** When the page asks to be left out, in milliseconds since 1970; in the future. */
  unavailableAfter: number | null
}

/** A file that is read; whoever gets it takes `download` away, where there is one. */
export interface VisitedDocument extends Validators {
  kind: 'document'
  type: FileType
  /** What people call it. */
  name: string
  download: Download | null
  status: number
  bytes: number
  contentType: string
  /** As of a page. */
  unavailableAfter: number | null
}

/** What came of one address. All are expected; the job decides how often a retry is tried. */
export type Visit =
  | VisitedPage
  | VisitedDocument
  | { kind: 'unchanged' }
  /** Validators of the page that names another address; none of a redirect. */
  | ({
      kind: 'elsewhere'
      reason: 'redirected' | 'canonical'
      /** Where the page is to be read; normalized, robots.txt allows it. */
      address: string
      /** Of the address itself, not of the one that it leads to. */
      httpStatus: number
      links: string[]
    } & Validators)
  | ({
      kind: 'list'
      reason: 'feed'
      message: string
      httpStatus: number
      /** Pages of the site that it lists. */
      links: string[]
    } & Validators)
  | { kind: 'gone'; reason: 'not-found' | 'gone' | 'soft-404'; message: string; httpStatus: number }
  | { kind: 'retry'; reason: ReasonCode; message: string; httpStatus: number | null; afterMs: number }
  | RefusedVisit

export interface RefusedVisit {
  kind: 'refused'
  reason: ReasonCode
  message: string
  httpStatus: number | null
  /** As of a page. */
  links: string[]
  left: ExtractedPage['left']
}

/**
 * Reads one page as politely as its site asks: robots.txt, pace, conditional request, then its text as fragments. A
 * document is asked for a second time, now that it is known to be one, and put on the disk. What stands at another
 * address is not read here. Rejects only when `signal` aborts, the extractor is closed, or a document cannot be stored.
 */
export async function visitPage(deps: VisitDeps, request: VisitRequest, signal?: AbortSignal): Promise<Visit> {
  const url = normalizeAddress(request.url)
  if (url === null) return refused('invalid-address')
  const shape = refusalOfShape(url)
  if (shape) return refused(shape)
  const { etag, lastModified, access, gapMs, site } = request
  if (site !== null && !isSameSite(url, site)) return refused('other-host')
  const refusalOf = (target: string) => refusalOfTarget(target, url, site)
  async function isKnown(target: string): Promise<boolean> {
    const address = normalizeAddress(target)
    return address !== null && address !== url && (await request.isKnown?.(address)) === true
  }
  const ask = (question: Pick<Question, 'kind' | 'etag' | 'lastModified' | 'take'>) =>
    askSite(deps, { url, access, gapMs, refusalOf, isKnown, ...question }, signal)
  const answer = await ask({ kind: 'page', etag, lastModified })
  if (answer.kind === 'unchanged' && isAt(url, answer)) return { kind: 'unchanged' }
  const page = pageAt(url, answer)
  if (page.kind !== 'fetched') return page
  const visit = await readAnswer(deps, { ...request, url }, page, signal)
  if (visit.kind !== 'document' || !deps.downloads) return visit
  return downloadDocument(deps.downloads, visit, async (take) => pageAt(url, await ask({ kind: 'document', take })))
}

/** What stands at the address itself, or why nothing does. */
function pageAt(url: string, answer: Awaited<ReturnType<typeof askSite>>): FetchedBody | Visit {
  if (answer.kind === 'denied') return ofDenial(answer)
  const refusal = answer.kind === 'fetched' ? ofStatus(answer) : null
  if (refusal) return refusal
  if (answer.kind === 'fetched' && isAt(url, answer)) return answer
  const address = normalizeAddress(answer.url) ?? url
  const httpStatus = answer.redirect ?? answer.status
  return { kind: 'elsewhere', reason: 'redirected', address, httpStatus, links: [], ...noValidators }
}

function isAt(url: string, answer: { url: string }): boolean {
  return (normalizeAddress(answer.url) ?? url) === url
}

function refusalOfTarget(target: string, url: string, site: string | null): Denial | null {
  const address = normalizeAddress(target)
  if (address === null) return denied('invalid-address')
  // A login is often on a host of its own.
  if (asksToSignIn(target) && !asksToSignIn(url)) return denied('login-required')
  if (site !== null && !isSameSite(address, site)) return denied('other-host', { host: new URL(address).host })
  const shape = refusalOfShape(address)
  return shape ? denied(shape) : null
}

function ofDenial({ reason, message, afterMs }: Denial): Visit {
  if (afterMs !== null) return { kind: 'retry', reason, message, httpStatus: null, afterMs }
  return { kind: 'refused', reason, message, httpStatus: null, links: [], left: [] }
}

/** What the status alone decides; null for a page to read. */
function ofStatus(answer: FetchedBody): Visit | null {
  const { status } = answer
  if (status >= 200 && status < 300) return null
  if (status === 404 || status === 410) {
    const reason = status === 410 ? 'gone' : 'not-found'
    return { kind: 'gone', reason, message: reasonText(reason), httpStatus: status }
  }
  if (status >= 500 || status === 429 || status === 408 || status === 425) {
    const reason = status === 429 ? 'rate-limited' : 'http-server-error'
    const afterMs = retryAfterOf(answer) ?? crawlLimits.retryMs
    return { kind: 'retry', reason, message: reasonText(reason, { status }), httpStatus: status, afterMs }
  }
  const isProtected = status === 401 || status === 402 || status === 403 || status === 407
  return refused(isProtected ? 'access-denied' : 'http-client-error', { status })
}

function refused(reason: ReasonCode, details: ReasonDetails = {}): RefusedVisit {
  const message = reasonText(reason, details)
  return { kind: 'refused', reason, message, httpStatus: details.status ?? null, links: [], left: [] }
}
