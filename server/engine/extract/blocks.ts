import type { Block } from '../ports'
import { isAnchorMark, isDropped } from './boilerplate'
import { kindOf } from './element-kinds'
import { attributeOf, elementsIn, linkDensity, type PageElement } from './page-element'
import { cleanText, dropInvisible, lineBreak, textOf, verbatim } from './text'

const anchored = new Set(['section', 'article', 'p', 'dd', 'figure', 'blockquote'])

/** Terms of definition lists are headings below the six of HTML, so that a long definition keeps its term. */
export const termLevel = 7

interface WalkOptions {
  /** The page does not say where its content is: leave out page headers without a heading, and lists of links. */
  dropFurniture: boolean
}

/** The ordered blocks of an element. */
export function blocksOf(root: PageElement, options: WalkOptions): Block[] {
  const blocks: Block[] = []
  /** Running text that no block element of its own holds. */
  let running = ''
  let anchor: string | null = null
  let kind: 'paragraph' | 'quote' = 'paragraph'
  let termDepth = 0

  function put(block: Omit<Exclude<Block, { kind: 'heading' }>, 'anchor'>, own?: string | null): void {
    if (block.text) blocks.push({ ...block, anchor: takeAnchor(own) })
  }

  function putHeading(element: PageElement, level: number): void {
    const text = textOf(element)
    const own = idOf(element) || permalinkOf(element)
    if (text) blocks.push({ kind: 'heading', level, text, anchor: takeAnchor(own) })
  }

  function takeAnchor(own?: string | null): string | null {
    const taken = own || anchor
    anchor = null
    return taken
  }

  function flush(): void {
    const text = cleanText(running)
    running = ''
    put({ kind, text })
  }

  function walk(element: PageElement): void {
    for (const child of element.children) {
      if (typeof child === 'string') running += child
      else visit(child)
    }
  }

  function visit(element: PageElement): void {
    const { name } = element
    if (name === 'br') {
      running += lineBreak
      return
    }
    if (isDropped(element)) return
    if (options.dropFurniture && name === 'header' && !(element.holds & kindOf.highHeading)) return
    if (element.kind & kindOf.phrasing) {
      anchor ??= idOf(element) || (name === 'a' && attributeOf(element, 'name')) || null
      walk(element)
      return
    }
    if (name === 'img') {
      const text = cleanText(attributeOf(element, 'alt') ?? '')
      if (!/\s\S+\s/.test(text)) return
      flush()
      put({ kind: 'image', text }, idOf(element))
      return
    }
    flush()
    visitBlock(element, name)
    flush()
  }

  function visitBlock(element: PageElement, name: string): void {
    if (element.kind & kindOf.heading) putHeading(element, Number(name[1]))
    else if (name === 'dt') putHeading(element, termLevel + termDepth)
    else if (name === 'pre') put({ kind: 'code', text: codeOf(element) }, idOf(element))
    else if (name === 'table' && !isLayout(element)) put({ kind: 'table', text: tableText(element) }, idOf(element))
    else if (element.kind & kindOf.list && !(element.holds & kindOf.structure)) visitList(element)
    else visitContainer(element, name)
  }

  function visitList(list: PageElement): void {
    if (options.dropFurniture && linkDensity(list) > 0.7 && innerElements(list).length > 2) return
    const lines: string[] = []
    putLines(list, 0, lines)
    put({ kind: 'list', text: lines.join('\n') }, idOf(list))
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

  // The first list of terms is depth 0.
  termDepth = -1
  walk(root)
  flush()
  return blocks
}

function idOf(element: PageElement): string | null {
  return attributeOf(element, 'id')
}

function innerElements(element: PageElement): PageElement[] {
  return element.children.filter((child) => typeof child !== 'string')
}

function permalinkOf(heading: PageElement): string | null {
  let first: string | null = null
  for (const inner of elementsIn(heading)) {
    first ||= idOf(inner)
    if (inner.name !== 'a') continue
    if (isAnchorMark(inner)) return decodeFragment(attributeOf(inner, 'href')?.split('#')[1] ?? '') || null
    const name = idOf(inner) || attributeOf(inner, 'name')
    if (name) return name
  }
  return first
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

function codeOf(element: PageElement): string {
  return dropInvisible(verbatim(element)).replaceAll('\r\n', '\n').replace(/^\n+/, '').trimEnd()
}

function putLines(list: PageElement, depth: number, lines: string[]): void {
  let number = Number.parseInt(attributeOf(list, 'start') ?? '1', 10) || 1
  for (const item of innerElements(list)) {
    if (isDropped(item)) continue
    const inner: PageElement[] = item.kind & kindOf.list ? [item] : []
    const text = inner.length > 0 ? '' : textOf(item, kindOf.list, inner)
    const mark = list.name === 'ol' ? `${number++}.` : '-'
    if (text) lines.push(`${'  '.repeat(depth)}${mark} ${text}`)
    for (const nested of inner) putLines(nested, depth + 1, lines)
  }
}

/** A table that only arranges things: nested ones, or cells with headings. */
function isLayout(table: PageElement): boolean {
  return attributeOf(table, 'role') === 'presentation' || (table.holds & kindOf.layout) !== 0
}

function tableText(table: PageElement): string {
  const lines: string[] = []
  const rows = elementsIn(table)
  const caption = rows.find(({ name }) => name === 'caption')
  if (caption) lines.push(textOf(caption))
  for (const row of rows) {
    if (row.name !== 'tr' || isDropped(row)) continue
    const cells: string[] = []
    for (const cell of innerElements(row)) if (!isDropped(cell)) cells.push(textOf(cell))
    if (cells.some((cell) => cell !== '')) lines.push(cells.join(' | '))
  }
  return lines.filter((line) => line !== '').join('\n')
}
