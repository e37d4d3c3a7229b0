import { parseUnavailableAfter } from '../crawl/formats/unavailable-after'
import { languageTag } from '../language/language-tag'
import type { PageFacts } from '../ports/extractor'
import { attributeOf } from './dom/element'
import type { ParsedPage } from './dom/parse'
import { cleanText, textOf } from './dom/text'
import { absoluteAddress, hasToken } from './links'
import { authorOf } from './publication/authors'
import { bylineElements } from './publication/byline-elements'
import { datesOf } from './publication/page-dates'
import { siteIconOf } from './site-icon'
import { withoutOtherPages } from './structured-data/page-subject'

type HeadFacts = Omit<PageFacts, 'siteName' | 'interstitial' | 'forward' | 'textFrom' | 'isLinkList'>

/** Reads the metadata of a page. Addresses are made absolute with `base`; `jsonLd` is the page's structured data. */
export function factsOf(page: ParsedPage, url: string, base: string, jsonLd: unknown[]): HeadFacts {
  const metas = metasOf(page)
  const robots = metas.get('robots') ?? ''
  const directives = robots.toLowerCase().split(/[\s,]+/)
  const canonical = page.linkElements.find((link) => hasToken(link, 'rel', 'canonical') && attributeOf(link, 'href'))
  const title = titleIn(page) || metas.get('og:title') || ''
  const canonicalAddress = canonical ? absoluteAddress(attributeOf(canonical, 'href') ?? '', base) : null
  const described = withoutOtherPages(jsonLd, { text: title, addresses: [url, canonicalAddress] })
  const language = languageOf(page, metas, url, base)
  const byline = bylineElements(page, title)
  return {
    title,
    description: metas.get('description') ?? metas.get('og:description') ?? '',
    language,
    canonical: canonicalAddress,
    noindex: directives.includes('noindex') || directives.includes('none'),
    nofollow: directives.includes('nofollow') || directives.includes('none'),
    unavailableAfter: parseUnavailableAfter(robots),
    ...datesOf({ page, metas, jsonLd: described, byline, language, url }),
    icon: siteIconOf(page, base),
    author: authorOf({ body: page.body, metas, described, jsonLd, byline }),
  }
}

/** Returns the address against which relative addresses are resolved. */
export function baseOf(page: ParsedPage, url: string): string {
  const base = page.bases.find((element) => attributeOf(element, 'href'))
  return (base && absoluteAddress(attributeOf(base, 'href') ?? '', url)) ?? url
}

function metasOf(page: ParsedPage): Map<string, string> {
  const metas = new Map<string, string>()
  for (const meta of page.metas) {
    const key = attributeOf(meta, 'name') ?? attributeOf(meta, 'property') ?? attributeOf(meta, 'http-equiv') ?? ''
    const name = key.toLowerCase()
    const content = cleanText(attributeOf(meta, 'content') ?? '')
    // Several robots elements add up; of any other name, the first element counts.
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

/** Prefers the page's own declaration to what links and metadata say of it. */
function languageOf(page: ParsedPage, metas: Map<string, string>, url: string, base: string): string {
  const own = languageTag(page.language)
  if (own) return own
  for (const link of page.linkElements) {
    const language = languageTag(attributeOf(link, 'hreflang') ?? '')
    const isItself = language && absoluteAddress(attributeOf(link, 'href') ?? '', base) === absoluteAddress(url, url)
    if (isItself && hasToken(link, 'rel', 'alternate')) return language
  }
  return languageTag(metas.get('content-language') ?? '') || languageTag(metas.get('og:locale') ?? '')
}
