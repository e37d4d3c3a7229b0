import type { ReasonCode } from '../../../contract/reasons'
import { crawlLimits } from '../limits'

/** Parameters that only count where a visitor came from. */
const tracking =
  /^(utm_\w+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|ysclid|twclid|ttclid|li_fat_id|igshid|mc_cid|mc_eid|_hsenc|_hsmi|hsctatracking|mkt_tok|oly_anon_id|oly_enc_id|vero_id|_openstat|wickedid|srsltid)$/i

/** Endings of files that are no pages. */
const noPage =
  /\.(7z|aac|apk|avi|avif|bin|bmp|bz2|css|csv|deb|dmg|docx?|eot|epub|exe|flac|gif|gz|ico|iso|jar|jpe?g|js|json|m4[av]|map|mjs|mkv|mobi|mov|mp[34]|mpe?g|msi|og[agv]|otf|pdf|png|pptx?|rar|rpm|rss|atom|svgz?|tar|tgz|tiff?|ttf|wasm|wav|web[mp]|wmv|woff2?|xlsx?|xml|xz|zip|zst)$/i

/**
 * One form for one page: as the URL standard serializes it, without fragment and tracking parameters. Null for what
 * cannot be read: another protocol, credentials, no address at all.
 */
export function normalizeAddress(address: string, base?: string): string | null {
  if (!URL.canParse(address.trim(), base)) return null
  const url = new URL(address.trim(), base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null
  if (url.username !== '' || url.password !== '') return null
  url.hash = ''
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)
  for (const name of [...url.searchParams.keys()]) {
    // Only where there is something to take away: writing the parameters back changes how they are escaped.
    if (tracking.test(name)) url.searchParams.delete(name)
  }
  if (url.href.endsWith('?')) url.search = ''
  return url.href
}

/** What two addresses of one site have in common: host without `www.`, and port. */
export function siteOf(address: string): string {
  return new URL(address).host.replace(/^www\./, '')
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
  if (noPage.test(new URL(link).pathname)) return 'not-html'
  return refusalOfShape(link)
}

/** Addresses that grow by following links: endless folders, calendars, filters. */
export function refusalOfShape(address: string): ReasonCode | null {
  const url = new URL(address)
  const segments = url.pathname.split('/').filter((segment) => segment !== '')
  if (address.length > crawlLimits.urlLength || segments.length > crawlLimits.depth) return 'too-deep'
  const seen = new Map<string, number>()
  for (const segment of segments) {
    const times = (seen.get(segment) ?? 0) + 1
    if (times > crawlLimits.segmentRepeats) return 'trap'
    seen.set(segment, times)
  }
  const names = [...url.searchParams.keys()]
  return names.some((name) => names.filter((other) => other === name).length > crawlLimits.segmentRepeats)
    ? 'trap'
    : null
}
