import { type ReasonCode, reasonText } from '../../../../../contract/reasons'
import { decodeHtml } from '../../../charset/decode-html'
import { languageTag } from '../../../language/language-tag'
import { crawlLimits } from '../../../limits'
import type { ExtractedPage, PageForward } from '../../../ports/extractor'
import type { FetchedBody } from '../../../ports/fetcher'
import { parseFeed } from '../../formats/feed'
import { parseRobotsHeader, type RobotsHeader } from '../../formats/x-robots-tag'
import { isSameSite, linkExclusion, normalizeAddress, shapeExclusion } from '../../urls/urls'
import { noValidators, readValidators } from '../http-validators'
import { type FetchedPage, type PageOutcome, type RefusedPage, refused } from '../page-outcome'
import type { FetchPageDeps, PageRequest } from '../page-request'
import { checkRobots } from '../polite-fetch'
import { documentNameOf, documentTypeOf } from './document-kind'
import { sniffContent } from './sniff-content'

/** Other pages that may send visitors without JavaScript to one address. */
const maxNoScriptRedirects = 1

/** A page that only forwards; `to` is absolute. */
export interface Forward {
  kind: 'forward'
  to: string
  httpStatus: number
  links: string[]
}

/** Turns a response with a 2xx status into the outcome of its page: text, document, feed, or why it has none. */
export async function classifyResponse(
  deps: FetchPageDeps,
  request: PageRequest,
  response: FetchedBody,
  signal?: AbortSignal,
): Promise<PageOutcome | Forward> {
  const { status, headers, body } = response
  const contentType = headers['content-type'] ?? ''
  const content = sniffContent(contentType, body)
  const isEmpty = body.length === 0 && (content.kind !== 'file' || content.name === '')
  if (isEmpty || status === 204 || status === 205) return refused('empty-page', { status })
  const robots = parseRobotsHeader(headers['x-robots-tag'] ?? '', deps.agent)
  if (content.kind === 'file') return classifyFile(request, response, content.name, robots)
  if (content.kind === 'xml') return classifyXml(request, response, robots)

  const page = await deps.extractor.extract({
    url: request.url,
    body,
    contentType,
    headerLanguage: firstLanguage(headers['content-language'] ?? ''),
    fallbackLanguage: request.fallbackLanguage,
    linkSite: request.followLinks && !robots.nofollow ? (request.site ?? request.url) : null,
    selectors: request.selectors,
    boilerplate: request.boilerplate,
  })
  if (page === 'timeout') return refused('extraction-timeout', { status })
  if (page === 'failed') return refused('extraction-failed', { status })
  const { forward } = page.document
  if (forward !== null && !(await isDiversion(request, forward)))
    return { kind: 'forward', to: forward.url, httpStatus: status, links: page.links }
  if (await isSoft404(deps, request, page, signal)) {
    return { kind: 'gone', reason: 'soft-404', message: reasonText('soft-404'), httpStatus: status }
  }
  const unavailableAfter = earliest(robots.unavailableAfter, page.document.unavailableAfter)
  const refusal = refusalOf(page, robots, unavailableAfter)
  if (refusal === 'login-required') return refused(refusal, { status })
  if (refusal) return refused(refusal, { status }, page)
  const canonical = await findCanonical(deps, request, page, signal)
  if (page.document.isLinkList && request.followLinks && !canonical && page.links.length > 0)
    return { kind: 'moved', reason: 'link-list', to: null, httpStatus: status, links: page.links, ...noValidators }
  const validators = readValidators(headers)
  const facts = { httpStatus: status, ...validators, bytes: body.length, contentType, unavailableAfter }
  const itself = await withText(deps, request, { ...page, ...facts, kind: 'fetched' }, signal)
  const { links } = page
  return canonical ? { kind: 'alias', canonical, httpStatus: status, links, ...validators, itself } : itself
}

/** The page with its text, or with the one that its site publishes elsewhere; refused without one. */
async function withText(
  deps: FetchPageDeps,
  request: PageRequest,
  page: FetchedPage,
  signal?: AbortSignal,
): Promise<FetchedPage | RefusedPage> {
  const lack = lackOf(page)
  if (!lack) return page
  const alternate = lack === 'needs-script' ? await readAlternate(deps, request, page, signal) : null
  // An alternate text may change while the page does not.
  return alternate ? { ...page, ...alternate, ...noValidators } : refused(lack, { status: page.httpStatus }, page)
}

/** The page with the text that its site publishes elsewhere, or null. */
async function readAlternate(
  { alternateTexts, extractor }: FetchPageDeps,
  { url, access, crawlDelayMs, boilerplate }: PageRequest,
  page: ExtractedPage,
  signal?: AbortSignal,
): Promise<ExtractedPage | null> {
  const html = await alternateTexts.find(url, page.feeds, { access, crawlDelayMs, signal })
  if (html === null) return null
  const { language } = page.document
  const alternate = await extractor.extract({
    url,
    body: Buffer.from(html),
    contentType: 'text/html; charset=utf-8',
    headerLanguage: language,
    linkSite: null,
    boilerplate,
  })
  if (typeof alternate === 'string' || alternate.fragments.length === 0) return null
  const found = {
    title: alternate.document.title || page.document.title,
    language: alternate.document.language || language,
  }
  const { links, excludedLinks, feeds, languages } = page
  return {
    ...alternate,
    ...{ links, excludedLinks, feeds, languages },
    document: { ...page.document, ...found, interstitial: null, textFrom: 'data' },
  }
}

function classifyFile(
  { url }: PageRequest,
  { status, headers, body }: FetchedBody,
  name: string,
  { noindex, unavailableAfter }: RobotsHeader,
): PageOutcome {
  const contentType = headers['content-type'] ?? ''
  const type = documentTypeOf(name, contentType, body, url)
  if (type === null) return refused('not-html', { status, contentType: name })
  if (noindex) return refused('noindex', { status })
  if (unavailableAfter !== null && unavailableAfter <= Date.now()) return refused('expired', { status })
  return {
    kind: 'document',
    type,
    name: documentNameOf(url),
    download: null,
    httpStatus: status,
    ...noValidators,
    bytes: 0,
    contentType,
    unavailableAfter,
  }
}

/** A feed is read by sources that follow links; other XML is refused. */
function classifyXml(
  { url, site, followLinks }: PageRequest,
  response: FetchedBody,
  robots: RobotsHeader,
): PageOutcome {
  const { status, headers, body } = response
  const contentType = headers['content-type'] ?? ''
  const declared = /^[^>]{0,80}\bencoding\s*=\s*["']([\w:.-]+)/.exec(
    Buffer.from(body.subarray(0, 128)).toString('latin1'),
  )
  const hasCharset = /charset\s*=/i.test(contentType)
  const text = decodeHtml(body, declared && !hasCharset ? `text/xml; charset=${declared[1]}` : contentType)
  const entries = parseFeed(text)
  if (!entries) {
    const isSitemap = /<(urlset|sitemapindex)[\s>]/.test(text.slice(0, 2000))
    return refused('not-html', { status, contentType: isSitemap ? 'a sitemap' : 'XML data' })
  }
  if (!followLinks) return refused('not-html', { status, contentType: 'a feed' })
  const links = new Set<string>()
  for (const entry of robots.nofollow ? [] : entries) {
    const link = normalizeAddress(entry.address, url)
    if (link !== null && link !== url && linkExclusion(link, site ?? url) === null) links.add(link)
    if (links.size >= crawlLimits.linksPerPage) break
  }
  return { kind: 'moved', reason: 'feed', to: null, httpStatus: status, links: [...links], ...readValidators(headers) }
}

/**
 * Whether a page sends visitors without JavaScript to the address to which many pages of its site send them: it asks
 * them to enable JavaScript.
 */
async function isDiversion({ countRedirectsTo }: PageRequest, { url, isForNoScript }: PageForward): Promise<boolean> {
  const target = isForNoScript && countRedirectsTo ? normalizeAddress(url) : null
  return target !== null && ((await countRedirectsTo?.(target)) ?? 0) > maxNoScriptRedirects
}

/** The page says that it is missing, or has the text that the site serves for any missing page. */
async function isSoft404(
  { soft404 }: FetchPageDeps,
  { url, site, access, crawlDelayMs }: PageRequest,
  { document, fragments, textHash }: ExtractedPage,
  signal?: AbortSignal,
): Promise<boolean> {
  if (document.interstitial !== null) return document.interstitial === 'soft-404'
  // Some sites serve their front page for every missing page.
  if (site === null || fragments.length === 0 || new URL(url).pathname === '/') return false
  return textHash === (await soft404.notFoundTextHash(url, { access, crawlDelayMs, signal }))
}

function refusalOf(
  { document }: ExtractedPage,
  robots: RobotsHeader,
  unavailableAfter: number | null,
): ReasonCode | null {
  if (document.interstitial === 'login') return 'login-required'
  if (document.interstitial === 'consent') return 'consent-wall'
  if (document.noindex || robots.noindex) return 'noindex'
  return unavailableAfter !== null && unavailableAfter <= Date.now() ? 'expired' : null
}

function lackOf({ document, fragments }: ExtractedPage): ReasonCode | null {
  // The single fragment is 'please enable JavaScript'.
  if (document.interstitial === 'script' && fragments.length <= 1) return 'needs-script'
  return fragments.length === 0 ? 'empty-page' : null
}

/** The canonical URL that the page names, if it is another page of the site, plausible, and allowed. */
async function findCanonical(
  deps: FetchPageDeps,
  { url, site, crawlDelayMs }: PageRequest,
  { document }: ExtractedPage,
  signal?: AbortSignal,
): Promise<string | null> {
  const canonical = site !== null && document.canonical ? normalizeAddress(document.canonical) : null
  if (site === null || canonical === null || canonical === url || !isSameSite(canonical, site)) return null
  const [from, to] = [new URL(url), new URL(canonical)]
  // Faults of templates: the front page for every page, or the URL from before the site had a certificate.
  if (isFrontPage(to) && !isFrontPage(from)) return null
  if (from.protocol === 'https:' && to.protocol === 'http:') return null
  if (shapeExclusion(canonical)) return null
  return (await checkRobots(deps, canonical, { signal, crawlDelayMs })) === null ? canonical : null
}

function isFrontPage({ pathname, search }: URL): boolean {
  return pathname === '/' && search === ''
}

function earliest(first: number | null, second: number | null): number | null {
  return first === null || second === null ? (first ?? second) : Math.min(first, second)
}

function firstLanguage(contentLanguage: string): string {
  return languageTag(contentLanguage.split(',', 1)[0] ?? '')
}
