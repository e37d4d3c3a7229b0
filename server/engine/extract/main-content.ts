import type { Block } from '../ports'
import { blocksOf } from './blocks'
import { attributeOf, lettersOf, type PageElement } from './page-element'
import type { ParsedPage } from './parse'
import { readingMode } from './reading-mode'

/** Less text than this is no witness for where the content stands. */
const fewLetters = 140
/** Reading mode takes about a second for so many, and longer where they are nested. */
const mostElements = 10_000

/**
 * Blocks of the part of a page that is its content. Several witnesses are asked, the cheap ones first: an element that
 * says so (main, role=main, one article), then the reading-mode heuristics against the whole body without its
 * furniture. `title` is what the head of the page says.
 */
export function mainBlocks(page: ParsedPage, title: string): Block[] {
  const { body } = page
  const declared = declaredContent(page)
  const named = declared ? blocksOf(declared, { dropFurniture: false }) : []
  const whole = declared && letters(named) >= fewLetters ? null : blocksOf(body, { dropFurniture: true })
  if (!whole) return named
  // A short page that says where its content is, and has little else.
  if (named.length > 0 && letters(named) * 2 >= letters(whole)) return named
  // Its heuristics cannot find more than there is, and take too long over very large pages.
  const isHopeless = letters(whole) < fewLetters || page.elements > mostElements
  const read = isHopeless ? [] : readingMode(body, title, fewLetters)
  // Reading mode picks one column; where much stands beside it, the page is not one article.
  if (letters(read) * 2 >= letters(whole) && letters(read) >= fewLetters) return withHeading(read, whole)
  return letters(whole) > 0 ? whole : named
}

function declaredContent(page: ParsedPage): PageElement | null {
  const mains = page.mains.filter((element) => attributeOf(element, 'hidden') === null)
  if (mains.length > 0) return longest(mains)
  const { articles } = page
  const [first] = articles
  // Many articles are a list of teasers; articles inside of one are its comments.
  if (first && articles.every((article) => isInside(article, first))) return first
  return null
}

function longest(elements: PageElement[]): PageElement | null {
  return elements.reduce<PageElement | null>(
    (most, element) => (most === null || lettersOf(element) > lettersOf(most) ? element : most),
    null,
  )
}

function isInside(element: PageElement, outer: PageElement): boolean {
  for (let above: PageElement | null = element; above; above = above.parent) if (above === outer) return true
  return false
}

/** Reading mode takes the heading away as the page's title; its place is in front. */
function withHeading(read: Block[], whole: Block[]): Block[] {
  const heading = whole.find((block) => block.kind === 'heading' && block.level === 1)
  const has = read.some((block) => block.kind === 'heading' && block.text === heading?.text)
  return heading && !has ? [heading, ...read] : read
}

function letters(blocks: Block[]): number {
  return blocks.reduce((sum, block) => sum + block.text.length, 0)
}
