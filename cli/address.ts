import { type SourceInput, sourceSchema, withScheme } from '../contract/sources/source'
import type { SourceOptions } from '../contract/sources/source-options'
import { parseUrl } from '../contract/values/url'
import { UsageError } from './io'

type CrawledType = SourceInput['type']

/**
 * Parses the address argument of `index`. The scheme defaults to https, or http for a private host. The type defaults to
 * sitemap for a file named like one, to domain for a bare host, else to url. Throws a UsageError.
 */
export function readAddress(address: string, type: CrawledType | undefined, options: SourceOptions = {}): SourceInput {
  const url = withScheme(address)
  const parsed = sourceSchema.safeParse({ type: type ?? guessType(url), url })
  if (!parsed.success)
    throw new UsageError(`${address}: ${parsed.error.issues[0]?.message ?? 'This is not an address.'}`)
  return { ...parsed.data, ...options }
}

export function guessType(url: string): CrawledType {
  const parsed = parseUrl(url)
  if (parsed === null) return 'url'
  const { pathname, search } = parsed
  if (/\.xml(\.gz)?$/i.test(pathname) || /sitemap/i.test(pathname)) return 'sitemap'
  return pathname === '/' && search === '' ? 'domain' : 'url'
}

/** Whether two addresses are equal when normalized. */
export function isSameAddress(first: string, second: string): boolean {
  return comparable(first) === comparable(second)
}

function comparable(address: string): string {
  const url = parseUrl(address)
  if (url === null) return address
  url.hash = ''
  return url.href
}
