import { attributeOf, type PageElement } from '../dom/element'
import type { ParsedPage } from '../dom/parse'
import { textOf } from '../dom/text'
import { isDropped } from './boilerplate-elements'

/** Headings that are compared with the title, and letters of each. */
const mostHeadings = 100
/** So many sections are called by the words of their headings before that is the way of a page, as manuals have it. */
const fewestSections = 2
const mostLetters = 300
/** A title is told apart from its site's name by so many letters. */
const fewLetters = 10

/** The heading that the title of the page repeats, the longest of several; else its first h1. */
export function headingOf(page: ParsedPage, title: string): PageElement | null {
  const headings = page.headings
    .filter(({ name }) => name <= 'h3')
    .slice(0, mostHeadings)
    .filter((heading) => !isInDropped(heading))
  const said = wordsOnly(title)
  let best: PageElement | null = null
  let longest = 3
  for (const heading of headings) {
    const text = wordsOnly(textOf(heading))
    const isSaid = said.includes(text) || (said.length >= fewLetters && text.includes(said))
    if (!isSaid || text.length <= longest) continue
    best = heading
    longest = text.length
  }
  return best ?? headings.find(({ name }) => name === 'h1') ?? null
}

/**
 * The sections of a page that are called by the words of their headings. Such a name is about the text: a manual's
 * chapter on comments is no place where readers comment.
 */
export function namedByHeading(page: ParsedPage): PageElement[] {
  const sections = page.headings.flatMap((heading) => {
    const { parent } = heading
    const id = parent && lettersOnly(attributeOf(parent, 'id') ?? '')
    return parent && id && lettersOnly(textOf(heading)).endsWith(id) ? [parent] : []
  })
  return sections.length >= fewestSections ? sections : []
}

function lettersOnly(text: string): string {
  return text
    .slice(0, mostLetters)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
}

function wordsOnly(text: string): string {
  return text
    .slice(0, mostLetters)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

function isInDropped(element: PageElement): boolean {
  for (let above: PageElement | null = element; above; above = above.parent) if (isDropped(above)) return true
  return false
}
