import { attributeOf, lettersOf, type PageElement } from './element'
import { category } from './element-categories'

/** Letters of clipped text that may be a label for screen readers. */
const maxLabelLetters = 60
/** Pixels by which an element moved out of the viewport is invisible. */
const minOffscreenPixels = 500
const pixelsOfUnit = new Map([
  ['', 1],
  ['px', 1],
  ['pt', 4 / 3],
  ['em', 16],
  ['rem', 16],
  ['%', 0.16],
])

/** Characters of a value that are kept; the values tested are shorter. */
const maxValueLength = 64

/** The declarations of a style attribute in lower case, by property. */
type Style = Map<string, string>

/**
 * Whether an element's own attributes hide it from a sighted reader. Clipped text counts as hidden only if it is longer
 * than a label for screen readers. Stylesheets are not considered.
 */
export function isHidden(element: PageElement): boolean {
  return isHiddenByAttribute(element) || isHiddenOtherwise(element)
}

export function isHiddenByAttribute(element: PageElement): boolean {
  const hidden = attributeOf(element, 'hidden')
  // Text that the browser's search on the page reveals is text of the page.
  return hidden !== null && hidden.trim().toLowerCase() !== 'until-found'
}

/** Whether anything but the attribute `hidden` hides the element. */
export function isHiddenOtherwise(element: PageElement): boolean {
  if (attributeOf(element, 'aria-hidden') === 'true') return true
  const declarations = attributeOf(element, 'style')
  if (!declarations) return false
  const style = styleOf(declarations)
  if (isInvisible(style)) return true
  if (isUnreadable(element, style)) return true
  return isClipped(style) && lettersOf(element) > maxLabelLetters
}

function styleOf(declarations: string): Style {
  const style: Style = new Map()
  for (const declaration of declarations.toLowerCase().split(';')) {
    const colon = declaration.indexOf(':')
    const value = declaration.slice(colon + 1).replace('!important', '')
    if (colon > 0) style.set(declaration.slice(0, colon).trim(), value.trim().slice(0, maxValueLength))
  }
  return style
}

function isInvisible(style: Style): boolean {
  if (style.get('display') === 'none' || /^(?:hidden|collapse)$/.test(style.get('visibility') ?? '')) return true
  if (['left', 'top', 'text-indent'].some((property) => lengthOf(style, property) <= -minOffscreenPixels)) return true
  return (isTransparent(style) && isInert(style)) || (hasNoHeight(style) && hidesOverflow(style))
}

/** Opacity 0 alone does not count: scripts fade such elements in on scroll. */
function isTransparent(style: Style): boolean {
  return Number.parseFloat(style.get('opacity') ?? '1') === 0
}

function isInert(style: Style): boolean {
  if (/^(?:absolute|fixed)$/.test(style.get('position') ?? '') || style.get('pointer-events') === 'none') return true
  return (
    style.get('z-index')?.startsWith('-') === true ||
    ['height', 'width'].some((property) => lengthOf(style, property) <= 1)
  )
}

/** Padding counts as height: it reserves room for positioned content. */
function hasNoHeight(style: Style): boolean {
  return lengthOf(style, 'height') === 0 && ![...style.keys()].some((property) => property.startsWith('padding'))
}

/** Whether letters have no size or color, and no child restores it. */
function isUnreadable({ categories, children }: PageElement, style: Style): boolean {
  // Pictures are styled so that their alternative text is invisible while they load.
  if (categories & category.image) return false
  return ['font-size', 'color'].some((property) => hidesLetters(style, property) && !isRestored(children, property))
}

function hidesLetters(style: Style, property: string): boolean {
  if (property === 'font-size') return lengthOf(style, property) <= 1
  const isClear = /^(?:transparent|rgba\([^)]*[,/] *0?\.?0*%? *\))$/.test(style.get(property) ?? '')
  // Such letters show the background behind them.
  return isClear && !['background-clip', '-webkit-background-clip'].some((name) => style.get(name) === 'text')
}

function isRestored(children: PageElement['children'], property: string): boolean {
  return children.some((child) => {
    const declarations = typeof child === 'string' ? null : attributeOf(child, 'style')
    const style = declarations ? styleOf(declarations) : null
    return style?.has(property) && !hidesLetters(style, property)
  })
}

function isClipped(style: Style): boolean {
  if (/^rect\([01px, ]+\)$/.test(style.get('clip') ?? '')) return true
  if (/^inset\( *(?:50|100)%/.test(style.get('clip-path') ?? '')) return true
  return hidesOverflow(style) && ['height', 'width'].every((property) => lengthOf(style, property) <= 1)
}

function hidesOverflow(style: Style): boolean {
  return /^(?:hidden|clip)/.test(style.get('overflow') ?? '')
}

/** Returns a length in pixels; NaN if missing, or in a unit without an absolute size. */
function lengthOf(style: Style, property: string): number {
  const [, number = '', unit = ''] = /^([-+]?(?:\d+\.?\d*|\.\d+))([a-z%]*)$/.exec(style.get(property) ?? '') ?? []
  if (unit === '%' && property !== 'font-size') return Number.NaN
  return number === '' ? Number.NaN : Number(number) * (pixelsOfUnit.get(unit) ?? Number.NaN)
}
