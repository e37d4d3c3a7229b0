import { attributeOf, descendantsOf, type PageElement } from './element'
import type { ParsedPage } from './parse'

/** Calls with which a script of React puts streamed content into its place: `$RC("B:0","S:0")`, `$RS("S:1","P:1")`. */
const placement = /\$R[CS]\(\s*["']([BPS]:[\w-]+)["']\s*,\s*["']([BPS]:[\w-]+)["']/g
const placeholder = '<template id="B:'

/** Whether a page was streamed by React: its content is at its end, hidden, and a script puts it into its place. */
export function isStreamed(html: string): boolean {
  return html.includes(placeholder) && html.includes('id="S:')
}

/** Removes what a streamed page shows until its content is there: from each placeholder to the end of its boundary. */
export function withoutFallbacks(html: string): string {
  let rest = ''
  let from = 0
  for (let start = html.indexOf(placeholder); start >= 0; start = html.indexOf(placeholder, from)) {
    const end = html.indexOf('</template>', start)
    const boundary = end < 0 ? -1 : endOfBoundary(html, end)
    if (boundary < 0) break
    rest += html.slice(from, end + '</template>'.length)
    from = boundary
  }
  return rest + html.slice(from)
}

/** Boundaries are nested. */
function endOfBoundary(html: string, position: number): number {
  let depth = 1
  const mark = /<!--(\/?)\$[?!]?-->/g
  mark.lastIndex = position
  for (let match = mark.exec(html); match; match = mark.exec(html)) {
    depth += match[1] === '' ? 1 : -1
    if (depth === 0) return match.index
  }
  return -1
}

/**
 * Puts the content of a streamed page into its place, as its own script does: where scripts name the places, there, else
 * where the numbers agree.
 */
export function placeStreamedContent(page: ParsedPage): void {
  const byId = new Map<string, PageElement>()
  for (const element of descendantsOf(page.body)) {
    const id = attributeOf(element, 'id')
    if (id && /^[BPS]:/.test(id) && !byId.has(id)) byId.set(id, element)
  }
  const contents = new Map<string, string>()
  for (const id of byId.keys()) if (!id.startsWith('S:')) contents.set(id, `S:${id.slice(2)}`)
  for (const script of page.scripts)
    for (const [, first = '', second = ''] of script.children.join('').matchAll(placement))
      if (first.startsWith('S:')) contents.set(second, first)
      else contents.set(first, second)
  for (const [place, content] of contents) replace(byId.get(place), byId.get(content))
}

function replace(place: PageElement | undefined, content: PageElement | undefined): void {
  if (!place?.parent || !content?.parent || isWithin(place, content)) return
  content.parent.children = content.parent.children.filter((child) => child !== content)
  const { parent } = place
  parent.children = parent.children.map((child) => (child === place ? content : child))
  content.parent = parent
  content.attributes.length = 0
  const categories = content.categories | content.descendantCategories
  for (let node: PageElement | null = parent; node; node = node.parent) node.descendantCategories |= categories
}

function isWithin(element: PageElement, outer: PageElement): boolean {
  for (let node: PageElement | null = element; node; node = node.parent) if (node === outer) return true
  return false
}
