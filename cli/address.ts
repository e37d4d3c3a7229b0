import { type SourceInput, sourceSchema, withScheme } from '../contract/source'
import type { SourceOptions } from '../contract/source-options'
import { UsageError } from './io'

type CrawledType = SourceInput['type']

/**
 * What `index` is asked to read. Without a scheme https is meant, or http for a host of one's own; without a type it is
 * guessed: a sitemap by its name, a domain where nothing but a host is named, else one page. Throws a UsageError.
 */
export function readAddress(address: string, type: CrawledType | undefined, options: SourceOptions = {}): SourceInput {
  const url = withScheme(address)
  const parsed = sourceSchema.safeParse({ type: type ?? guessType(url), url })
  if (!parsed.success)
    throw new UsageError(`${address}: ${parsed.error.issues[0]?.message ?? 'This is not an address.'}`)
  return { ...parsed.data, ...options }
}

export function guessType(url: string): CrawledType {
  if (!URL.canParse(url)) return 'url'
  const { pathname, search } = new URL(url)
  if (/\.xml(\.gz)?$/i.test(pathname) || /sitemap/i.test(pathname)) return 'sitemap'
  return pathname === '/' && search === '' ? 'domain' : 'url'
}

/** Whether two ways to write an address lead to the same place. */
export function isSameAddress(one: string, other: string): boolean {
  return comparable(one) === comparable(other)
}

function comparable(address: string): string {
  if (!URL.canParse(address)) return address
  const url = new URL(address)
  url.hash = ''
  return url.href
}
