import { attributeOf, type PageElement } from './element'
import { kindOf, kindsOf } from './element-categories'
import { createTagReader, decodeText, endOfComment, startOfEndTag } from './tokenizer'
import { createTree } from './tree-builder'

export interface ParsedPage {
  /** All of the page; what belongs to its head stands in front. */
  body: PageElement
  /** How many elements there are. */
  elements: number
  /** The lang attribute of the html element, or ''. */
  language: string
  /** Elements that say something about the page, wherever they stand, in its order. */
  titles: PageElement[]
  metas: PageElement[]
  bases: PageElement[]
  /** The link elements. */
  relations: PageElement[]
  /** The elements a and area. */
  links: PageElement[]
  scripts: PageElement[]
  noscripts: PageElement[]
  inputs: PageElement[]
  buttons: PageElement[]
  /** Elements that open and close others. */
  controls: PageElement[]
  /** Elements that say that the content is theirs. */
  mains: PageElement[]
  articles: PageElement[]
  /** The elements h1 to h6. */
  headings: PageElement[]
  times: PageElement[]
}

type Listed = Exclude<keyof ParsedPage, 'body' | 'elements' | 'language'>

const listOf = new Map<string, Listed>([
  ['title', 'titles'],
  ['meta', 'metas'],
  ['base', 'bases'],
  ['link', 'relations'],
  ['a', 'links'],
  ['area', 'links'],
  ['script', 'scripts'],
  ['noscript', 'noscripts'],
  ['input', 'inputs'],
  ['button', 'buttons'],
  ['main', 'mains'],
  ['article', 'articles'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name): [string, Listed] => [name, 'headings']),
  ['time', 'times'],
])

/** More than the longest pages have; of what comes after them only the text is kept, so that memory is bounded. */
const mostElements = 500_000

const slash = 47
const exclamation = 33
const question = 63

/**
 * Parses a page in one pass, in time that grows with its length alone. Any text is a page; nothing is thrown.
 * `attributes` names those to keep besides the ones that reading a page asks for.
 */
export function parsePage(html: string, attributes: readonly string[] = []): ParsedPage {
  const tree = createTree()
  const tag = createTagReader(html, attributes)
  const page = emptyPage(tree.root)

  function openTag(at: number): number {
    const end = tag.read(at + 1)
    const { name } = tag
    if (name === 'html') page.language ||= languageIn(tag.attributes)
    if (isFrame(name)) return end
    if (page.elements >= mostElements) return kindsOf(name) & kindOf.raw ? startOfEndTag(html, name, end) : end
    page.elements++
    const wasForeign = tree.isForeign()
    const element = tree.open(name, tag.attributes, tag.closesItself)
    const list = listOf.get(name) ?? (tag.attributes.length > 0 ? listByRole(element) : undefined)
    if (list && !wasForeign) page[list].push(element)
    if (tag.attributes.length > 0 && attributeOf(element, 'aria-controls')) page.controls.push(element)
    return element.kind & kindOf.raw && !wasForeign ? rawText(name, end) : end
  }

  /** Everything up to the end tag of an element that holds only characters. */
  function rawText(name: string, start: number): number {
    const end = startOfEndTag(html, name, start)
    const text = html.slice(start, end)
    if (text) tree.text(name === 'title' || name === 'textarea' ? decodeText(text) : text)
    return end
  }

  function closeTag(at: number): number {
    if (!isLetter(html.charCodeAt(at + 2))) return endOfComment(html, at)
    const end = tag.read(at + 2)
    if (!isFrame(tag.name)) tree.close(tag.name)
    return end
  }

  let from = 0
  let at = html.indexOf('<')
  while (at >= 0) {
    const next = html.charCodeAt(at + 1)
    const isTag = isLetter(next)
    if (!isTag && next !== slash && next !== exclamation && next !== question) {
      // A sign that starts nothing is text.
      at = html.indexOf('<', at + 1)
      continue
    }
    if (at > from) tree.text(decodeText(html.slice(from, at)))
    from = isTag ? openTag(at) : next === slash ? closeTag(at) : endOfComment(html, at)
    at = html.indexOf('<', from)
  }
  if (from < html.length) tree.text(decodeText(html.slice(from)))
  return page
}

function emptyPage(body: PageElement): ParsedPage {
  return {
    body,
    elements: 0,
    language: '',
    titles: [],
    metas: [],
    bases: [],
    relations: [],
    links: [],
    scripts: [],
    noscripts: [],
    inputs: [],
    buttons: [],
    controls: [],
    mains: [],
    articles: [],
    headings: [],
    times: [],
  }
}

function listByRole(element: PageElement): Listed | undefined {
  if (attributeOf(element, 'role') === 'main') return 'mains'
  return attributeOf(element, 'itemprop') === 'articleBody' ? 'articles' : undefined
}

/** The elements that hold the page itself; their place is known without them. */
function isFrame(name: string): boolean {
  return name === 'html' || name === 'head' || name === 'body'
}

function languageIn(attributes: string[]): string {
  const at = attributes.indexOf('lang')
  return at % 2 === 0 ? (attributes[at + 1] ?? '') : ''
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
}
