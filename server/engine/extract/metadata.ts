import type { Block, PageDocument } from '../ports'
import { cleanText } from './text'

/** What the head of a page says about it. */
export interface PageFacts extends Pick<PageDocument, 'title' | 'description' | 'language' | 'noindex' | 'nofollow'> {
  canonical: string | null
  /** What relative addresses stand against. */
  base: string
}

export function factsOf(document: Document, url: string): PageFacts {
  const metas = new Map<string, string>()
  for (const meta of document.querySelectorAll('meta')) {
    const name = (
      meta.getAttribute('name') ??
      meta.getAttribute('property') ??
      meta.getAttribute('http-equiv') ??
      ''
    ).toLowerCase()
    const content = cleanText(meta.getAttribute('content') ?? '')
    // Several robots elements add up; of all others the first one counts.
    if (name === 'robots' || name === 'sitelore') metas.set('robots', `${metas.get('robots') ?? ''},${content}`)
    else if (name && content && !metas.has(name)) metas.set(name, content)
  }
  const base = absolute(document.querySelector('base[href]')?.getAttribute('href'), url) ?? url
  const canonical = [...document.querySelectorAll('link[rel][href]')].find((link) => hasToken(link, 'rel', 'canonical'))
  const robots = (metas.get('robots') ?? '').toLowerCase().split(/[\s,]+/)
  const lang = document.documentElement?.getAttribute('lang') || metas.get('content-language') || ''
  return {
    title:
      withoutMark(cleanText(document.querySelector('title')?.textContent ?? '').replaceAll('\n', ' ')) ||
      metas.get('og:title') ||
      '',
    description: metas.get('description') ?? metas.get('og:description') ?? '',
    language: /^[a-z]{2,3}(-[a-z\d]{1,8})*$/i.test(lang.trim().replaceAll('_', '-'))
      ? lang.trim().replaceAll('_', '-').toLowerCase()
      : '',
    canonical: absolute(canonical?.getAttribute('href'), base),
    noindex: robots.includes('noindex') || robots.includes('none'),
    nofollow: robots.includes('nofollow') || robots.includes('none'),
    base,
  }
}

/**
 * The name of the page without that of its site: the first heading where the title starts with it, followed by a
 * separator. A page without a title is called by its first heading.
 */
export function titleOf(title: string, blocks: Block[]): string {
  const heading = blocks.find((block) => block.kind === 'heading' && block.level <= 2)?.text ?? ''
  if (!title) return heading
  const rest = title.toLowerCase().startsWith(heading.toLowerCase()) ? title.slice(heading.length) : null
  return heading && rest !== null && /^\s*[-–—|·•:»]+\s/.test(rest) ? title.slice(0, heading.length) : title
}

/** Absolute http(s) addresses of all links that may be followed, without fragments, each once. */
export function linksOf(document: Document, base: string, limit: number): string[] {
  const links = new Set<string>()
  for (const link of document.querySelectorAll('a[href], area[href]')) {
    if (hasToken(link, 'rel', 'nofollow')) continue
    const address = absolute(link.getAttribute('href'), base)
    if (address) links.add(address)
    if (links.size >= limit) break
  }
  return [...links]
}

function absolute(href: string | null | undefined, base: string): string | null {
  if (!href || !URL.canParse(href.trim(), base)) return null
  const url = new URL(href.trim(), base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null
  url.hash = ''
  return url.href
}

function hasToken(element: Element, attribute: string, token: string): boolean {
  return (element.getAttribute(attribute) ?? '').toLowerCase().split(/\s+/).includes(token)
}

function withoutMark(title: string): string {
  return title.replace(/\s*[¶§]\s*/g, ' ').trim()
}
