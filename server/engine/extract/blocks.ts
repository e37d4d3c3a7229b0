import type { Block } from '../ports'
import { isAnchorMark, isDropped, linkDensity } from './boilerplate'
import { cleanText, dropInvisible, isPhrasing, lineBreak, textOf, verbatim } from './text'

const lists = new Set(['ul', 'ol'])
const anchored = new Set(['section', 'article', 'p', 'dd', 'figure', 'blockquote'])
/** What a list item or table cell cannot hold on one line. */
const structure = 'pre, table, dl, blockquote, h1, h2, h3, h4, h5, h6'

/** Terms of definition lists are headings below the six of HTML, so that a long definition keeps its term. */
export const termLevel = 7

interface WalkOptions {
  /** The page does not say where its content is: leave out page headers without a heading, and lists of links. */
  dropFurniture: boolean
}

/** The ordered blocks of an element. */
export function blocksOf(root: Element, options: WalkOptions): Block[] {
  const blocks: Block[] = []
  /** Running text that no block element of its own holds. */
  let running = ''
  let anchor: string | null = null
  let kind: 'paragraph' | 'quote' = 'paragraph'
  let termDepth = 0

  function put(block: Omit<Exclude<Block, { kind: 'heading' }>, 'anchor'>, own?: string | null): void {
    if (block.text) blocks.push({ ...block, anchor: takeAnchor(own) })
  }

  function putHeading(element: Element, level: number): void {
    const text = textOf(element)
    const own = element.id || permalinkOf(element)
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

  function walk(element: Element): void {
    for (let node = element.firstChild; node; node = node.nextSibling) {
      if (node.nodeType === 3) running += (node as Text).data
      else if (node.nodeType === 1) visit(node as Element)
    }
  }

  function visit(element: Element): void {
    const name = element.localName
    if (name === 'br') {
      running += lineBreak
      return
    }
    if (isDropped(element)) return
    if (options.dropFurniture && name === 'header' && !element.querySelector('h1, h2')) return
    if (isPhrasing(name)) {
      anchor ??= element.id || (name === 'a' && element.getAttribute('name')) || null
      walk(element)
      return
    }
    if (name === 'img') {
      const text = cleanText(element.getAttribute('alt') ?? '')
      if (!/\s\S+\s/.test(text)) return
      flush()
      put({ kind: 'image', text }, element.id)
      return
    }
    flush()
    visitBlock(element, name)
    flush()
  }

  function visitBlock(element: Element, name: string): void {
    if (/^h[1-6]$/.test(name)) putHeading(element, Number(name[1]))
    else if (name === 'dt') putHeading(element, termLevel + termDepth)
    else if (name === 'pre') put({ kind: 'code', text: codeOf(element) }, element.id)
    else if (name === 'table' && !isLayout(element)) put({ kind: 'table', text: tableText(element) }, element.id)
    else if (lists.has(name) && !element.querySelector(structure)) visitList(element)
    else visitContainer(element, name)
  }

  function visitList(list: Element): void {
    if (options.dropFurniture && linkDensity(list) > 0.7 && list.children.length > 2) return
    put({ kind: 'list', text: listLines(list, 0).join('\n') }, list.id)
  }

  function visitContainer(element: Element, name: string): void {
    if (element.id && (anchored.has(name) || element.classList.contains('section'))) anchor = element.id
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

function permalinkOf(heading: Element): string | null {
  for (const link of heading.querySelectorAll('a')) {
    if (isAnchorMark(link)) return decodeFragment(link.getAttribute('href')?.split('#')[1] ?? '') || null
    const name = link.id || link.getAttribute('name')
    if (name) return name
  }
  return heading.querySelector('[id]')?.id || null
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

function codeOf(element: Element): string {
  return dropInvisible(verbatim(element))
    .replaceAll('\r\n', '\n')
    .replace(/^\n+|\s+$/g, '')
}

function listLines(list: Element, depth: number): string[] {
  const lines: string[] = []
  let number = Number.parseInt(list.getAttribute('start') ?? '1', 10) || 1
  for (const item of list.children) {
    if (isDropped(item)) continue
    const inner: Element[] = lists.has(item.localName) ? [item] : []
    const text = inner.length > 0 ? '' : textOf(item, lists, inner)
    const mark = list.localName === 'ol' ? `${number++}.` : '-'
    if (text) lines.push(`${'  '.repeat(depth)}${mark} ${text}`)
    for (const nested of inner) lines.push(...listLines(nested, depth + 1))
  }
  return lines
}

/** A table that only arranges things: nested ones, or cells with headings. */
function isLayout(table: Element): boolean {
  if (table.getAttribute('role') === 'presentation') return true
  return table.querySelector('table, h1, h2, h3, h4, h5, h6, pre') !== null
}

function tableText(table: Element): string {
  const lines: string[] = []
  const caption = table.querySelector('caption')
  if (caption) lines.push(textOf(caption))
  for (const row of table.querySelectorAll('tr')) {
    if (isDropped(row)) continue
    const cells: string[] = []
    for (const cell of row.children) if (!isDropped(cell)) cells.push(textOf(cell))
    if (cells.some((cell) => cell !== '')) lines.push(cells.join(' | '))
  }
  return lines.filter((line) => line !== '').join('\n')
}
