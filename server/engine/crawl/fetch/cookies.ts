import { LRUCache } from 'lru-cache'
import { CookieJar } from 'tough-cookie'
import { parseUrl } from '../../../../contract/values/url'
import type { Cookies, SiteAccess } from '../../ports/fetcher'

/** Hosts of one crawl that have cookies, and cookies of one host. */
const maxHosts = 20
const maxCookies = 50
/** Characters of a cookie as sent, and of all cookies of a request. */
const maxCookieLength = 4096
const maxHeaderLength = 8192

/**
 * Keeps cookies in memory while a site is crawled, by RFC 6265: a site may set one and redirect to the same page to see
 * whether it comes back. Each host has cookies of its own.
 */
export function createCookies(): Cookies {
  const jars = new LRUCache<string, CookieJar>({ max: maxHosts })

  return {
    headerFor(url) {
      const header = jars.get(new URL(url).hostname)?.getCookieStringSync(url) ?? ''
      return header.length <= maxHeaderLength && /^[\x20-\x7e]*$/.test(header) ? header : ''
    },
    keep(url, cookies) {
      const { hostname } = new URL(url)
      const jar = jars.get(hostname) ?? new CookieJar()
      for (const cookie of cookies.filter(({ length }) => length <= maxCookieLength)) {
        const kept = jar.getCookiesSync(url, { allPaths: true })
        const [name = ''] = cookie.split('=', 1)
        if (kept.length >= maxCookies && !kept.some(({ key }) => key === name.trim())) continue
        jar.setCookieSync(cookie, url, { ignoreError: true })
      }
      jars.set(hostname, jar)
    },
  }
}

/** The access to a site with the cookies of one crawl. `url` is any address of the site. */
export function withCookies(access: SiteAccess | null, url: string, cookies: Cookies): SiteAccess {
  return { origin: parseUrl(url)?.origin ?? '', headers: {}, ...access, cookies }
}
