import { parseUrl } from '../../../contract/values/url'
import { attributeOf, type PageElement } from '../html/dom/element'
import { parsePage } from '../html/dom/parse'
import { type Policy, parsePolicies } from './content-security-policy'

/** A page as its server sent it. */
export interface SentPage {
  /** URL after all redirects. */
  url: string
  /** Lower-case names; a repeated header is joined with ', '. */
  headers: Record<string, string>
  html: string
}

/** The script element of the widget. */
export interface WidgetTag {
  src: URL
  key: string | null
  nonce: string | null
  integrity: string | null
  /** Whether browsers run the element. */
  isRun: boolean
}

/** What a page says about the widget. */
export interface WidgetPage {
  url: URL
  tag: WidgetTag | null
  policies: Policy[]
}

const attributes = ['src', 'type', 'nonce', 'integrity', 'data-key', 'http-equiv', 'content']
const scriptTypes = /^(?:text\/(?:java|ecma|j|live)script|application\/(?:x-)?(?:java|ecma)script)$/i

/** Reads the tag and the policies of a page. Of several tags, one with this key, else one that browsers run. */
export function readWidgetTag(page: SentPage, key: string): WidgetPage {
  const url = new URL(page.url)
  const { scripts, metas, bases } = parsePage(page.html, attributes)
  const base = parseUrl(bases.map((element) => attributeOf(element, 'href')).find(Boolean) ?? '', url) ?? url
  const tags = scripts.flatMap((script) => tagOf(script, base) ?? [])
  const rank = (tag: WidgetTag) => Number(!tag.isRun) * 2 + Number(tag.key !== key)
  const [tag = null] = tags.sort((first, second) => rank(first) - rank(second))
  const isPolicy = (meta: PageElement) =>
    /^content-security-policy$/i.test(attributeOf(meta, 'http-equiv')?.trim() ?? '')
  const declared = metas.filter(isPolicy).map((meta) => attributeOf(meta, 'content') ?? '')
  return { url, tag, policies: [page.headers['content-security-policy'] ?? '', ...declared].flatMap(parsePolicies) }
}

function tagOf(script: PageElement, base: URL): WidgetTag | null {
  const src = parseUrl(attributeOf(script, 'src')?.trim() || 'about:', base)
  if (!src?.pathname.endsWith('/widget.js')) return null
  return {
    src,
    key: attributeOf(script, 'data-key')?.trim() || null,
    nonce: attributeOf(script, 'nonce'),
    integrity: attributeOf(script, 'integrity')?.trim() || null,
    isRun: isRun(script),
  }
}

/** Browsers with scripts run no element inside these, and none of another type, as consent tools write it. */
function isRun(script: PageElement): boolean {
  for (let element = script.parent; element; element = element.parent) {
    if (element.name === 'noscript' || element.name === 'template') return false
  }
  return scriptTypes.test(attributeOf(script, 'type')?.trim() || 'text/javascript')
}
