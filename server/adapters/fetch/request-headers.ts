import type { FetchKind, FetchRequest } from '../../engine/ports/fetcher'

/** One request of a chain of redirects. */
export interface Hop {
  url: URL
  request: FetchRequest
  isFirst: boolean
}

const accept: Record<FetchKind, string> = {
  page: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.1',
  robots: 'text/plain,*/*;q=0.1',
  sitemap: 'application/xml,text/xml;q=0.9,*/*;q=0.1',
  document: '*/*',
  picture: 'image/png,image/jpeg,image/webp',
  icon: 'image/svg+xml,image/png,image/x-icon,image/*;q=0.9',
  embed: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.1',
}

/** The headers of one request. `access` is sent to its own origin only and cannot override the headers of the crawler. */
export function headersFor({ url, request, isFirst }: Hop, userAgent: string): Record<string, string> {
  const { access, etag, lastModified } = request
  const headers: Record<string, string> = { accept: accept[request.kind] }
  for (const [name, value] of Object.entries(access?.origin === url.origin ? access.headers : {})) {
    headers[name.toLowerCase()] = value
  }
  const cookies = [headers.cookie, access?.cookies?.headerFor(url.href)].filter((cookie) => cookie)
  if (cookies.length > 0) headers.cookie = cookies.join('; ')
  headers['user-agent'] = userAgent
  headers['accept-encoding'] = 'gzip, deflate, br'
  // Validators belong to the requested URL, not to the target of a redirect.
  if (isFirst && isSendable(etag)) headers['if-none-match'] = etag
  if (isFirst && isSendable(lastModified)) headers['if-modified-since'] = lastModified
  return headers
}

/** Whether the server may answer 304. */
export function isConditional({ etag, lastModified }: FetchRequest): boolean {
  return isSendable(etag) || isSendable(lastModified)
}

/** Servers send validators that are not valid header values. */
function isSendable(validator: string | undefined): validator is string {
  return validator !== undefined && /^[\x20-\x7e]{1,1024}$/.test(validator)
}

/** Lower-case names; a repeated header is joined with ', '. */
export function plainHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const plain: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) plain[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value
  }
  return plain
}

/** The Location header, which Node decodes as Latin-1 although servers send UTF-8. */
export function locationOf({ location }: Record<string, string>): string | undefined {
  const utf8 = Buffer.from(location ?? '', 'latin1').toString('utf8')
  return utf8.includes('\ufffd') ? location : utf8 || undefined
}
