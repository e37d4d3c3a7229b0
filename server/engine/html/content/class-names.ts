import { ownText } from '../../language/detach-string'
import { attributeOf, type PageElement } from '../dom/element'
import { kindOf } from '../dom/element-categories'
import { meaningOfName, named } from './class-name-hints'

/** Classes that tell a state or a topic of what they stand on: 'has-sidebar', 'category-comments'. */
const aboutItself =
  /^(?:has|no|not|with|without|is|js|no-js|category|tag|type|format|status|postid|page-id|page-template|theme|hide-on|show-on)[-_]/i

const known = new Map<string, number>()
const mostKnown = 20_000
/** Elements whose id is of a part of the page; that of others is an address in the text. */
const areas = new Set('div section aside ul ol form table article header footer'.split(' '))
/** Longer names are made by machines. */
const longestName = 200

/** The words below or beside a picture; those of a block of code or a list have the same name. */
export function isCaption(element: PageElement): boolean {
  if (element.name === 'figcaption') return true
  if (element.attributes.length === 0 || !(namesOf(element) & named.caption)) return false
  const { parent } = element
  return ((element.holds | (parent?.holds ?? 0) | (parent?.parent?.holds ?? 0)) & kindOf.image) !== 0
}

/** Bits of `named`, by class and id. */
export function namesOf(element: PageElement): number {
  if (element.attributes.length === 0) return 0
  const names = attributeOf(element, 'class') ?? ''
  const id = areas.has(element.name) ? (attributeOf(element, 'id') ?? '') : ''
  return (names ? meaningOf(names) : 0) | (id ? meaningOf(id) : 0)
}

function meaningOf(names: string): number {
  const found = known.get(names)
  if (found !== undefined) return found
  let bits = 0
  for (const name of names.slice(0, 1000).split(/\s+/)) {
    if (name === '' || name.length > longestName || aboutItself.test(name)) continue
    bits |= meaningOfName(name)
  }
  if (known.size >= mostKnown) known.clear()
  known.set(ownText(names), bits)
  return bits
}
