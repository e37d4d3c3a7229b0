import { append, attach, createElement, type PageElement } from './element'
import { kindOf, kindsOf } from './element-categories'

/** About as deep as browsers nest; what is deeper stands side by side. */
const deepest = 500

export interface PageTree {
  root: PageElement
  open(name: string, attributes: string[], closesItself: boolean): PageElement
  close(name: string): void
  text(text: string): void
  /** Whether the place is inside of SVG or MathML. */
  isForeign(): boolean
}

type Test = (element: PageElement) => boolean

/**
 * Builds the tree of a page out of its tags, whatever their order: the end tags that HTML leaves out are put in, and
 * those that fit nothing are passed over. It follows the tree construction of the HTML standard as far as text depends
 * on it: formatting is not opened anew, and what stands between the cells of a table stays there.
 */
export function createTree(): PageTree {
  const root = createElement('body', [], null)
  const stack: PageElement[] = [root]
  let top = root
  let foreign = 0
  let paragraphs = 0
  let links = 0

  function count(element: PageElement, by: 1 | -1): void {
    if (element.name === 'p') paragraphs += by
    else if (element.name === 'a') links += by
    else if (element.kind & kindOf.foreign) foreign += by
  }

  function push(element: PageElement): void {
    if (stack.length >= deepest) return
    stack.push(element)
    top = element
    count(element, 1)
  }

  /** Closes everything from this place of the stack on. */
  function cut(place: number): void {
    while (stack.length > place) count(stack.pop() ?? root, -1)
    top = stack[place - 1] ?? root
  }

  function remove(place: number): void {
    if (place === stack.length - 1) cut(place)
    else for (const element of stack.splice(place, 1)) count(element, -1)
  }

  /** Place of the innermost open element that is wanted, unless one that stops the search is nearer; 0 for none. */
  function find(isWanted: Test, stops: Test): number {
    for (let place = stack.length - 1; place > 0; place--) {
      const element = stack[place] ?? root
      if (isWanted(element)) return place
      if (stops(element)) return 0
    }
    return 0
  }

  function closeNearest(isWanted: Test, stops: Test): void {
    const place = find(isWanted, stops)
    if (place > 0) cut(place)
  }

  /** The end tags that a start tag implies. */
  function closeBefore(name: string, kind: number): void {
    if (kind & kindOf.heading && top.kind & kindOf.heading) cut(stack.length - 1)
    if (name === 'li') closeNearest(isItem, stopsItem)
    else if (name === 'dd' || name === 'dt') closeNearest(isTerm, stopsItem)
    else if (name === 'option') closeNearest(isOption, (element) => element.name !== 'option')
    else if (name === 'a' && links > 0) closeFormatting(find(isLink, isBoundary))
    else if (kind & kindOf.cell) closeNearest(isCell, isTableOrRow)
    else if (name === 'tr') closeNearest(isRow, isTable)
    else if (kind & kindOf.rows) closeNearest(isRows, isTable)
    if (kind & kindOf.block && paragraphs > 0) closeNearest(isParagraph, isBoundaryOrButton)
  }

  /** SVG that holds HTML where it may not was left open. */
  function closeForeign(): void {
    while (foreign > 0) {
      const place = find(isForeign, isForeignObject)
      if (place === 0) return
      cut(place)
    }
  }

  /** Blocks inside of formatting stay open, as browsers have it. */
  function closeFormatting(place: number): void {
    if (place === 0) return
    if (hasBlockAbove(place)) remove(place)
    else cut(place)
  }

  function hasBlockAbove(place: number): boolean {
    for (let at = place + 1; at < stack.length; at++)
      if (((stack[at] ?? root).kind & kindOf.phrasing) === 0) return true
    return false
  }

  function close(name: string): void {
    const kind = kindsOf(name)
    if (name === 'br') attach(createElement('br', [], top))
    else if (kind & kindOf.empty || (name === 'p' && paragraphs === 0)) closeNothing(name)
    else if (top.name === name && top !== root) cut(stack.length - 1)
    else if (kind & kindOf.heading) closeNearest(isHeading, isBoundary)
    else closeNamed(name, kind)
  }

  function closeNamed(name: string, kind: number): void {
    const inTable = kind & (kindOf.cell | kindOf.rows) || name === 'table' || name === 'tr'
    const place = find((element) => element.name === name, inTable ? isTable : isBoundary)
    if (place === 0) closeNothing(name)
    else if (kind & kindOf.formatting) closeFormatting(place)
    // A form ends alone, and the end of a phrase says nothing about a block inside of it.
    else if (name === 'form') remove(place)
    else if (!(kind & kindOf.phrasing && hasBlockAbove(place))) cut(place)
  }

  /** The end of a paragraph that was never started is an empty one. */
  function closeNothing(name: string): void {
    if (name === 'p') attach(createElement('p', [], top))
  }

  return {
    root,
    open(name, attributes, closesItself) {
      const kind = kindsOf(name)
      if (foreign > 0 && kind & kindOf.breakout) closeForeign()
      if (foreign === 0) closeBefore(name, kind)
      const element = createElement(name, attributes, top)
      attach(element)
      if (!(kind & kindOf.empty) && !(closesItself && foreign > 0)) push(element)
      return element
    },
    close,
    text(text) {
      append(top, text)
    },
    isForeign: () => foreign > 0,
  }
}

const isForeign: Test = ({ kind }) => (kind & kindOf.foreign) !== 0
const isForeignObject: Test = ({ name }) => name === 'foreignobject' || name === 'annotation-xml'
const isParagraph: Test = ({ name }) => name === 'p'
const isLink: Test = ({ name }) => name === 'a'
const isItem: Test = ({ name }) => name === 'li'
const isTerm: Test = ({ name }) => name === 'dd' || name === 'dt'
const isOption: Test = ({ name }) => name === 'option'
const isHeading: Test = ({ kind }) => (kind & kindOf.heading) !== 0
const isCell: Test = ({ kind }) => (kind & kindOf.cell) !== 0
const isRow: Test = ({ name }) => name === 'tr'
const isRows: Test = ({ kind }) => (kind & kindOf.rows) !== 0
const isTable: Test = ({ name }) => name === 'table' || name === 'template'
const isTableOrRow: Test = ({ name }) => name === 'table' || name === 'tr' || name === 'template'
const isBoundary: Test = ({ kind }) => (kind & kindOf.boundary) !== 0
const isBoundaryOrButton: Test = ({ kind, name }) => (kind & kindOf.boundary) !== 0 || name === 'button'
const stopsItem: Test = ({ kind, name }) =>
  (kind & (kindOf.block | kindOf.boundary)) !== 0 && name !== 'div' && name !== 'p' && name !== 'address'
