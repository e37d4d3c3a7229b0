import { attributeOf, descendantsOf, type PageElement } from '../dom/element'
import { textOf } from '../dom/text'

interface MicrodataBreadcrumb {
  name: string
  /** Address as the page writes it; null without one. */
  href: string | null
}

/** A list of more elements is no breadcrumb trail. */
const maxElements = 500

/** Reads a BreadcrumbList in microdata, in the order of its positions, or of the page if one has none. */
export function microdataBreadcrumbs(list: PageElement): MicrodataBreadcrumb[] {
  const elements = descendantsOf(list)
  if (elements.length > maxElements) return []
  const items = elements.filter((element) => hasMicrodata(element, 'itemListElement'))
  const read = items.map((item) => {
    const properties = [item, ...descendantsOf(item)]
    const find = (name: string) => properties.find((element) => hasMicrodata(element, name))
    const target = find('item') ?? find('url')
    return {
      name: textValue(find('name') ?? item),
      href: target ? attributeOf(target, 'href') : null,
      position: Number.parseInt(textValue(find('position')), 10),
    }
  })
  return read.some(({ position }) => Number.isNaN(position)) ? read : read.toSorted((a, b) => a.position - b.position)
}

/** Names of properties are case-sensitive. */
function hasMicrodata(element: PageElement, name: string): boolean {
  return attributeOf(element, 'itemprop')?.split(/\s+/).includes(name) ?? false
}

function textValue(element: PageElement | undefined): string {
  return element ? (attributeOf(element, 'content') ?? textOf(element)) : ''
}
