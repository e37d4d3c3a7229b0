import { attributeOf, type PageElement } from './element'
import { categoriesOf, category } from './element-categories'
import { createTagReader, decodeText, endOfComment, startOfEndTag } from './tokenizer'
import { createTree } from './tree-builder'

export interface ParsedPage {
  /** All of the page; elements of the head come first. */
  body: PageElement
  /** The number of elements. */
  elements: number
  /** The lang attribute of the html element, or ''. */
  language: string
  /** Lists of elements, wherever they are on the page, in document order. */
  titles: PageElement[]
  metas: PageElement[]
  bases: PageElement[]
  /** link elements. */
  linkElements: PageElement[]
  /** a and area elements, those of pictures (SVG) included. */
  links: PageElement[]
  /** frame and iframe elements. */
  frames: PageElement[]
  scripts: PageElement[]
  noscripts: PageElement[]
  inputs: PageElement[]
  buttons: PageElement[]
  /** Elements with aria-controls. */
  controls: PageElement[]
  /** Elements that declare to hold the content: main and role=main; article and itemprop=articleBody. */
  mains: PageElement[]
  articles: PageElement[]
  headers: PageElement[]
  /** Elements of the type BreadcrumbList in microdata. */
  breadcrumbLists: PageElement[]
  /** h1 to h6. */
  headings: PageElement[]
  times: PageElement[]
}

type ListName = Exclude<keyof ParsedPage, 'body' | 'elements' | 'language'>

const listByName = new Map<string, ListName>([
  ['title', 'titles'],
  ['meta', 'metas'],
  ['base', 'bases'],
  ['link', 'linkElements'],
  ['a', 'links'],
  ['area', 'links'],
  ['frame', 'frames'],
  ['iframe', 'frames'],
  ['script', 'scripts'],
  ['noscript', 'noscripts'],
  ['input', 'inputs'],
  ['button', 'buttons'],
  ['main', 'mains'],
  ['article', 'articles'],
  ['header', 'headers'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name): [string, ListName] => [name, 'headings']),
  ['time', 'times'],
])

const breadcrumbList = /\/BreadcrumbList\s*$/

/** More than the longest pages have. After that only text is kept, to bound memory. */
const maxElements = 500_000

const slash = 47
const exclamation = 33
const question = 63

/**
 * Parses a page in one pass and linear time. Any text is a page; never throws. `attributes` names attributes to keep in
 * addition to those that the extraction reads.
 */
export function parsePage(html: string, attributes: readonly string[] = []): ParsedPage {
  const tree = createTree()
  const tag = createTagReader(html, attributes)
  const page = emptyPage(tree.root)

  function openTag(position: number): number {
    const end = tag.read(position + 1)
    const { name } = tag
    if (name === 'html') page.language ||= languageIn(tag.attributes)
    if (isDocumentElement(name)) return end
    if (page.elements >= maxElements)
      return categoriesOf(name) & category.rawText ? startOfEndTag(html, name, end) : end
    page.elements++
    const wasForeign = tree.isForeign()
    const element = tree.open(name, tag.attributes, tag.isSelfClosing)
    const list = listByName.get(name) ?? (tag.attributes.length > 0 ? listByRole(element) : undefined)
    if (list && (!wasForeign || list === 'links')) page[list].push(element)
    if (tag.attributes.length > 0 && attributeOf(element, 'aria-controls')) page.controls.push(element)
    return element.categories & category.rawText && !wasForeign ? rawText(name, end) : end
  }

  /** Reads up to the end tag of a raw text element. */
  function rawText(name: string, start: number): number {
    const end = startOfEndTag(html, name, start)
    const text = html.slice(start, end)
    if (text) tree.text(name === 'title' || name === 'textarea' ? decodeText(text) : text)
    return end
  }

  function closeTag(position: number): number {
    if (!isLetter(html.charCodeAt(position + 2))) return endOfComment(html, position)
    const end = tag.read(position + 2)
    if (!isDocumentElement(tag.name)) tree.close(tag.name)
    return end
  }

  let from = 0
  let position = html.indexOf('<')
  while (position >= 0) {
    const next = html.charCodeAt(position + 1)
    const isTag = isLetter(next)
    if (!isTag && next !== slash && next !== exclamation && next !== question) {
      // A less-than sign that starts no markup is text.
      position = html.indexOf('<', position + 1)
      continue
    }
    if (position > from) tree.text(decodeText(html.slice(from, position)))
    from = isTag ? openTag(position) : next === slash ? closeTag(position) : endOfComment(html, position)
    position = html.indexOf('<', from)
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
    linkElements: [],
    links: [],
    frames: [],
    scripts: [],
    noscripts: [],
    inputs: [],
    buttons: [],
    controls: [],
    mains: [],
    articles: [],
    headers: [],
    breadcrumbLists: [],
    headings: [],
    times: [],
  }
}

function listByRole(element: PageElement): ListName | undefined {
  if (attributeOf(element, 'role') === 'main') return 'mains'
  if (attributeOf(element, 'itemprop') === 'articleBody') return 'articles'
  return breadcrumbList.test(attributeOf(element, 'itemtype') ?? '') ? 'breadcrumbLists' : undefined
}

/** Elements that frame the page; their content needs no parent. */
function isDocumentElement(name: string): boolean {
  return name === 'html' || name === 'head' || name === 'body'
}

function languageIn(attributes: string[]): string {
  const position = attributes.indexOf('lang')
  return position % 2 === 0 ? (attributes[position + 1] ?? '') : ''
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
}
