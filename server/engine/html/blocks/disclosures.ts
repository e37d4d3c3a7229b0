import { isDropped, isInsideDropped, reveal } from '../dom/boilerplate-elements'
import { attributeOf, descendantsOf, lettersOf, linkDensity, type PageElement } from '../dom/element'
import { category } from '../dom/element-categories'
import type { ParsedPage } from '../dom/parse'
import { textOf } from '../dom/text'
import { isHidden } from '../dom/visibility'

/** Elements whose text the page may put into a button. */
const titleElements = /^(?:h[1-6]|dt|summary)$/
/** Class names of buttons that open what follows them. */
const accordionNames = /(?:^|[\s_-])(?:accordion|collaps\w*|toggle|disclosure|expand\w*|faqs?|question)(?:[\s_-]|$)/i
/** Levels searched upwards from a button for its title or its panel. */
const maxLevels = 4
/** Letters of a meaningful text; an icon that closes a panel has fewer. */
const minLetters = 2
/** Controls read on one page. */
const maxControls = 500

/**
 * Reveals text that a page shows on demand: the questions of an FAQ, which are buttons, and their hidden answers. A
 * button becomes text if it is all that a heading, a term or a summary contains, and a heading if it opens the element
 * that follows it. A hidden panel becomes text if such a button, or a tab, opens it. Menus (mostly links) and dialogs
 * stay hidden.
 */
export function revealDisclosures(page: ParsedPage): void {
  const controls = page.controls.slice(0, maxControls)
  const panels = panelsOf(page, controls)
  for (const control of controls) {
    const panel = panels.get(panelIdOf(control))
    if (panel && isHidden(panel) && canReveal(control, panel)) reveal(panel)
  }
  const seenTitles = new Set<PageElement>()
  for (const button of page.buttons.slice(0, maxControls)) {
    if (lettersOf(button) < minLetters || isHidden(button) || isInsideDropped(button)) continue
    const title = titleOf(button)
    if (title) {
      if (!seenTitles.has(title) && textOf(title) === '') reveal(button)
      seenTitles.add(title)
    } else if (opensFollowing(button, panels)) revealAsHeading(button)
  }
}

/** Returns the elements that the controls name, by id. */
function panelsOf(page: ParsedPage, controls: PageElement[]): Map<string, PageElement> {
  const panels = new Map<string, PageElement>()
  const ids = new Set(controls.map(panelIdOf))
  if (ids.size === 0) return panels
  for (const element of descendantsOf(page.body)) {
    const id = attributeOf(element, 'id')
    if (id && ids.has(id) && !panels.has(id)) panels.set(id, element)
  }
  return panels
}

/** Returns the id of the panel that a control opens; '' if it names none. */
function panelIdOf(control: PageElement): string {
  return attributeOf(control, 'aria-controls') ?? ''
}

function titleOf(button: PageElement): PageElement | null {
  let ancestor = button.parent
  for (let step = 0; ancestor && step < maxLevels; step++, ancestor = ancestor.parent)
    if (titleElements.test(ancestor.name)) return ancestor
  return null
}

/** Whether the button opens the readable text that follows it, by its attributes, its names or its text. */
function opensFollowing(button: PageElement, panels: Map<string, PageElement>): boolean {
  const panel = panels.get(panelIdOf(button))
  const isDeclared = panelIdOf(button) !== '' || attributeOf(button, 'aria-expanded') !== null
  if (!isDeclared && !looksLikeQuestion(button)) return false
  const following = followingElement(button)
  if (!following || (panel && panel !== following) || !isReadable(following)) return false
  if (!isDropped(following)) return true
  // A page that closes an answer by its style needs a button to open it.
  if (!isHidden(following) || !looksLikeQuestion(button)) return false
  reveal(following)
  return !isDropped(following)
}

/** Whether a button has a heading, a question or the name of an accordion. A form asks, too ('Forgot your password?'). */
function looksLikeQuestion(button: PageElement): boolean {
  if (attributeOf(button, 'type') === 'submit' || isInForm(button)) return false
  if (button.descendantCategories & category.heading) return true
  const names = `${attributeOf(button, 'class') ?? ''} ${attributeOf(button.parent ?? button, 'class') ?? ''}`
  return accordionNames.test(names) || /[?？؟]\s*$/.test(rawTextOf(button))
}

function isInForm(element: PageElement): boolean {
  for (let node = element.parent; node; node = node.parent) if (node.name === 'form') return true
  return false
}

/** Returns the text of a control, which is none of the page as yet. */
function rawTextOf(element: PageElement): string {
  return element.children.map((child) => (typeof child === 'string' ? child : rawTextOf(child))).join('')
}

function revealAsHeading(button: PageElement): void {
  reveal(button)
  button.isHeading = !(button.descendantCategories & category.heading)
}

function canReveal(control: PageElement, panel: PageElement): boolean {
  if (!isReadable(panel) || isInsideDropped(panel)) return false
  if (attributeOf(control, 'role') === 'tab') return attributeOf(panel, 'role') === 'tabpanel'
  if (isInsideDropped(control)) return false
  return attributeOf(panel, 'role') === 'region' || titleOf(control) !== null || followingElement(control) === panel
}

/** Returns the next element with text: a following sibling, or one of an ancestor that contains nothing else. */
function followingElement(element: PageElement): PageElement | undefined {
  let current = element
  for (let step = 0; step < maxLevels; step++) {
    const { parent } = current
    if (!parent) return undefined
    for (let index = parent.children.indexOf(current) + 1; index < parent.children.length; index++) {
      const following = parent.children[index]
      if (following === undefined || typeof following === 'string') continue
      if (following.name === 'button' && lettersOf(following) >= minLetters) return undefined
      if (following.categories & category.dropped) continue
      if (lettersOf(following) > 0) return following
    }
    if (lettersOf(parent) > lettersOf(element)) return undefined
    current = parent
  }
  return undefined
}

function isReadable(panel: PageElement): boolean {
  return !(panel.categories & category.dropped) && lettersOf(panel) >= minLetters && linkDensity(panel) < 0.5
}
