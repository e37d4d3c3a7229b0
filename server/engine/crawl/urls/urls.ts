import type { ReasonCode } from '../../../../contract/reasons'
import { parseUrl } from '../../../../contract/values/url'
import { crawlLimits } from '../../limits'
import { normalizeEscapes, requiredEscape } from './path-encoding'
import { canonicalQuery } from './query-parameters'

/** Extensions of files that are neither pages nor supported documents. */
const unsupportedFile =
  /\.(7z|aac|apk|avi|avif|bin|bmp|bz2|css|deb|dmg|eot|epub|exe|flac|gif|gz|ico|iso|jar|jpe?g|js|json|m4[av]|map|mjs|mkv|mobi|mov|mp[34]|mpe?g|msi|og[agv]|otf|png|ppt|rar|rpm|rss|atom|svgz?|tar|tgz|tiff?|ttf|wasm|wav|web[mp]|wmv|woff2?|xml|xz|zip|zst)$/i

/** Hosts and ports that the URL standard does not change, for URLs that need no parsing. */
const octet = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`
const plainHost = String.raw`(?:(?:(?!xn--)[a-z\d-]+\.)*(?!xn--)[a-z]{2,63}|${octet}(?:\.${octet}){3})`
const plainPort = String.raw`(?::(?!(?:80|443)(?!\d))(?:[1-5]\d{4}|[1-9]\d{0,3}))?`
const plainSite = new RegExp(String.raw`^https?:\/\/(?:www\.)?(${plainHost}${plainPort})(?=\/|$)`)
const plainChar = String.raw`[\w~!$&*+,=:@-]|${requiredEscape}`
/** A normalized URL without query: no segment that starts with a dot, all escapes in normal form. */
const plainAddress = new RegExp(
  String.raw`^https?:\/\/${plainHost}${plainPort}(?:\/(?:(?:${plainChar})(?:${plainChar}|\.)*)?)+$`,
)
const plainQuery = /^[!$-&(-;=?-~]*$/

/** Longer URLs are invalid. */
const maxUrlLength = 8 * crawlLimits.urlLength

/** Session ids in the path: of Java and PHP, and of ASP.NET in a segment of their own. */
const sessionInPath = /;(?:jsessionid|phpsessid|sessionid|session_id|sid)=[^/;]*|\/\((?:[AFSX]\([^()/]*\))+\)(?=\/)/gi

/**
 * The normal form of a page's URL: as the URL standard serializes it, without fragment, session ids and parameters that
 * do not change the content, the others sorted by name, escapes only where needed and in upper case. Null for an invalid
 * URL, another protocol than http and https, credentials, and more than 16,384 characters.
 */
export function normalizeAddress(address: string, base?: string): string | null {
  if (address.length > maxUrlLength) return null
  const plain = normalizeQuickly(address)
  if (plain !== null) return plain
  const url = parsed(address.trim(), base)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null
  if (url.username !== '' || url.password !== '') return null
  if (url.hostname.endsWith('.')) {
    url.hostname = url.hostname.replace(/\.+$/, '')
    if (url.hostname.endsWith('.')) return null
  }
  const { before, query } = split(url.href)
  const path = before.slice(pathStart(before))
  const withoutSession = path.replace(sessionInPath, '')
  // Removing a session id can leave a segment of dots.
  if (withoutSession !== path) return normalizeAddress(`${url.origin}${withoutSession}?${query}`)
  return withQuery(url.origin + normalizeEscapes(path), query)
}

/** The normal form of a URL that needs no parsing, which is most of them; null for any other. */
function normalizeQuickly(address: string): string | null {
  const { before, query } = split(address)
  if (!plainAddress.test(before)) return null
  return query === '' ? before : plainQuery.test(query) ? withQuery(before, query) : null
}

function parsed(address: string, base?: string): URL | null {
  // mailto:, javascript:, data: and the like.
  if (/^(?!https?:)[a-z][a-z\d+.-]*:/i.test(address)) return null
  return parseUrl(address, base)
}

/** The URL before and after its question mark, without fragment. */
function split(address: string): { before: string; query: string } {
  const hash = address.indexOf('#')
  const whole = hash < 0 ? address : address.slice(0, hash)
  const question = whole.indexOf('?')
  return question < 0
    ? { before: whole, query: '' }
    : { before: whole.slice(0, question), query: whole.slice(question + 1) }
}

function withQuery(before: string, query: string): string {
  const kept = canonicalQuery(query)
  return kept === '' ? before : `${before}?${kept}`
}

/** Index of the path in a serialized URL. */
function pathStart(address: string): number {
  return address.indexOf('/', 'https://'.length)
}

/** Host without `www.`, and port: equal for all URLs of one site. */
export function siteOf(address: string): string {
  return plainSite.exec(address)?.[1] ?? new URL(address).host.replace(/^www\./, '')
}

export function isSameSite(first: string, second: string): boolean {
  return siteOf(first) === siteOf(second)
}

/** The front page of the site of a URL or bare host name; null for an invalid one. */
export function domainRoot(text: string): string | null {
  const trimmed = text.trim()
  const address = normalizeAddress(/^[a-z][a-z\d+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`)
  return address === null ? null : `${new URL(address).origin}/`
}

/** Why a crawl of `site` does not follow a link, or null. `link` is normalized. */
export function linkExclusion(link: string, site: string): ReasonCode | null {
  if (!isSameSite(link, site)) return 'other-host'
  if (unsupportedFile.test(split(link).before)) return 'not-html'
  return shapeExclusion(link)
}

/** Why the shape of a URL looks like a crawler trap, or null: too long, too deep, repeated segments or parameters. */
export function shapeExclusion(address: string): ReasonCode | null {
  if (address.length > crawlLimits.urlLength) return 'too-deep'
  const { before, query } = split(address)
  const segments = before
    .slice(pathStart(before))
    .split('/')
    .filter((segment) => segment !== '')
  if (segments.length > crawlLimits.depth) return 'too-deep'
  const names = query === '' ? [] : query.split('&').map((part) => part.split('=', 1)[0] ?? '')
  return repeats(segments) || repeats(names) ? 'trap' : null
}

/** Whether one name occurs more than `crawlLimits.segmentRepeats` times. */
function repeats(names: string[]): boolean {
  if (names.length <= crawlLimits.segmentRepeats) return false
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return Math.max(...counts.values()) > crawlLimits.segmentRepeats
}
