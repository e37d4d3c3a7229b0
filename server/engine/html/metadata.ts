import { unavailableAfterOf } from '../crawl/formats/unavailable-after'
import { languageTag } from '../language/language-tag'
import type { Block, PageFacts } from '../ports'
import { attributeOf } from './dom/element'
import type { ParsedPage } from './dom/parse'
import { cleanText, textOf } from './dom/text'
import { absoluteAddress, hasToken } from './links'
import { timesOf } from './page-dates'

type HeadFacts = Omit<PageFacts, 'instead' | 'textFrom'>

/** What the head of a page says about it; the addresses in it are absolute by `base`. `described` is its JSON-LD. */
export function factsOf(page: ParsedPage, url: string, base: string, described: unknown[]): HeadFacts {
  const metas = metasOf(page)
  const robots = metas.get('robots') ?? ''
  const words = robots.toLowerCase().split(/[\s,]+/)
  const canonical = page.relations.find((link) => hasToken(link, 'rel', 'canonical') && attributeOf(link, 'href'))
  return {
    title: titleIn(page) || metas.get('og:title') || '',
    description: metas.get('description') ?? metas.get('og:description') ?? '',
    language: languageOf(page, metas, url, base),
    canonical: canonical ? absoluteAddress(attributeOf(canonical, 'href') ?? '', base) : null,
    noindex: words.includes('noindex') || words.includes('none'),
    nofollow: words.includes('nofollow') || words.includes('none'),
    unavailableAfter: unavailableAfterOf(robots),
    ...timesOf(page, metas, described),
  }
}

/** What relative addresses stand against. */
export function baseOf(page: ParsedPage, url: string): string {
  const base = page.bases.find((element) => attributeOf(element, 'href'))
  return (base && absoluteAddress(attributeOf(base, 'href') ?? '', url)) ?? url
}

function metasOf(page: ParsedPage): Map<string, string> {
  const metas = new Map<string, string>()
  for (const meta of page.metas) {
    const said = attributeOf(meta, 'name') ?? attributeOf(meta, 'property') ?? attributeOf(meta, 'http-equiv') ?? ''
    const name = said.toLowerCase()
    const content = cleanText(attributeOf(meta, 'content') ?? '')
    // Several robots elements add up; of all others the first one counts.
    if (name === 'robots' || name === 'sitelore') metas.set('robots', `${metas.get('robots') ?? ''},${content}`)
    else if (name && content && !metas.has(name)) metas.set(name, content)
  }
  return metas
}

function titleIn({ titles: [title] }: ParsedPage): string {
  return title
    ? textOf(title)
        .replace(/\s*[¶§]\s*/g, ' ')
        .trim()
    : ''
}

/** The page's own word first, then what others on the page say of it. */
function languageOf(page: ParsedPage, metas: Map<string, string>, url: string, base: string): string {
  const own = languageTag(page.language)
  if (own) return own
  for (const link of page.relations) {
    const language = languageTag(attributeOf(link, 'hreflang') ?? '')
    const isItself = language && absoluteAddress(attributeOf(link, 'href') ?? '', base) === absoluteAddress(url, url)
    if (isItself && hasToken(link, 'rel', 'alternate')) return language
  }
  return languageTag(metas.get('content-language') ?? '') || languageTag(metas.get('og:locale') ?? '')
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
