import { type ReasonCode, type ReasonDetails, reasonText } from '../../../../contract/reasons'
import { decodeHtml } from '../../charset/decode-html'
import { languageTag } from '../../language/language-tag'
import { crawlLimits } from '../../limits'
import type { ExtractedPage, FetchedBody } from '../../ports'
import { parseFeed } from '../formats/feed'
import { parseRobotsHeader, type RobotsHeader } from '../formats/x-robots-tag'
import { isSameSite, normalizeAddress, refusalOfLink, refusalOfShape } from '../urls/urls'
import { documentNameOf, documentTypeOf } from './document-kind'
import type { RefusedVisit, Visit, VisitDeps, VisitRequest } from './fetch-page'
import { noValidators, validatorsOf } from './http-validators'
import { refusalOfRobots } from './polite-fetch'
import { fileKindOf } from './sniff-content'

/** What an answer with a good status holds: a page with text, a document, a list of pages, or why it is none. */
export async function readAnswer(
  deps: VisitDeps,
  request: VisitRequest,
  answer: FetchedBody,
  signal?: AbortSignal,
): Promise<Visit> {
  const { status, headers, body } = answer
  const contentType = headers['content-type'] ?? ''
  const file = fileKindOf(contentType, body)
  const isEmpty = body.length === 0 && (file.kind !== 'file' || file.name === '')
  if (isEmpty || status === 204 || status === 205) return refused('empty-page', { status })
  const said = parseRobotsHeader(headers['x-robots-tag'] ?? '', deps.agent)
  if (file.kind === 'file') return readDocument(request, answer, file.name, said)
  if (file.kind === 'xml') return readFeed(request, answer, said)

  const mayFollow = request.followLinks && !said.nofollow
  const followWithin = mayFollow ? (request.site ?? request.url) : null
  const bytes = body.length
  const read = await deps.extractor.extract({
    url: request.url,
    body,
    contentType,
    language: languageOf(headers['content-language'] ?? ''),
    toldLanguage: request.toldLanguage,
    followWithin,
    selectors: request.selectors,
    share: request.share,
  })
  if (read === 'timeout') return refused('extraction-timeout', { status })
  if (read === 'failed') return refused('extraction-failed', { status })
  const { links } = read
  if (await isMissing(deps, request, read, signal)) {
    return { kind: 'gone', reason: 'soft-404', message: reasonText('soft-404'), httpStatus: status }
  }
  const unavailableAfter = earliest(said.unavailableAfter, read.document.unavailableAfter)
  const reason = refusalOfPage(read, said, unavailableAfter)
  if (reason === 'login-required') return refused(reason, { status })
  if (reason) return refused(reason, { status }, read)
  const canonical = await canonicalUrl(deps, request, read, signal)
  const validators = validatorsOf(headers)
  if (canonical) {
    return { kind: 'elsewhere', reason: 'canonical', address: canonical, httpStatus: status, links, ...validators }
  }
  const lack = lackOf(read)
  const told = lack === 'needs-script' ? await toldInstead(deps, request, read, signal) : null
  if (lack && !told) return refused(lack, { status }, read)
  const page = told ?? read
  return {
    ...page,
    kind: 'page',
    finalUrl: request.url,
    status,
    // What is told may change while the page does not.
    ...(told ? noValidators : validators),
    bytes,
    contentType,
    language: page.document.language,
    unavailableAfter,
  }
}

/** The page with the text that its site tells elsewhere; null where it does not. */
async function toldInstead(
  { told, extractor }: VisitDeps,
  { url, access, gapMs, share }: VisitRequest,
  read: ExtractedPage,
  signal?: AbortSignal,
): Promise<ExtractedPage | null> {
  const html = await told.htmlFor(url, read.feeds, { access, gapMs, signal })
  if (html === null) return null
  const contentType = 'text/html; charset=utf-8'
  const { language } = read.document
  const text = await extractor.extract({
    url,
    body: Buffer.from(html),
    contentType,
    language,
    followWithin: null,
    share,
  })
  if (typeof text === 'string' || text.fragments.length === 0) return null
  const { title, language: spoken } = text.document
  const said = { title: title || read.document.title, language: spoken || language }
  const { links, left, feeds, languages } = read
  const around = { links, left, feeds, languages }
  return { ...text, ...around, document: { ...read.document, ...said, interstitial: null, textFrom: 'data' } }
}

/** What is told of a file: that it is a document to read, or that it is none. */
function readDocument({ url }: VisitRequest, answer: FetchedBody, called: string, said: RobotsHeader): Visit {
  const { status, headers, body } = answer
  const contentType = headers['content-type'] ?? ''
  const type = documentTypeOf(called, contentType, body, url)
  if (type === null) return refused('not-html', { status, contentType: called })
  const { unavailableAfter } = said
  if (said.noindex) return refused('noindex', { status })
  if (unavailableAfter !== null && unavailableAfter <= Date.now()) return refused('expired', { status })
  return {
    kind: 'document',
    type,
    name: documentNameOf(url),
    download: null,
    status,
    ...noValidators,
    bytes: 0,
    contentType,
    unavailableAfter,
  }
}

/** XML that is read: a feed of a source that follows links. */
function readFeed({ url, site, followLinks }: VisitRequest, answer: FetchedBody, said: RobotsHeader): Visit {
  const { status, headers, body } = answer
  const contentType = headers['content-type'] ?? ''
  const named = /^[^>]{0,80}\bencoding\s*=\s*["']([\w:.-]+)/.exec(Buffer.from(body.subarray(0, 128)).toString('latin1'))
  const hasCharset = /charset\s*=/i.test(contentType)
  const text = decodeHtml(body, named && !hasCharset ? `text/xml; charset=${named[1]}` : contentType)
  const entries = parseFeed(text)
  if (!entries)
    return refused('not-html', {
      status,
      contentType: sitemapStart.test(text.slice(0, 2000)) ? 'a sitemap' : 'XML data',
    })
  if (!followLinks) return refused('not-html', { status, contentType: 'a feed' })
  const links = new Set<string>()
  for (const entry of said.nofollow ? [] : entries) {
    const address = normalizeAddress(entry.address, url)
    if (address !== null && address !== url && refusalOfLink(address, site ?? url) === null) links.add(address)
    if (links.size >= crawlLimits.linksPerPage) break
  }
  return {
    kind: 'list',
    reason: 'feed',
    message: reasonText('feed'),
    httpStatus: status,
    links: [...links],
    ...validatorsOf(headers),
  }
}

const sitemapStart = /<(urlset|sitemapindex)[\s>]/

/** Says that it is missing, or shows what the site shows for an address that does not exist. */
async function isMissing(
  { missing }: VisitDeps,
  { url, site, access, gapMs }: VisitRequest,
  { document, fragments, textHash }: ExtractedPage,
  signal?: AbortSignal,
): Promise<boolean> {
  if (document.interstitial !== null) return document.interstitial === 'soft-404'
  // A site may show its front page for whatever it does not know.
  if (site === null || fragments.length === 0 || new URL(url).pathname === '/') return false
  return textHash === (await missing.textHashFor(url, { access, gapMs, signal }))
}

function refusalOfPage(
  { document }: ExtractedPage,
  said: RobotsHeader,
  unavailableAfter: number | null,
): ReasonCode | null {
  if (document.interstitial === 'login') return 'login-required'
  if (document.interstitial === 'consent') return 'consent-wall'
  if (document.noindex || said.noindex) return 'noindex'
  return unavailableAfter !== null && unavailableAfter <= Date.now() ? 'expired' : null
}

/** What the page has too little of. */
function lackOf({ document, fragments }: ExtractedPage): ReasonCode | null {
  // One passage is the 'please enable JavaScript' that such pages have in place of text.
  if (document.interstitial === 'script' && fragments.length <= 1) return 'needs-script'
  return fragments.length === 0 ? 'empty-page' : null
}

/** The other address of the site that the page names as its proper one, if it can be believed and may be read. */
async function canonicalUrl(
  deps: VisitDeps,
  { url, site, followCanonical, gapMs }: VisitRequest,
  { document }: ExtractedPage,
  signal?: AbortSignal,
): Promise<string | null> {
  const canonical = followCanonical && document.canonical ? normalizeAddress(document.canonical) : null
  if (canonical === null || canonical === url || !isSameSite(canonical, site ?? url)) return null
  const [page, proper] = [new URL(url), new URL(canonical)]
  // Templates that name the front page for every page, and the address from before the site had a certificate.
  if (isFront(proper) && !isFront(page)) return null
  if (page.protocol === 'https:' && proper.protocol === 'http:') return null
  if (refusalOfShape(canonical)) return null
  return (await refusalOfRobots(deps, canonical, { signal, gapMs })) === null ? canonical : null
}

function isFront({ pathname, search }: URL): boolean {
  return pathname === '/' && search === ''
}

function earliest(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other)
}

/** The first language of a Content-Language header. */
function languageOf(header: string): string {
  return languageTag(header.split(',', 1)[0] ?? '')
}

function refused(reason: ReasonCode, details: ReasonDetails, read?: ExtractedPage): RefusedVisit {
  const { links, left } = read ?? { links: [], left: [] }
  const message = reasonText(reason, details)
  return { kind: 'refused', reason, message, httpStatus: details.status ?? null, links, left }
}
