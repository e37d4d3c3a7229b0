import { type ReasonCode, type ReasonDetails, reasonText } from '../../../contract/reasons'
import { crawlLimits } from '../limits'
import type { ExtractedPage, Extractor, FetchedBody, Fetcher, FetchOutcome } from '../ports'
import type { Pace } from './pace'
import type { RobotsReader } from './robots-reader'
import { isSameSite, normalizeAddress, refusalOfShape } from './urls'

export interface VisitDeps {
  fetcher: Fetcher
  extractor: Extractor
  robots: RobotsReader
  pace: Pace
  /** Product token, as robots.txt and X-Robots-Tag name it. */
  agent: string
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
}

export interface VisitedPage extends ExtractedPage {
  kind: 'page'
  /** Normalized, after redirects. */
  finalUrl: string
  status: number
  etag: string | null
  lastModified: string | null
  /** Size of the decoded page. */
  bytes: number
  contentType: string
}

/** What came of one address. All are expected; the job decides how often a retry is tried. */
export type Visit =
  | VisitedPage
  | { kind: 'unchanged'; finalUrl: string; etag: string | null; lastModified: string | null }
  | { kind: 'gone'; reason: ReasonCode; message: string; httpStatus: number }
  | { kind: 'retry'; reason: ReasonCode; message: string; httpStatus: number | null; afterMs: number }
  | {
      kind: 'refused'
      reason: ReasonCode
      message: string
      httpStatus: number | null /** As of a page. */
      links: string[]
    }

/**
 * Reads one page as politely as its site asks: robots.txt, pace, conditional request, then its text as fragments.
 * Rejects only when `signal` aborts or the extractor is closed.
 */
export async function visitPage(deps: VisitDeps, request: VisitRequest, signal?: AbortSignal): Promise<Visit> {
  const url = normalizeAddress(request.url)
  if (url === null) return refused('invalid-address')
  const shape = refusalOfShape(url)
  if (shape) return refused(shape)
  const wait = deps.pace.waitMs(url)
  if (wait > crawlLimits.patienceMs) return retry('rate-limited', wait)
  const closed = await refusalOfRobots(deps, url, signal)
  if (closed) return closed

  const ask = {
    url,
    kind: 'page' as const,
    etag: request.etag ?? undefined,
    lastModified: request.lastModified ?? undefined,
  }
  const outcome = await deps.pace.run(url, () => deps.fetcher.fetch(ask, signal), signal)
  if (outcome.kind === 'refused') return ofFetchRefusal(outcome)
  const finalUrl = normalizeAddress(outcome.url) ?? url
  if (request.site !== null && !isSameSite(finalUrl, request.site)) {
    return refused('other-host', { host: new URL(finalUrl).host })
  }
  if (finalUrl !== url) {
    // A redirect does not open what robots.txt closes.
    const closedTarget = await refusalOfRobots(deps, finalUrl, signal)
    if (closedTarget) return closedTarget
  }
  if (outcome.kind === 'unchanged') {
    return {
      kind: 'unchanged',
      finalUrl,
      etag: outcome.headers.etag ?? null,
      lastModified: outcome.headers['last-modified'] ?? null,
    }
  }
  return ofStatus(deps, outcome, url) ?? readPage(deps, request, outcome, finalUrl)
}

async function refusalOfRobots({ robots }: VisitDeps, url: string, signal?: AbortSignal): Promise<Visit | null> {
  const answer = await robots.rulesFor(url, signal)
  if (answer.kind === 'rules') return answer.rules.isAllowed(url) ? null : refused('robots-disallowed')
  const { reason, message } = answer
  if (answer.retry) return { kind: 'retry', reason, message, httpStatus: null, afterMs: crawlLimits.retryMs }
  return { kind: 'refused', reason, message, httpStatus: null, links: [] }
}

function ofFetchRefusal({ reason, message }: Extract<FetchOutcome, { kind: 'refused' }>): Visit {
  const mayPass = reason === 'connection-failed' || reason === 'timeout'
  if (mayPass) return { kind: 'retry', reason, message, httpStatus: null, afterMs: crawlLimits.retryMs }
  return { kind: 'refused', reason, message, httpStatus: null, links: [] }
}

/** What the status alone decides; null for a page to read. */
function ofStatus({ pace }: VisitDeps, { status, headers }: FetchedBody, url: string): Visit | null {
  if (status >= 200 && status < 300) return null
  if (status === 404 || status === 410) {
    const reason = status === 410 ? 'gone' : 'not-found'
    return { kind: 'gone', reason, message: reasonText(reason), httpStatus: status }
  }
  const isBusy = status === 429 || status === 503
  if (status >= 500 || status === 429 || status === 408 || status === 425) {
    const afterMs = retryAfter(headers['retry-after']) ?? crawlLimits.retryMs
    if (isBusy && headers['retry-after']) pace.pause(url, afterMs)
    return retry(status === 429 ? 'rate-limited' : 'http-server-error', afterMs, status)
  }
  return refused('http-client-error', { status })
}

/** Seconds or a date, as milliseconds from now, at most an hour. */
function retryAfter(value: string | undefined): number | null {
  if (value === undefined) return null
  const ms = /^\s*\d+\s*$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), crawlLimits.retryAfterMs) : null
}

async function readPage(
  deps: VisitDeps,
  request: VisitRequest,
  fetched: FetchedBody,
  finalUrl: string,
): Promise<Visit> {
  const { status, headers, body } = fetched
  const contentType = headers['content-type'] ?? ''
  if (!isHtml(contentType, body)) return refused('not-html', { status, contentType: contentType.split(';')[0]?.trim() })
  if (body.length === 0) return refused('empty-page', { status })
  const said = directivesOf(headers['x-robots-tag'] ?? '', deps.agent)
  const mayFollow = request.followLinks && !said.has('nofollow') && !said.has('none')
  const followWithin = mayFollow ? (request.site ?? finalUrl) : null
  const read = await deps.extractor.extract({ url: finalUrl, body, contentType, followWithin })
  if (read === 'timeout') return refused('extraction-timeout', { status })
  if (read === 'failed') return refused('extraction-failed', { status })

  const { document, fragments, links } = read
  if (document.noindex || said.has('noindex') || said.has('none')) return refused('noindex', { status }, links)
  if (fragments.length === 0) return refused('empty-page', { status }, links)
  return {
    kind: 'page',
    finalUrl,
    status,
    etag: headers.etag ?? null,
    lastModified: headers['last-modified'] ?? null,
    bytes: body.length,
    contentType,
    ...read,
  }
}

function isHtml(contentType: string, body: Uint8Array): boolean {
  if (/^\s*(text\/html|application\/xhtml\+xml)\b/i.test(contentType)) return true
  // Without a type, what starts like a page is one.
  return (
    contentType === '' &&
    /^[\s\ufeff]*<(!doctype html|!--|html|head|body|title)/i.test(new TextDecoder().decode(body.subarray(0, 512)))
  )
}

/** Directives of X-Robots-Tag for all crawlers and for this one; those for others are left out. */
function directivesOf(header: string, agent: string): Set<string> {
  const directives = new Set<string>()
  let forUs = true
  for (const part of header.toLowerCase().split(',')) {
    const [, name, rest] = /^\s*([a-z_-]+)\s*:\s*(.*)$/.exec(part) ?? []
    if (name !== undefined && !/^(unavailable_after|max-.*)$/.test(name)) forUs = name === agent.toLowerCase()
    if (forUs) directives.add((rest ?? part).trim())
  }
  return directives
}

function refused(reason: ReasonCode, details: ReasonDetails = {}, links: string[] = []): Visit {
  return { kind: 'refused', reason, message: reasonText(reason, details), httpStatus: details.status ?? null, links }
}

function retry(reason: ReasonCode, afterMs: number, status?: number): Visit {
  return { kind: 'retry', reason, message: reasonText(reason, { status }), httpStatus: status ?? null, afterMs }
}
