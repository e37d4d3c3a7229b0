import { attributeOf, lettersOf, type PageElement } from './element'
import { kindOf } from './element-categories'

/** Letters of a text that is clipped away: labels for those who listen to a page are not longer. */
const longestLabel = 60
/** Pixels; what stands so far outside of its place is seen nowhere. */
const farAway = 500
const pixelsOfUnit = new Map([
  ['', 1],
  ['px', 1],
  ['pt', 4 / 3],
  ['em', 16],
  ['rem', 16],
  ['%', 0.16],
])

/** Characters; the values that are looked at are shorter. */
const longestValue = 64

/** The declarations of a style attribute, in small letters, by the names of their properties. */
type Style = Map<string, string>

/**
 * True for an element that its own attributes hide from whoever looks at the page. A text that is clipped away counts as
 * hidden only where it is more than a label for those who listen. Stylesheets are not known.
 */
export function isHidden(element: PageElement): boolean {
  const hidden = attributeOf(element, 'hidden')
  // What is found by a search on the page is text of it.
  if (hidden !== null && hidden.trim().toLowerCase() !== 'until-found') return true
  if (attributeOf(element, 'aria-hidden') === 'true') return true
  const written = attributeOf(element, 'style')
  if (!written) return false
  const style = styleOf(written)
  if (isUnseen(style)) return true
  if (isUnreadable(element, style)) return true
  return isClipped(style) && lettersOf(element) > longestLabel
}

function styleOf(written: string): Style {
  const style: Style = new Map()
  for (const declaration of written.toLowerCase().split(';')) {
    const colon = declaration.indexOf(':')
    const value = declaration.slice(colon + 1).replace('!important', '')
    if (colon > 0) style.set(declaration.slice(0, colon).trim(), value.trim().slice(0, longestValue))
  }
  return style
}

function isUnseen(style: Style): boolean {
  if (style.get('display') === 'none' || /^(?:hidden|collapse)$/.test(style.get('visibility') ?? '')) return true
  if (['left', 'top', 'text-indent'].some((property) => lengthOf(style, property) <= -farAway)) return true
  return (isTransparent(style) && isOutOfTheWay(style)) || (isFlat(style) && isCut(style))
}

/** Transparent alone is also what a script is to fade in when somebody scrolls to it. */
function isTransparent(style: Style): boolean {
  return Number.parseFloat(style.get('opacity') ?? '1') === 0
}

function isOutOfTheWay(style: Style): boolean {
  if (/^(?:absolute|fixed)$/.test(style.get('position') ?? '') || style.get('pointer-events') === 'none') return true
  return style.get('z-index')?.startsWith('-') === true || ['height', 'width'].some((one) => lengthOf(style, one) <= 1)
}

/** Without height; a padding holds the room of what is put into it by its place. */
function isFlat(style: Style): boolean {
  return lengthOf(style, 'height') === 0 && ![...style.keys()].some((property) => property.startsWith('padding'))
}

/** Letters without a size or a colour, which the parts inside do not give themselves. */
function isUnreadable({ kind, children }: PageElement, style: Style): boolean {
  // Pictures are styled so that the words in their place are not seen while they load.
  if (kind & kindOf.image) return false
  return ['font-size', 'color'].some((property) => takesLetters(style, property) && !isGivenBack(children, property))
}

function takesLetters(style: Style, property: string): boolean {
  if (property === 'font-size') return lengthOf(style, property) <= 1
  const isClear = /^(?:transparent|rgba\([^)]*[,/] *0?\.?0*%? *\))$/.test(style.get(property) ?? '')
  // Such letters show what is painted behind them.
  return isClear && !['background-clip', '-webkit-background-clip'].some((name) => style.get(name) === 'text')
}

function isGivenBack(children: PageElement['children'], property: string): boolean {
  return children.some((child) => {
    const written = typeof child === 'string' ? null : attributeOf(child, 'style')
    const style = written ? styleOf(written) : null
    return style?.has(property) && !takesLetters(style, property)
  })
}

/** Cut to a dot. */
function isClipped(style: Style): boolean {
  if (/^rect\([01px, ]+\)$/.test(style.get('clip') ?? '')) return true
  if (/^inset\( *(?:50|100)%/.test(style.get('clip-path') ?? '')) return true
  return isCut(style) && ['height', 'width'].every((one) => lengthOf(style, one) <= 1)
}

function isCut(style: Style): boolean {
  return /^(?:hidden|clip)/.test(style.get('overflow') ?? '')
}

/** In pixels; NaN for none, and for one in a unit that says nothing by itself. */
function lengthOf(style: Style, property: string): number {
  const [, number = '', unit = ''] = /^([-+]?(?:\d+\.?\d*|\.\d+))([a-z%]*)$/.exec(style.get(property) ?? '') ?? []
  if (unit === '%' && property !== 'font-size') return Number.NaN
  return number === '' ? Number.NaN : Number(number) * (pixelsOfUnit.get(unit) ?? Number.NaN)
}
