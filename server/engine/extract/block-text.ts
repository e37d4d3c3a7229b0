import { isAnchorMark, isDropped } from './boilerplate'
import { kindOf } from './element-kinds'
import { attributeOf, elementsIn, lettersOf, type PageElement } from './page-element'
import { dropInvisible, textOf, verbatim } from './text'

/** A cell of so many letters holds a text of its own. */
const longCell = 400

/** Code as it stands, without empty lines around it. */
export function codeOf(element: PageElement): string {
  return dropInvisible(verbatim(element)).replaceAll('\r\n', '\n').replace(/^\n+/, '').trimEnd()
}

/** One line an item, nested items indented. */
export function listText(list: PageElement): string {
  const lines: string[] = []
  putLines(list, 0, lines)
  return lines.join('\n')
}

function putLines(list: PageElement, depth: number, lines: string[]): void {
  let number = Number.parseInt(attributeOf(list, 'start') ?? '1', 10) || 1
  for (const item of innerElements(list)) {
    if (isDropped(item) || item.standing !== 'text') continue
    const inner: PageElement[] = item.kind & kindOf.list ? [item] : []
    const text = inner.length > 0 ? '' : textOf(item, kindOf.list, inner)
    const mark = list.name === 'ol' ? `${number++}.` : '-'
    if (text) lines.push(`${'  '.repeat(depth)}${mark} ${text}`)
    for (const nested of inner) putLines(nested, depth + 1, lines)
  }
}

/** A table that only arranges things: nested ones, cells with headings, or one cell with nearly all of the text. */
export function isLayout(table: PageElement): boolean {
  if (attributeOf(table, 'role') === 'presentation' || table.holds & kindOf.layout) return true
  const most = lettersOf(table) * 0.8
  return most >= longCell && elementsIn(table).some((cell) => cell.kind & kindOf.cell && lettersOf(cell) >= most)
}

/** The caption, and a line for each row. */
export function tableText(table: PageElement): string {
  const lines: string[] = []
  const rows = elementsIn(table)
  const caption = rows.find(({ name }) => name === 'caption')
  if (caption) lines.push(textOf(caption))
  for (const row of rows) {
    if (row.name !== 'tr' || isDropped(row) || row.standing !== 'text') continue
    const cells: string[] = []
    for (const cell of innerElements(row)) if (!isDropped(cell)) cells.push(textOf(cell))
    if (cells.some((cell) => cell !== '')) lines.push(cells.join(' | '))
  }
  return lines.filter((line) => line !== '').join('\n')
}

/** The elements directly inside of one. */
export function innerElements(element: PageElement): PageElement[] {
  return element.children.filter((child) => typeof child !== 'string')
}

/** Where the heading itself names an address: its own mark, or an anchor inside. */
export function permalinkOf(heading: PageElement): string | null {
  let first: string | null = null
  for (const inner of elementsIn(heading)) {
    const id = attributeOf(inner, 'id')
    first ||= id
    if (inner.name !== 'a') continue
    if (isAnchorMark(inner)) return decodeFragment(attributeOf(inner, 'href')?.split('#')[1] ?? '') || null
    const name = id || attributeOf(inner, 'name')
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
