import { append, attach, createElement, type PageElement } from './element'
import { categoriesOf, category } from './element-categories'

/** About as deep as browsers nest; deeper elements become siblings. */
const maxDepth = 500

export interface PageTree {
  root: PageElement
  open(name: string, attributes: string[], closesItself: boolean): PageElement
  close(name: string): void
  text(text: string): void
  /** Whether the current position is inside SVG or MathML. */
  isForeign(): boolean
}

type Test = (element: PageElement) => boolean

/**
 * Builds the tree of a page from its tags in any order: implied end tags are added, unmatched ones are ignored. Follows
 * the tree construction of the HTML standard as far as text depends on it: formatting elements are not reconstructed,
 * and text between table cells is not moved out of the table.
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
    else if (element.categories & category.foreign) foreign += by
  }

  function push(element: PageElement): void {
    if (stack.length >= maxDepth) return
    stack.push(element)
    top = element
    count(element, 1)
  }

  /** Closes all elements of the stack from this index on. */
  function popTo(index: number): void {
    while (stack.length > index) count(stack.pop() ?? root, -1)
    top = stack[index - 1] ?? root
  }

  function remove(index: number): void {
    if (index === stack.length - 1) popTo(index)
    else for (const element of stack.splice(index, 1)) count(element, -1)
  }

  /**
   * Returns the stack index of the innermost open element that matches, or 0 if there is none before one that `stops`.
   */
  function find(matches: Test, stops: Test): number {
    for (let index = stack.length - 1; index > 0; index--) {
      const element = stack[index] ?? root
      if (matches(element)) return index
      if (stops(element)) return 0
    }
    return 0
  }

  function closeNearest(matches: Test, stops: Test): void {
    const index = find(matches, stops)
    if (index > 0) popTo(index)
  }

  /** Closes the elements whose end tags a start tag implies. */
  function closeBefore(name: string, categories: number): void {
    if (categories & category.heading && top.categories & category.heading) popTo(stack.length - 1)
    if (name === 'li') closeNearest(isItem, stopsItem)
    else if (name === 'dd' || name === 'dt') closeNearest(isTerm, stopsItem)
    else if (name === 'option') closeNearest(isOption, (element) => element.name !== 'option')
    else if (name === 'a' && links > 0) closeFormatting(find(isLink, isScope))
    else if (categories & category.cell) closeNearest(isCell, isTableOrRow)
    else if (name === 'tr') closeNearest(isRow, isTable)
    else if (categories & category.rowGroup) closeNearest(isRowGroup, isTable)
    if (categories & category.block && paragraphs > 0) closeNearest(isParagraph, isScopeOrButton)
  }

  /** Closes SVG or MathML that an HTML element shows to have been left open. */
  function closeForeign(): void {
    while (foreign > 0) {
      const index = find(isForeign, isForeignObject)
      if (index === 0) return
      popTo(index)
    }
  }

  /** Closes a formatting element; blocks inside it stay open, as in browsers. */
  function closeFormatting(index: number): void {
    if (index === 0) return
    if (hasBlockAbove(index)) remove(index)
    else popTo(index)
  }

  function hasBlockAbove(index: number): boolean {
    for (let position = index + 1; position < stack.length; position++)
      if (((stack[position] ?? root).categories & category.phrasing) === 0) return true
    return false
  }

  function close(name: string): void {
    const categories = categoriesOf(name)
    if (name === 'br') attach(createElement('br', [], top))
    else if (categories & category.void || (name === 'p' && paragraphs === 0)) closeUnopened(name)
    else if (top.name === name && top !== root) popTo(stack.length - 1)
    else if (categories & category.heading) closeNearest(isHeading, isScope)
    else closeNamed(name, categories)
  }

  function closeNamed(name: string, categories: number): void {
    const inTable = categories & (category.cell | category.rowGroup) || name === 'table' || name === 'tr'
    const index = find((element) => element.name === name, inTable ? isTable : isScope)
    if (index === 0) closeUnopened(name)
    else if (categories & category.formatting) closeFormatting(index)
    // A form closes alone, and the end tag of a phrase does not close a block inside it.
    else if (name === 'form') remove(index)
    else if (!(categories & category.phrasing && hasBlockAbove(index))) popTo(index)
  }

  /** Handles an end tag without a start; that of a paragraph creates an empty one. */
  function closeUnopened(name: string): void {
    if (name === 'p') attach(createElement('p', [], top))
  }

  return {
    root,
    open(name, attributes, closesItself) {
      const categories = categoriesOf(name)
      if (foreign > 0 && categories & category.breakout) closeForeign()
      if (foreign === 0) closeBefore(name, categories)
      const element = createElement(name, attributes, top)
      attach(element)
      if (!(categories & category.void) && !(closesItself && foreign > 0)) push(element)
      return element
    },
    close,
    text(text) {
      append(top, text)
    },
    isForeign: () => foreign > 0,
  }
}

const isForeign: Test = ({ categories }) => (categories & category.foreign) !== 0
const isForeignObject: Test = ({ name }) => name === 'foreignobject' || name === 'annotation-xml'
const isParagraph: Test = ({ name }) => name === 'p'
const isLink: Test = ({ name }) => name === 'a'
const isItem: Test = ({ name }) => name === 'li'
const isTerm: Test = ({ name }) => name === 'dd' || name === 'dt'
const isOption: Test = ({ name }) => name === 'option'
const isHeading: Test = ({ categories }) => (categories & category.heading) !== 0
const isCell: Test = ({ categories }) => (categories & category.cell) !== 0
const isRow: Test = ({ name }) => name === 'tr'
const isRowGroup: Test = ({ categories }) => (categories & category.rowGroup) !== 0
const isTable: Test = ({ name }) => name === 'table' || name === 'template'
const isTableOrRow: Test = ({ name }) => name === 'table' || name === 'tr' || name === 'template'
const isScope: Test = ({ categories }) => (categories & category.scope) !== 0
const isScopeOrButton: Test = ({ categories, name }) => (categories & category.scope) !== 0 || name === 'button'
const stopsItem: Test = ({ categories, name }) =>
  (categories & (category.block | category.scope)) !== 0 && name !== 'div' && name !== 'p' && name !== 'address'
