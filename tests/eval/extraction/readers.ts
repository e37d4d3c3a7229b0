import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import { decodeHtml } from '../../../server/engine/charset/decode-html'
import { extractPage } from '../../../server/engine/html/extract-page'

/** What is compared of a page; '' and null where a page does not say. */
export interface Reading {
  text: string
  title: string
  description: string
  language: string
  publishedAt: number | null
  author: string
}

export interface Reader {
  name: string
  read(body: Uint8Array, url: string): Reading
}

export const ours: Reader = {
  name: 'ours',
  read(body, url) {
    const { blocks, title, description, language, publishedAt, author } = extractPage(
      decodeHtml(body, 'text/html'),
      url,
    )
    return { text: blocks.map((block) => block.text).join('\n'), title, description, language, publishedAt, author }
  },
}

export const readabilityAlone: Reader = {
  name: 'Readability',
  read(body) {
    const { document } = parseHTML(decodeHtml(body, 'text/html'))
    const article = new Readability(document).parse()
    return {
      text: visibleText(article?.content ?? ''),
      title: article?.title ?? '',
      description: article?.excerpt ?? '',
      language: (article?.lang ?? '').toLowerCase(),
      publishedAt: instantOf(article?.publishedTime),
      author: article?.byline ?? '',
    }
  },
}

/** In milliseconds since 1970; null for what is no date. */
export function instantOf(text: string | null | undefined): number | null {
  const instant = Date.parse(text ?? '')
  return Number.isNaN(instant) ? null : instant
}

/** The text of HTML; block elements are separated from their neighbours. */
export function visibleText(html: string): string {
  const { document } = parseHTML(`<!doctype html><html><body>${html}</body></html>`)
  return textIn(document.body)
}

const inLine = new Set(
  'A ABBR B BDI BDO BIG CITE CODE DEL DFN EM FONT I INS KBD LABEL MARK Q S SAMP SMALL SPAN STRIKE STRONG SUB SUP TIME TT U VAR WBR'.split(
    ' ',
  ),
)
const silent = new Set('SCRIPT STYLE NOSCRIPT TEMPLATE SVG'.split(' '))

function textIn(node: Node): string {
  if (node.nodeType === 3) return node.textContent ?? ''
  if (node.nodeType !== 1 || silent.has(node.nodeName.toUpperCase())) return ''
  let text = ''
  for (const child of node.childNodes) text += textIn(child)
  return inLine.has(node.nodeName.toUpperCase()) ? text : ` ${text} `
}
