import { fileTexts } from './sources/file'

/** Details that a reason's sentence may include. */
export interface ReasonDetails {
  /** HTTP status of the response. */
  status?: number
  /** Media type of the response. */
  contentType?: string
  /** Target host of an address, without brackets. */
  host?: string
  /** The page that is indexed instead. */
  page?: string
  /** Pages of a file that were read. */
  pages?: number
}

type Sentence = string | ((details: ReasonDetails) => string)

/** Each sentence says what happened and, if there is a remedy, names it. */
const sentences = {
  // Rejected addresses and failed requests
  'invalid-address':
    'This address is invalid. Use a full http or https address without a user name, and no port of another service such as mail.',
  'private-address': ({ host }) =>
    `This address belongs to a private network. The operator can allow it with CRAWL_ALLOW_PRIVATE_NETWORKS${host ? `=${host}` : ''} (separate several values by commas).`,
  'forbidden-address':
    'This address is never fetched, and no setting allows it: it is link-local, a multicast address, or the metadata service of a cloud provider.',
  unresolved: 'No server has this name. Check the spelling of the address.',
  'connection-failed': 'The server did not accept a connection. Check that the site is up, then refresh.',
  timeout: 'The server took too long to answer. Refresh to try again.',
  'too-large': 'The page is too large (more than 10 MB as sent, or 20 MB decompressed).',
  'too-many-redirects': 'The address redirects more than five times. Use the final address.',
  'bad-encoding': 'The response could not be decompressed. The server compresses its pages incorrectly.',
  // Responses of the server
  'http-client-error': ({ status }) => `The server rejected the page${status ? ` with status ${status}` : ''}.`,
  'http-server-error': ({ status }) =>
    `The server failed${status ? ` with status ${status}` : ''}. Refresh to try again later.`,
  'rate-limited': 'The site limits how often it can be requested. Refresh to try again later.',
  'not-found': 'The page does not exist (404). Check the address.',
  gone: 'The site says that this page no longer exists (410).',
  'robots-disallowed': 'robots.txt blocks Sitelore.',
  'robots-unavailable':
    "The site's robots.txt could not be fetched, so its pages are not crawled. Refresh to try again later.",
  noindex: 'The page asks not to be indexed (noindex).',
  'not-html': ({ contentType }) =>
    `This is not a web page${contentType ? ` but ${contentType}` : ''}, so it is not indexed.`,
  'access-denied': ({ status }) =>
    `The page is protected${status ? ` (${status})` : ''}. Add the request headers or credentials that it requires to the source.`,
  'login-required':
    'The page requires a sign-in. Add the request headers or credentials that it requires to the source.',
  'consent-wall':
    'The page shows only a request for consent. Ask its owner to let the crawler through, or upload the text.',
  'soft-404': 'The page says that it does not exist, but the server reports success. Check the address.',
  'missing-once':
    'The page was missing at the last fetch (404). Its text stays searchable until a second fetch confirms it.',
  expired: 'The page asked not to be indexed after a date that has passed (unavailable_after).',
  'empty-page': 'No text was found on the page.',
  'needs-script':
    'The page is rendered by JavaScript and contains no text. Provide a feed with its text, an llms.txt with a Markdown copy, or server-side rendering.',
  // Rules of the crawl
  redirected: 'This address redirects to another one, which is indexed instead.',
  'too-deep': 'The address is too long or has too many path segments.',
  trap: 'The address looks endless, as in calendars and filters, so it is not followed.',
  canonical: 'This page declares another address as canonical, which is indexed instead.',
  duplicate: ({ page }) => (page ? `Duplicate of ${page}.` : 'Duplicate of another page, which is indexed instead.'),
  feed: 'This is a list of pages, which are indexed instead.',
  'link-list': 'This page is an index of links, which are followed; its text is not indexed.',
  excluded: "The source's patterns exclude this address.",
  'over-depth': 'The address is more links away from the start than the source follows.',
  ignored: 'Someone excluded this address. Retry it to include it again.',
  'read-from-data': 'The page is rendered by JavaScript; its text comes from its embedded data, its feed or llms.txt.',
  'other-host': ({ host }) =>
    `The address leads to another site${host ? ` (${host})` : ''}. Add that site as a separate source.`,
  'over-limit': 'The limit of addresses is reached.',
  // Reading the page
  'extraction-timeout': 'The page is too complex: extracting its text took longer than 20 seconds.',
  'extraction-failed': 'The text of the page could not be read.',
  // Reading a file
  'file-broken':
    'The file is damaged or is not of the type that its name says. Save it again, then upload or publish it.',
  'file-encrypted': 'The file is protected with a password. Save it without one, then upload or publish it.',
  'file-scanned':
    'The file contains only images of pages, without text. Run text recognition (OCR) on it, then upload or publish it.',
  'file-encoding':
    'The letters of the file could not be identified, because an old version of Word saved it. Save it as .docx, then upload or publish it.',
  'file-empty': 'No text was found in the file.',
  'file-too-complex': 'Reading the file took too much time or memory. Split it, or save it in a simpler form.',
  'file-mismatch': 'The content of the file does not match its extension. Correct the extension.',
  'file-unknown': `${fileTexts.unsupported}. ${fileTexts.types}`,
  'file-cut': ({ pages }) =>
    `Only the first ${pages ? `${pages.toLocaleString('en')} ` : ''}pages of the file were read, because it has too many pages or takes too long to read. Split it to read all of it.`,
  'file-partly':
    'The file is damaged: some of its pages are missing or incomplete. Save it again and upload or publish it to read all pages.',
  'file-partly-scanned': ({ pages }) =>
    `The file is indexed without ${pages?.toLocaleString('en') ?? 'some'} of its pages, which are images. Run text recognition (OCR) on it to read all of it.`,
  'file-shortened': 'Very long cells, rows or pages of the file were truncated. Split them to read all of it.',
  'file-too-large': 'The file is larger than 64 MB, the maximum.',
  // The run
  paused: 'Paused. Resume to continue.',
  'crawl-limit': 'You can no longer crawl any more urls this month. Indexed text stays.',
  cancelled: 'The run was cancelled before it reached these addresses. Text from earlier runs stays searchable.',
  'crawl-failed': 'The run failed several times. Text from earlier runs stays searchable. Refresh to try again.',
  // Sitemaps
  'only-xml-sitemaps':
    'Only XML sitemaps are supported. Enter the address of the XML file, or add the site as a domain.',
  'sitemap-broken': 'The sitemap is not well-formed XML. Only the entries before the error were used.',
  'sitemap-empty': 'The sitemap lists no addresses of its own site.',
} as const satisfies Record<string, Sentence>

export type ReasonCode = keyof typeof sentences

export const reasonCodes = Object.keys(sentences) as [ReasonCode, ...ReasonCode[]]

const notes: ReadonlySet<string | null> = new Set<ReasonCode>([
  'read-from-data',
  'file-cut',
  'file-partly',
  'file-partly-scanned',
  'file-shortened',
])

/** Returns whether a reason is a note on an indexed address. */
export function isNote(reason: string | null): boolean {
  return notes.has(reason)
}

/** Returns a sentence for people; safe to show. */
export function reasonText(code: ReasonCode, details: ReasonDetails = {}): string {
  const sentence: Sentence = sentences[code]
  return typeof sentence === 'string' ? sentence : sentence(details)
}

/** Returns the reason's sentence, followed by the address that is read instead. */
export function withAddress(code: ReasonCode, address: string | null): string {
  if (address === null) return reasonText(code)
  return code === 'duplicate' ? reasonText(code, { page: address }) : `${reasonText(code)} ${address}`
}
