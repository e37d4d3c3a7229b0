import { LRUCache } from 'lru-cache'
import { detachString } from '../../../language/detach-string'
import { attributeOf, type PageElement } from '../../dom/element'
import { category } from '../../dom/element-categories'
import { hint, hintsOfName } from './class-name-hints'

/** Classes that describe a state or a topic of their own element: 'has-sidebar', 'category-comments', 'product_tag-links'. */
const stateOrTopic =
  /^(?:(?:has|no|not|with|without|is|js|no-js|category|tag|type|format|status|postid|page-id|page-template|theme|hide-on|show-on)[-_]|\w+_(?:cat|tag)-)/i

const cache = new LRUCache<string, number>({ max: 20_000 })
/** Elements whose id names a part of the page; the id of any other is a link target in the text. */
const partElements = new Set('div section aside ul ol form table article header footer'.split(' '))
/** Longer names are generated. */
const maxNameLength = 200

/** Whether an element is the caption of a picture. Captions of code blocks and lists share its class names. */
export function isCaption(element: PageElement): boolean {
  if (element.name === 'figcaption') return true
  if (element.attributes.length === 0 || !(hintsOf(element) & hint.caption)) return false
  const { parent } = element
  return (
    ((element.descendantCategories |
      (parent?.descendantCategories ?? 0) |
      (parent?.parent?.descendantCategories ?? 0)) &
      category.image) !==
    0
  )
}

/** Returns the hints of an element's class names and id. */
export function hintsOf(element: PageElement): number {
  if (element.attributes.length === 0) return 0
  const names = attributeOf(element, 'class') ?? ''
  const id = partElements.has(element.name) ? (attributeOf(element, 'id') ?? '') : ''
  return (names ? hintsOfNames(names) : 0) | (id ? hintsOfNames(id) : 0)
}

function hintsOfNames(names: string): number {
  const cached = cache.get(names)
  if (cached !== undefined) return cached
  let bits = 0
  for (const name of names.slice(0, 1000).split(/\s+/)) {
    if (name === '' || name.length > maxNameLength || stateOrTopic.test(name)) continue
    bits |= hintsOfName(name)
  }
  cache.set(detachString(names), bits)
  return bits
}
