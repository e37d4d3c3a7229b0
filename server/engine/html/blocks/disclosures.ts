import { isDropped, reveal } from '../content/boilerplate-elements'
import { attributeOf, elementsIn, lettersOf, linkDensity, type PageElement } from '../dom/element'
import { kindOf } from '../dom/element-categories'
import type { ParsedPage } from '../dom/parse'
import { textOf } from '../dom/text'
import { isHidden } from '../dom/visibility'

/** Elements that a page names by the button in them. */
const titled = /^(?:h[1-6]|dt|summary)$/
/** Elements between a button and the one that its panel stands beside. */
const farthest = 4
/** Letters of what says something; a sign that closes a panel has less. */
const fewestLetters = 2
/** Controls of a page that are looked at. */
const mostControls = 500

/**
 * Makes text of what a page shows only when somebody asks for it: the questions of an FAQ, which are buttons, and their
 * answers, which are hidden so long. A button counts as text where it is all that a heading, a term or a summary says, or
 * where it opens what stands right behind it; a hidden panel where such a button, or a tab, names it. Menus, which are
 * links, and dialogs stay away.
 */
export function openDisclosures(page: ParsedPage): void {
  const controls = page.controls.slice(0, mostControls)
  const named = panelsOf(page, controls)
  for (const control of controls) {
    const panel = named.get(nameOf(control))
    if (panel && isHidden(panel) && opens(control, panel)) reveal(panel)
  }
  const asked = new Set<PageElement>()
  for (const button of page.buttons.slice(0, mostControls)) {
    if (lettersOf(button) < fewestLetters || isHidden(button) || isInDropped(button)) continue
    const title = titleAround(button)
    if (title ? !asked.has(title) && textOf(title) === '' : isOpener(button, named)) reveal(button)
    if (title) asked.add(title)
  }
}

/** By their ids. */
function panelsOf(page: ParsedPage, controls: PageElement[]): Map<string, PageElement> {
  const panels = new Map<string, PageElement>()
  const wanted = new Set(controls.map(nameOf))
  if (wanted.size === 0) return panels
  for (const element of elementsIn(page.body)) {
    const id = attributeOf(element, 'id')
    if (id && wanted.has(id) && !panels.has(id)) panels.set(id, element)
  }
  return panels
}

/** Of what it opens; '' where it does not say. */
function nameOf(control: PageElement): string {
  return attributeOf(control, 'aria-controls') ?? ''
}

function titleAround(button: PageElement): PageElement | null {
  let above = button.parent
  for (let step = 0; above && step < farthest; step++, above = above.parent) if (titled.test(above.name)) return above
  return null
}

/** Says that it opens something, which stands behind it and is no menu. */
function isOpener(button: PageElement, named: Map<string, PageElement>): boolean {
  const name = nameOf(button)
  if (name === '' && attributeOf(button, 'aria-expanded') === null) return false
  const behind = elementBehind(button)
  return behind !== undefined && (name === '' || named.get(name) === behind) && !isDropped(behind) && isText(behind)
}

function opens(control: PageElement, panel: PageElement): boolean {
  if (!isText(panel) || isInDropped(panel)) return false
  if (attributeOf(control, 'role') === 'tab') return attributeOf(panel, 'role') === 'tabpanel'
  if (isInDropped(control)) return false
  return attributeOf(panel, 'role') === 'region' || titleAround(control) !== null || elementBehind(control) === panel
}

/** The element with text that follows, or the one that follows what holds nothing else. */
function elementBehind(element: PageElement): PageElement | undefined {
  let at = element
  for (let step = 0; step < farthest; step++) {
    const { parent } = at
    if (!parent) return undefined
    for (let place = parent.children.indexOf(at) + 1; place < parent.children.length; place++) {
      const behind = parent.children[place]
      if (behind === undefined || typeof behind === 'string' || behind.kind & kindOf.dropped) continue
      if (lettersOf(behind) > 0) return behind
    }
    if (lettersOf(parent) > lettersOf(element)) return undefined
    at = parent
  }
  return undefined
}

function isText(panel: PageElement): boolean {
  return !(panel.kind & kindOf.dropped) && lettersOf(panel) >= fewestLetters && linkDensity(panel) < 0.5
}

/** Whether something around it is no text of the page. */
function isInDropped(element: PageElement): boolean {
  for (let above = element.parent; above; above = above.parent) if (isDropped(above)) return true
  return false
}
