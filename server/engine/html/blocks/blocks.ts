import type { Block } from '../../ports'
import { isDropped, saysBeside } from '../content/boilerplate-elements'
import { attributeOf, lettersOf, linkDensity, type PageElement } from '../dom/element'
import { kindOf } from '../dom/element-categories'
import { cleanText, lineBreak, textOf } from '../dom/text'
import { codeOf, listText, permalinkOf } from './block-text'
import { codeLanguageOf } from './code-language'
import { isLayout } from './layout-tables'
import { tableText } from './table-text'

const anchored = new Set(['section', 'article', 'p', 'dd', 'figure', 'blockquote'])

/** Terms of definition lists are headings below the six of HTML, so that a long definition keeps its term. */
export const termLevel = 7

/** A block with the place that it has on the page. */
export interface PlacedBlock<Place> {
  block: Block
  place: Place
  /** Letters of its text that are links. */
  linked: number
}

/** The ordered blocks of an element, without what says that it stands beside the text. */
export function blocksOf(root: PageElement): Block[] {
  const placeOf = (element: PageElement) => (isDropped(element) || saysBeside(element) ? null : 'here')
  return placedBlocksOf(root, 'here', placeOf).map(({ block }) => block)
}

/**
 * The ordered blocks of an element, each with its place: that of `root`, or what `placeOf` says of an element on the
 * way to it; null leaves the element out.
 */
export function placedBlocksOf<Place>(
  root: PageElement,
  first: Place,
  placeOf: (element: PageElement, outer: Place) => Place | null,
): PlacedBlock<Place>[] {
  const blocks: PlacedBlock<Place>[] = []
  /** Running text that no block element of its own holds. */
  let running = ''
  let linked = 0
  let place = first
  let anchor: string | null = null
  let kind: 'paragraph' | 'quote' = 'paragraph'
  // The first list of terms is depth 0.
  let termDepth = -1

  function put(block: Omit<Exclude<Block, { kind: 'heading' }>, 'anchor'>, links: number, own?: string | null): void {
    if (block.text) blocks.push({ block: { ...block, anchor: takeAnchor(own) }, place, linked: links })
  }

  function putHeading(element: PageElement, level: number): void {
    const text = textOf(element)
    const own = idOf(element) || permalinkOf(element)
    const block: Block = { kind: 'heading', level, text, anchor: takeAnchor(own) }
    if (text) blocks.push({ block, place, linked: linkedIn(element) })
  }

  function takeAnchor(own?: string | null): string | null {
    const taken = own || anchor
    anchor = null
    return taken
  }

  function flush(): void {
    const text = cleanText(running)
    put({ kind, text }, linked)
    running = ''
    linked = 0
  }

  function walk(element: PageElement): void {
    for (const child of element.children) {
      if (typeof child === 'string') running += child
      else visit(child)
    }
  }

  function visit(element: PageElement): void {
    if (element.name === 'br') {
      running += lineBreak
      return
    }
    const outer = place
    const own = placeOf(element, outer)
    if (own === null) return
    if (own !== outer) flush()
    place = own
    visitPlaced(element)
    if (own !== outer) flush()
    place = outer
  }

  function visitPlaced(element: PageElement): void {
    const { name } = element
    if (element.kind & kindOf.phrasing) {
      anchor ??= idOf(element) || (name === 'a' && attributeOf(element, 'name')) || null
      if (name === 'a' && attributeOf(element, 'href') !== null) linked += lettersOf(element)
      walk(element)
    } else if (name === 'img') {
      const text = cleanText(attributeOf(element, 'alt') ?? '')
      if (!/\s\S+\s/.test(text)) return
      flush()
      put({ kind: 'image', text }, 0, idOf(element))
    } else {
      flush()
      visitBlock(element, name)
      flush()
    }
  }

  function visitBlock(element: PageElement, name: string): void {
    if (element.kind & kindOf.heading) putHeading(element, Number(name[1]))
    else if (name === 'dt') putHeading(element, termLevel + termDepth)
    else if (name === 'pre') putCode(element)
    else if (name === 'table' && !isLayout(element))
      put({ kind: 'table', ...tableText(element) }, linkedIn(element), idOf(element))
    else if (element.kind & kindOf.list && !(element.holds & kindOf.structure))
      put({ kind: 'list', ...listText(element) }, linkedIn(element), idOf(element))
    else visitContainer(element, name)
  }

  function putCode(element: PageElement): void {
    const language = codeLanguageOf(element)
    put({ kind: 'code', text: codeOf(element), ...(language ? { language } : {}) }, 0, idOf(element))
  }

  function visitContainer(element: PageElement, name: string): void {
    const id = idOf(element)
    if (id && (anchored.has(name) || /(^|\s)section(\s|$)/.test(attributeOf(element, 'class') ?? ''))) anchor = id
    const outer = kind
    if (name === 'blockquote') kind = 'quote'
    if (name === 'dl') termDepth++
    walk(element)
    flush()
    if (name === 'dl') termDepth--
    kind = outer
  }

  walk(root)
  flush()
  return blocks
}

function idOf(element: PageElement): string | null {
  return attributeOf(element, 'id')
}

function linkedIn(element: PageElement): number {
  return linkDensity(element) * lettersOf(element)
}
