import { languageTag } from '../language/language-tag'
import { attributeOf, type PageElement } from './dom/element'
import type { ParsedPage } from './dom/parse'

/** Sites name a feed for each topic; one of all posts is among the first. */
const mostFeeds = 10
const feedTypes = new Set(['application/rss+xml', 'application/atom+xml'])

/**
 * Absolute http(s) addresses of all links that may be followed, without fragments, each once: first those of the text,
 * then pages before and after, forms in other languages and feeds, which have a tenth of the places for sure.
 */
export function linksOf(page: ParsedPage, base: string, limit: number): string[] {
  const related = collect(page.relations.filter(isFollowed), base, limit / 10)
  const links = collect(page.links, base, limit - related.size)
  for (const address of related) links.add(address)
  return [...links]
}

/** Languages by the absolute addresses of the forms in other languages (hreflang) that the page names. */
export function languagesOf(page: ParsedPage, base: string, limit: number): Map<string, string> {
  const languages = new Map<string, string>()
  for (const link of page.relations) {
    if (languages.size >= limit) break
    const language = hasToken(link, 'rel', 'alternate') ? languageTag(attributeOf(link, 'hreflang') ?? '') : ''
    const address = language === '' ? null : absoluteAddress(attributeOf(link, 'href') ?? '', base)
    if (address !== null && !languages.has(address)) languages.set(address, language)
  }
  return languages
}

/** Absolute http(s) addresses of the feeds that the page names. */
export function feedsOf(page: ParsedPage, base: string): string[] {
  return [...collect(page.relations.filter(isFeed), base, mostFeeds)]
}

function collect(elements: PageElement[], base: string, limit: number): Set<string> {
  const seen = new Set<string>()
  const addresses = new Set<string>()
  for (const element of elements) {
    if (addresses.size >= limit) break
    const href = attributeOf(element, 'href')
    if (!href || hasToken(element, 'rel', 'nofollow')) continue
    const place = href.indexOf('#')
    const named = place < 0 ? href : href.slice(0, place)
    if (seen.has(named)) continue
    seen.add(named)
    const address = absoluteAddress(named, base)
    if (address) addresses.add(address)
  }
  return addresses
}

/** Leads to another page: the one before or after, one in another language, or a feed. */
function isFollowed(link: PageElement): boolean {
  if (hasToken(link, 'rel', 'next') || hasToken(link, 'rel', 'prev')) return true
  if (!hasToken(link, 'rel', 'alternate') || hasToken(link, 'rel', 'stylesheet')) return false
  return attributeOf(link, 'hreflang') !== null || isFeed(link)
}

function isFeed(link: PageElement): boolean {
  return hasToken(link, 'rel', 'alternate') && feedTypes.has((attributeOf(link, 'type') ?? '').trim().toLowerCase())
}

/** The http(s) address that a reference means, without its fragment; null for any other. */
export function absoluteAddress(reference: string, base: string): string | null {
  const place = reference.indexOf('#')
  const named = place < 0 ? reference : reference.slice(0, place)
  try {
    const url = new URL(named, base)
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null
  } catch {
    return null
  }
}

export function hasToken(element: PageElement, attribute: string, token: string): boolean {
  return attributeOf(element, attribute)?.toLowerCase().split(/\s+/).includes(token) ?? false
}
