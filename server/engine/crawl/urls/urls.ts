import type { ReasonCode } from '../../../../contract/reasons'
import { crawlLimits } from '../../limits'
import { settledEscape, spelledOut } from './path-encoding'
import { canonicalQuery } from './query-parameters'

/** Endings of files that are neither pages nor documents that are read. */
const noPage =
  /\.(7z|aac|apk|avi|avif|bin|bmp|bz2|css|deb|dmg|eot|epub|exe|flac|gif|gz|ico|iso|jar|jpe?g|js|json|m4[av]|map|mjs|mkv|mobi|mov|mp[34]|mpe?g|msi|og[agv]|otf|png|pptx?|rar|rpm|rss|atom|svgz?|tar|tgz|tiff?|ttf|wasm|wav|web[mp]|wmv|woff2?|xml|xz|zip|zst)$/i

/** Hosts and ports that the URL standard leaves as they are, for addresses that need no parsing. */
const octet = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`
const plainHost = String.raw`(?:(?:(?!xn--)[a-z\d-]+\.)*(?!xn--)[a-z]{2,63}|${octet}(?:\.${octet}){3})`
const plainPort = String.raw`(?::(?!(?:80|443)(?!\d))(?:[1-5]\d{4}|[1-9]\d{0,3}))?`
const plainSite = new RegExp(String.raw`^https?:\/\/(?:www\.)?(${plainHost}${plainPort})(?=\/|$)`)
const plainSign = String.raw`[\w~!$&*+,=:@-]|${settledEscape}`
/** An address without query that has its one form: no segment that starts with a dot, no escape that needs a change. */
const plainAddress = new RegExp(
  String.raw`^https?:\/\/${plainHost}${plainPort}(?:\/(?:(?:${plainSign})(?:${plainSign}|\.)*)?)+$`,
)
const plainQuery = /^[!$-&(-;=?-~]*$/

/** What is longer is not looked at. */
const longestAddress = 8 * crawlLimits.urlLength

/** Session ids that stand in the path: Java's, PHP's, and those of ASP.NET in a segment of their own. */
const sessionInPath = /;(?:jsessionid|phpsessid|sessionid|session_id|sid)=[^/;]*|\/\((?:[AFSX]\([^()/]*\))+\)(?=\/)/gi

/**
 * One form for one page: as the URL standard serializes it, without fragment, session ids and parameters that never
 * decide which content there is, the other parameters sorted by name, escapes only where needed and in upper case. Null
 * for what cannot be read: another protocol, credentials, no address at all, more than 16,384 characters.
 */
export function normalizeAddress(address: string, base?: string): string | null {
  if (address.length > longestAddress) return null
  const plain = plainForm(address)
  if (plain !== null) return plain
  const url = parsed(address.trim(), base)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null
  if (url.username !== '' || url.password !== '') return null
  if (url.hostname.endsWith('.')) {
    url.hostname = url.hostname.replace(/\.+$/, '')
    if (url.hostname.endsWith('.')) return null
  }
  const { before, query } = cut(url.href)
  const path = before.slice(pathStart(before))
  const withoutSession = path.replace(sessionInPath, '')
  // What is left may be a segment of dots.
  if (withoutSession !== path) return normalizeAddress(`${url.origin}${withoutSession}?${query}`)
  return withQuery(url.origin + spelledOut(path), query)
}

/** The form of an address that needs no parsing, as most do not; null for any other. */
function plainForm(address: string): string | null {
  const { before, query } = cut(address)
  if (!plainAddress.test(before)) return null
  return query === '' ? before : plainQuery.test(query) ? withQuery(before, query) : null
}

function parsed(address: string, base?: string): URL | null {
  // Most links that are no addresses of pages: mail, scripts, images within the page.
  if (/^(?!https?:)[a-z][a-z\d+.-]*:/i.test(address)) return null
  try {
    return new URL(address, base)
  } catch {
    return null
  }
}

/** An address in two, without question mark and fragment. */
function cut(address: string): { before: string; query: string } {
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

/** Where the path begins in an address as the URL standard writes it. */
function pathStart(address: string): number {
  return address.indexOf('/', 'https://'.length)
}

/** What two addresses of one site have in common: host without `www.`, and port. */
export function siteOf(address: string): string {
  return plainSite.exec(address)?.[1] ?? new URL(address).host.replace(/^www\./, '')
}

export function isSameSite(one: string, other: string): boolean {
  return siteOf(one) === siteOf(other)
}

/** A site's front page: what a source of type domain is trimmed to, from any address on it or a bare host name. */
export function domainAddress(text: string): string | null {
  const trimmed = text.trim()
  const address = normalizeAddress(/^[a-z][a-z\d+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`)
  return address === null ? null : `${new URL(address).origin}/`
}

/** Why a link is not followed from a page of `site`, or null when it may be. `link` is a normalized address. */
export function refusalOfLink(link: string, site: string): ReasonCode | null {
  if (!isSameSite(link, site)) return 'other-host'
  if (noPage.test(cut(link).before)) return 'not-html'
  return refusalOfShape(link)
}

/** Addresses that grow by following links: endless folders, calendars, filters. `address` is a normalized one. */
export function refusalOfShape(address: string): ReasonCode | null {
  if (address.length > crawlLimits.urlLength) return 'too-deep'
  const { before, query } = cut(address)
  const segments = before
    .slice(pathStart(before))
    .split('/')
    .filter((segment) => segment !== '')
  if (segments.length > crawlLimits.depth) return 'too-deep'
  const names = query === '' ? [] : query.split('&').map((part) => part.split('=', 1)[0] ?? '')
  return repeats(segments) || repeats(names) ? 'trap' : null
}

/** Whether one of them occurs more often than a path segment may. */
function repeats(words: string[]): boolean {
  if (words.length <= crawlLimits.segmentRepeats) return false
  const times = new Map<string, number>()
  for (const word of words) times.set(word, (times.get(word) ?? 0) + 1)
  return Math.max(...times.values()) > crawlLimits.segmentRepeats
}
