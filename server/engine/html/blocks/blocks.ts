import type { Block } from '../../ports/extractor'
import { isAdmonition, isBoilerplateByMarkup, isDropped } from '../dom/boilerplate-elements'
import { attributeOf, isPageLink, lettersOf, needsSpaceBetween, type PageElement } from '../dom/element'
import { category } from '../dom/element-categories'
import { isInline } from '../dom/inline'
import { leadsAway } from '../dom/link-targets'
import { cleanText, lineBreak, textOf, unsaidContact } from '../dom/text'
import { anchorOfHeading, codeText, listText } from './block-text'
import { isBoxLabel } from './box-labels'
import { codeLanguageOf } from './code-language'
import { isLayoutTable } from './layout-tables'
import { tableText } from './table-text'

const anchored = new Set(['section', 'article', 'p', 'dd', 'figure', 'blockquote'])

/** Level of a dt heading. Terms rank below h6, so that a long definition keeps its term as heading. */
export const termLevel = 7

/** Level of a control that is the heading of what it opens, and of the author of a reply. */
const controlLevel = 6

/** The links of a block. */
interface BlockLinks {
  count: number
  /** Letters of links to any page. */
  all: number
  /** Letters of links to other pages. */
  away: number
}

const noLinks: BlockLinks = { count: 0, all: 0, away: 0 }

/** A block and its place on the page, in the caller's terms. */
export interface PlacedBlock<Place> {
  block: Block
  place: Place
  links: BlockLinks
}

/** Returns the blocks of an element in document order, without boilerplate. */
export function blocksOf(root: PageElement): Block[] {
  const placeOf = (element: PageElement) => (isDropped(element) || isBoilerplateByMarkup(element) ? null : 'here')
  return placedBlocksOf(root, 'here', placeOf).map(({ block }) => block)
}

/**
 * Returns the blocks of an element in document order, each with its place: that of `root`, or what `placeOf` returns
 * for the nearest ancestor. Skips elements for which `placeOf` returns null.
 */
export function placedBlocksOf<Place>(
  root: PageElement,
  first: Place,
  placeOf: (element: PageElement, outer: Place) => Place | null,
): PlacedBlock<Place>[] {
  const blocks: PlacedBlock<Place>[] = []
  /** Inline text that no block element contains. */
  let running = ''
  let linked = { ...noLinks }
  let place = first
  let anchor: string | null = null
  let kind: 'paragraph' | 'quote' = 'paragraph'
  // The outermost definition list has depth 0.
  let termDepth = -1
  /** Level of the terms of a list that has ended since the last heading; null if none has. */
  let endedTerms: number | null = null

  function addBlock(
    block: Omit<Exclude<Block, { kind: 'heading' }>, 'anchor'>,
    links: BlockLinks,
    own?: string | null,
  ): void {
    if (!block.text) return
    const outside = endedTerms === null ? {} : { outsideTerms: endedTerms }
    blocks.push({ block: { ...block, ...outside, anchor: takeAnchor(own) }, place, links })
  }

  function addHeading(element: PageElement, level: number): void {
    const text = textOf(element)
    const own = idOf(element) || anchorOfHeading(element)
    const block: Block = { kind: 'heading', level, text, anchor: takeAnchor(own) }
    if (!text) return
    // A heading ends the terms below it by its level.
    if (endedTerms !== null && level <= endedTerms) endedTerms = null
    blocks.push({ block, place, links: linkedIn(element) })
  }

  function takeAnchor(own?: string | null): string | null {
    const taken = own || anchor
    anchor = null
    return taken
  }

  function flush(): void {
    const text = cleanText(running)
    addBlock({ kind, text }, linked)
    running = ''
    linked = { ...noLinks }
  }

  function walk(element: PageElement): void {
    let previous: PageElement | string | undefined
    for (const child of element.children) {
      if (needsSpaceBetween(previous, child)) running += ' '
      previous = child
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
    if (isInline(element)) {
      anchor ??= idOf(element) || (name === 'a' && attributeOf(element, 'name')) || null
      addLink(linked, element)
      walk(element)
      if (name === 'a') running += unsaidContact(element)
    } else if (name === 'img') {
      const text = cleanText(attributeOf(element, 'alt') ?? '')
      if (!/\s\S+\s/.test(text)) return
      flush()
      addBlock({ kind: 'image', text }, noLinks, idOf(element))
    } else {
      flush()
      visitBlock(element, name)
      flush()
    }
  }

  function visitBlock(element: PageElement, name: string): void {
    if (element.replyHeading !== '')
      blocks.push({
        block: { kind: 'heading', level: controlLevel, text: element.replyHeading, anchor: idOf(element) },
        place,
        links: noLinks,
      })
    if (element.categories & category.heading && !isBoxHeading(element)) addHeading(element, Number(name[1]))
    else if (element.isHeading) addHeading(element, controlLevel)
    else if (name === 'dt') addHeading(element, termLevel + termDepth)
    else if (name === 'pre') addCode(element)
    else if (name === 'table' && !isLayoutTable(element))
      addBlock({ kind: 'table', ...tableText(element) }, linkedIn(element), idOf(element))
    else if (element.categories & category.list && !(element.descendantCategories & category.structure))
      addBlock({ kind: 'list', ...listText(element) }, linkedIn(element), idOf(element))
    else visitContainer(element, name)
  }

  function addCode(element: PageElement): void {
    const language = codeLanguageOf(element)
    addBlock({ kind: 'code', text: codeText(element), ...(language ? { language } : {}) }, noLinks, idOf(element))
  }

  function visitContainer(element: PageElement, name: string): void {
    const id = idOf(element)
    if (id && (anchored.has(name) || /(^|\s)section(\s|$)/.test(attributeOf(element, 'class') ?? ''))) anchor = id
    const outer = kind
    if (name === 'blockquote') kind = 'quote'
    if (name === 'dl') termDepth++
    walk(element)
    flush()
    if (name === 'dl') {
      endedTerms = Math.min(endedTerms ?? Number.POSITIVE_INFINITY, termLevel + termDepth)
      termDepth--
    }
    kind = outer
  }

  walk(root)
  flush()
  return blocks
}

/** Whether a heading is the label of a box in a text, whose text does not go on to the next heading. */
function isBoxHeading(heading: PageElement): boolean {
  const { parent } = heading
  const isInBox = parent !== null && (isAdmonition(parent) || (parent.parent !== null && isAdmonition(parent.parent)))
  return isInBox && isBoxLabel(textOf(heading))
}

function idOf(element: PageElement): string | null {
  return attributeOf(element, 'id')
}

function linkedIn(element: PageElement, sum: BlockLinks = { ...noLinks }): BlockLinks {
  addLink(sum, element)
  if (element.descendantCategories & category.link)
    for (const child of element.children) if (typeof child !== 'string') linkedIn(child, sum)
  return sum
}

/** Adds a link to those of its block. */
function addLink(sum: BlockLinks, element: PageElement): void {
  if (!isPageLink(element)) return
  sum.count++
  sum.all += lettersOf(element)
  if (leadsAway(element)) sum.away += lettersOf(element)
}
