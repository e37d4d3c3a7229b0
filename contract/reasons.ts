/** Facts that a reason's sentence may name. */
export interface ReasonDetails {
  /** HTTP status of the answer. */
  status?: number
  /** Media type of the answer. */
  contentType?: string
  /** Host that an address leads to, without brackets. */
  host?: string
  /** Pages of a file that were read. */
  pages?: number
}

type Sentence = string | ((details: ReasonDetails) => string)

/** Each sentence says what happened and, where a person can do something, what. */
const sentences = {
  // Refusals to ask, and failures of asking
  'invalid-address':
    'This is not an address we can read. Use a full http or https address, without a user name; ports of mail, shells and the like are not asked.',
  'private-address': ({ host }) =>
    `This address leads into a private network. The operator can allow it with CRAWL_ALLOW_PRIVATE_NETWORKS${host ? `=${host}` : ''} (separate several values by commas).`,
  'forbidden-address':
    'This address is never read, and no setting allows it: it is link-local, a multicast address, or the metadata service of a cloud provider.',
  unresolved: 'No server was found under this name. Check the spelling of the address.',
  'connection-failed': 'The server did not accept a connection. Check that the site is up, then refresh.',
  timeout: 'The server took too long to answer. Refresh to try again.',
  'too-large': 'The page is larger than we read (10 MB as sent, 20 MB unpacked).',
  'too-many-redirects': 'The address redirects more than five times. Use the address it should end at.',
  'bad-encoding': 'The answer could not be unpacked. The server compresses its pages wrongly.',
  // Answers of the server
  'http-client-error': ({ status }) => `The server refused the page${status ? ` with status ${status}` : ''}.`,
  'http-server-error': ({ status }) =>
    `The server failed${status ? ` with status ${status}` : ''}. Refresh to try again later.`,
  'rate-limited': 'The site asks us to slow down. Refresh to try again later.',
  'not-found': 'The page does not exist (404). Check the address.',
  gone: 'The site says that this page is gone for good (410).',
  'robots-disallowed': "The site's robots.txt does not let us in.",
  'robots-unavailable': "The site's robots.txt could not be read, so we stay out. Refresh to try again later.",
  noindex: 'The page asks not to be indexed (noindex).',
  'not-html': ({ contentType }) =>
    `This is not a web page${contentType ? ` but ${contentType}` : ''}, so its text is not read.`,
  'access-denied': ({ status }) =>
    `The page is protected${status ? ` (${status})` : ''}. Give the source the request headers or the credentials that open it.`,
  'login-required': 'The page asks to sign in. Give the source the request headers or the credentials that open it.',
  'consent-wall':
    'The page shows only a request for consent. Ask its owner to let the crawler through, or upload the text.',
  'soft-404': 'The page says that it does not exist, although the server answers that it does. Check the address.',
  'missing-once':
    'The page was missing at the last look (404). What was read before stays until a second look confirms it.',
  expired: 'The page asked to be left out from a certain day on (unavailable_after), and that day has passed.',
  'empty-page': 'No text was found on the page.',
  'needs-script':
    'The page is built by a script and carries no text of its own. A feed with its text, an llms.txt with a Markdown copy of it, or a page rendered by the server would help.',
  // Rules of the crawl
  redirected: 'This address leads to another one, which is read in its place.',
  'too-deep': 'The address is longer or deeper than we follow.',
  trap: 'The address repeats itself, as endless calendars and filters do, so we do not follow it.',
  canonical: 'This page names another address as its proper one, which is read in its place.',
  duplicate: 'This page has the same text as another one, which is kept in its place.',
  feed: 'This is a list of pages; those are read in its place.',
  excluded: "The source's patterns leave this address out.",
  'over-depth': 'More links away from the start than the source follows.',
  ignored: 'Somebody chose to leave this address out. Retry it to take it in again.',
  'read-from-data':
    'The page is built by a script; its text was read from the data that it carries, or from its feed or llms.txt.',
  'other-host': ({ host }) =>
    `The address leads to another site${host ? ` (${host})` : ''}. Add that site as a source of its own.`,
  'over-limit': 'The limit of addresses is reached.',
  // Reading the page
  'extraction-timeout': 'The page is too complex: reading its text took longer than 20 seconds.',
  'extraction-failed': 'The text of the page could not be read.',
  // Reading a file
  'file-broken':
    'The file is damaged: its end is missing, or it is not what it says. Save it anew, then upload or publish it again.',
  'file-encrypted': 'The file is protected with a password. Save it without one, then upload or publish it again.',
  'file-scanned':
    'The file holds pictures of pages, without text. Run text recognition (OCR) over it, then upload or publish it again.',
  'file-empty': 'No text was found in the file.',
  'file-too-complex':
    'Reading the file took more time or memory than a file may have. Split it, or save it in a simpler form.',
  'file-mismatch': 'The content of the file is of another type than its name says. Give it its proper extension.',
  'file-unknown': 'Files of this type are not read. Use .txt, .pdf, .doc, .docx, .xls, .xlsx or .csv.',
  'file-cut': ({ pages }) =>
    `Only the first ${pages ? `${pages.toLocaleString('en')} ` : ''}pages of the file were read: it has more of them, or takes longer to read, than a file may. Split it to have all of it read.`,
  'file-partly':
    'The file is damaged: some of its pages were left out as a whole or from some place on, the others are in. Save it anew to have all of them read.',
  'file-partly-scanned': ({ pages }) =>
    `The file is in, without what stands on ${pages?.toLocaleString('en') ?? 'some'} of its pages, which are pictures. Run text recognition (OCR) over it to have all of it read.`,
  'file-shortened':
    'Very long cells, rows or pages of the file were cut; all else is in. Divide them to have all of them read.',
  'file-too-large': 'The file is larger than 64 MB, the most that is read.',
  // The run as a whole
  paused: 'Paused. Resume to go on where it was.',
  'crawl-limit': 'You can no longer crawl any more urls this month. What was read before stays.',
  cancelled: 'The run was cancelled before their turn came. What was read before stays.',
  'crawl-failed':
    'Reading this source failed several times and was given up. What was read before stays. Refresh to try again.',
  // Sitemaps
  'only-xml-sitemaps':
    'Only XML sitemaps are supported. Give the address of the XML file, or add the site as a domain.',
  'sitemap-broken': 'The sitemap is not well-formed XML. What came before the mistake was used.',
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

/** Whether a reason is told of an address although its text is in. */
export function isNote(reason: string | null): boolean {
  return notes.has(reason)
}

/** One plain sentence for a person, safe to show. */
export function reasonText(code: ReasonCode, details: ReasonDetails = {}): string {
  const sentence: Sentence = sentences[code]
  return typeof sentence === 'string' ? sentence : sentence(details)
}

/** The reason's sentence, and the address that is read in place. */
export function withAddress(code: ReasonCode, address: string | null): string {
  return address === null ? reasonText(code) : `${reasonText(code)} ${address}`
}
