import { type ReasonCode, reasonCodes } from '../../../contract/reasons'

/** Labels of reasons whose code does not read well. */
const labels: Partial<Record<ReasonCode, string>> = {
  unresolved: 'No such server',
  'http-client-error': 'Rejected by the server (4xx)',
  'http-server-error': 'The server failed (5xx)',
  'not-found': 'Not found (404)',
  gone: 'Gone (410)',
  'robots-disallowed': 'Blocked by robots.txt',
  'robots-unavailable': 'robots.txt could not be read',
  noindex: 'Asks not to be indexed (noindex)',
  'not-html': 'Not a web page',
  'soft-404': 'Looks like a missing page (soft 404)',
  'missing-once': 'Missing at the last fetch (404)',
  trap: 'Crawler trap',
  canonical: 'Names another canonical address',
  duplicate: 'Same text as another page',
  feed: 'A feed, whose pages are indexed',
  excluded: 'Excluded by a pattern',
  'over-depth': 'Too many links from the start',
  ignored: 'Ignored manually',
  'other-host': 'Links to other sites',
  'over-limit': 'Over the limit',
  'only-xml-sitemaps': 'Not an XML sitemap',
}

/** A short label for a reason code. */
export function reasonLabel(code: string): string {
  const reason = reasonCodes.find((known) => known === code)
  const words = code.replaceAll('-', ' ')
  return (reason && labels[reason]) ?? words.charAt(0).toUpperCase() + words.slice(1)
}
