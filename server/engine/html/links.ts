import { parseUrl } from '../../../contract/values/url'
import { languageTag } from '../language/language-tag'
import { attributeOf, type PageElement } from './dom/element'
import type { ParsedPage } from './dom/parse'

/** Sites offer a feed for each topic; one of all posts is among the first. */
const maxFeeds = 10
const feedTypes = new Set(['application/rss+xml', 'application/atom+xml'])

/**
 * Returns the absolute http(s) addresses of all links to follow, without fragments, each once: those of the text first,
 * then frames of the same host, then previous and next pages, translations and feeds, for which a tenth of `limit` is
 * reserved. `url` is the address of the page, `base` that against which links are resolved.
 */
export function linksOf(page: ParsedPage, { url, base }: { url: string; base: string }, limit: number): string[] {
  const related = collect(page.linkElements.filter(isFollowed), base, limit / 10)
  const links = collect(page.links, base, limit - related.size)
  for (const address of markdownCopies(url)) links.delete(address)
  // Frames of other hosts are videos, maps and advertisements.
  const frames = [...collect(page.frames, base, limit)].filter((address) => hostOf(address) === hostOf(url))
  for (const address of frames.slice(0, limit - related.size - links.size)) links.add(address)
  for (const address of related) links.add(address)
  return [...links]
}

/** Returns the languages of the page's translations (hreflang) by their absolute addresses. */
export function languagesOf(page: ParsedPage, base: string, limit: number): Map<string, string> {
  const languages = new Map<string, string>()
  for (const link of page.linkElements) {
    if (languages.size >= limit) break
    const language = hasToken(link, 'rel', 'alternate') ? languageTag(attributeOf(link, 'hreflang') ?? '') : ''
    const address = language === '' ? null : absoluteAddress(attributeOf(link, 'href') ?? '', base)
    if (address !== null && !languages.has(address)) languages.set(address, language)
  }
  return languages
}

/** Returns the absolute http(s) addresses of the page's feeds. */
export function feedsOf(page: ParsedPage, base: string): string[] {
  return [...collect(page.linkElements.filter(isFeed), base, maxFeeds)]
}

function collect(elements: PageElement[], base: string, limit: number): Set<string> {
  const seen = new Set<string>()
  const addresses = new Set<string>()
  for (const element of elements) {
    if (addresses.size >= limit) break
    const href = targetOf(element)
    if (!href || hasToken(element, 'rel', 'nofollow')) continue
    const hash = href.indexOf('#')
    const target = hash < 0 ? href : href.slice(0, hash)
    if (seen.has(target)) continue
    seen.add(target)
    const address = absoluteAddress(target, base)
    if (address) addresses.add(address)
  }
  return addresses
}

/** The addresses at which sites publish a page as Markdown, for language models. */
function markdownCopies(url: string): string[] {
  const address = url.replace(/[?#].*$/, '')
  const folder = address.slice(0, address.lastIndexOf('/') + 1)
  const plain = address.replace(/\/$/, '')
  return [`${plain}.md`, plain.replace(/\.html?$/, '.md'), `${folder}index.md`, `${folder}index.html.md`]
}

function hostOf(address: string): string {
  return new URL(address).host.replace(/^www\./, '')
}

function targetOf(element: PageElement): string | null {
  if (element.name === 'frame' || element.name === 'iframe') return attributeOf(element, 'src')
  return attributeOf(element, 'href') ?? attributeOf(element, 'xlink:href')
}

/** Whether a link element leads to another page: the previous or next one, a translation, or a feed. */
function isFollowed(link: PageElement): boolean {
  if (hasToken(link, 'rel', 'next') || hasToken(link, 'rel', 'prev')) return true
  if (!hasToken(link, 'rel', 'alternate') || hasToken(link, 'rel', 'stylesheet')) return false
  return attributeOf(link, 'hreflang') !== null || isFeed(link)
}

function isFeed(link: PageElement): boolean {
  return hasToken(link, 'rel', 'alternate') && feedTypes.has((attributeOf(link, 'type') ?? '').trim().toLowerCase())
}

/** Resolves a reference to an absolute http(s) address without fragment; null for any other. */
export function absoluteAddress(reference: string, base: string): string | null {
  const hash = reference.indexOf('#')
  const target = hash < 0 ? reference : reference.slice(0, hash)
  const url = parseUrl(target, base)
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : null
}

export function hasToken(element: PageElement, attribute: string, token: string): boolean {
  return attributeOf(element, attribute)?.toLowerCase().split(/\s+/).includes(token) ?? false
}
