import { parseUrl } from '../../../contract/values/url'
import { attributeOf, type PageElement } from '../html/dom/element'
import { parsePage } from '../html/dom/parse'
import { type Policy, parsePolicies } from './content-security-policy'

/** A page that may have the widget, as its server sent it. */
export interface EmbeddingPage {
  /** After all redirects. */
  url: string
  /** Lower-case names; a repeated header is joined with ', '. */
  headers: Record<string, string>
  html: string
}

/** The script element of the widget. */
export interface WidgetTag {
  /** Absolute. */
  src: string
  key: string | null
  nonce: string | null
  integrity: string | null
  hasCrossOrigin: boolean
  /** Why browsers do not run the element; null if they do. */
  inert: Inert | null
}

export type Inert = { kind: 'type'; type: string } | { kind: 'nomodule' } | { kind: 'inside'; element: string }

/** What decides whether the widget works on a page. */
export interface Embed {
  page: URL
  tag: WidgetTag | null
  policies: Policy[]
}

const attributes = ['src', 'type', 'nomodule', 'nonce', 'integrity', 'crossorigin', 'data-key', 'http-equiv', 'content']
/** Browsers with scripts neither run nor show what is inside these. */
const inertParents = ['noscript', 'template']
const scriptTypes = /^(?:text\/(?:java|ecma|j|live)script|application\/(?:x-)?(?:java|ecma)script)$/i

/** Reads the tag and the policies of a page. `isWanted` chooses among several tags; the first one by default. */
export function readEmbed(page: EmbeddingPage, isWanted: (tag: WidgetTag) => boolean): Embed {
  const url = new URL(page.url)
  const { scripts, metas, bases } = parsePage(page.html, attributes)
  const base = parseUrl(bases.map((one) => attributeOf(one, 'href')).find(Boolean) ?? '', url) ?? url
  const tags = scripts.flatMap((script) => tagOf(script, base) ?? [])
  const runnable = tags.filter(({ inert }) => inert === null)
  const tag = runnable.find(isWanted) ?? runnable[0] ?? tags.find(isWanted) ?? tags[0] ?? null
  const headers = parsePolicies(page.headers['content-security-policy'] ?? '')
  const declared = metas
    .filter((meta) => /^content-security-policy$/i.test(attributeOf(meta, 'http-equiv')?.trim() ?? ''))
    .filter((meta) => inertParentOf(meta) === null)
    .flatMap((meta) => parsePolicies(attributeOf(meta, 'content') ?? ''))
  return { page: url, tag, policies: [...headers, ...declared] }
}

function tagOf(script: PageElement, base: URL): WidgetTag | null {
  const src = parseUrl(attributeOf(script, 'src')?.trim() || 'about:', base)
  if (!src?.pathname.endsWith('/widget.js')) return null
  return {
    src: src.href,
    key: attributeOf(script, 'data-key')?.trim() || null,
    nonce: attributeOf(script, 'nonce'),
    integrity: attributeOf(script, 'integrity')?.trim() || null,
    hasCrossOrigin: attributeOf(script, 'crossorigin') !== null,
    inert: inertnessOf(script),
  }
}

function inertnessOf(script: PageElement): Inert | null {
  const parent = inertParentOf(script)
  if (parent !== null) return { kind: 'inside', element: parent }
  const type = attributeOf(script, 'type')?.trim() ?? ''
  if (type !== '' && !scriptTypes.test(type)) return { kind: 'type', type }
  return attributeOf(script, 'nomodule') === null ? null : { kind: 'nomodule' }
}

function inertParentOf({ parent }: PageElement): string | null {
  for (let at = parent; at; at = at.parent) if (inertParents.includes(at.name)) return at.name
  return null
}
