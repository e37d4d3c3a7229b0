import { Readability } from '@mozilla/readability'
import type { Block } from '../ports'
import { blocksOf } from './blocks'

/** Less text than this is no witness for where the content stands. */
const fewLetters = 140

/**
 * Blocks of the part of a page that is its content. Several witnesses are asked, the cheap ones first: an element that
 * says so (main, role=main, one article), then the reading-mode heuristics against the whole body without its
 * furniture. `parse` makes a second copy of the page, because those heuristics destroy theirs.
 */
export function mainBlocks(document: Document, parse: () => Document): Block[] {
  const body = document.body
  if (!body) return []
  const declared = declaredContent(body)
  const named = declared ? blocksOf(declared, { dropFurniture: false }) : []
  const whole = declared && letters(named) >= fewLetters ? null : blocksOf(body, { dropFurniture: true })
  if (!whole) return named
  // A short page that says where its content is, and has little else.
  if (named.length > 0 && letters(named) * 2 >= letters(whole)) return named
  const read = readingMode(parse())
  // Reading mode picks one column; where much stands beside it, the page is not one article.
  if (letters(read) * 2 >= letters(whole) && letters(read) >= fewLetters) return withHeading(read, whole)
  return letters(whole) > 0 ? whole : named
}

function declaredContent(body: Element): Element | null {
  const mains = [...body.querySelectorAll('main, [role="main"]')].filter((element) => !element.hasAttribute('hidden'))
  if (mains.length > 0) return longest(mains)
  const articles = [...body.querySelectorAll('article, [itemprop="articleBody"]')]
  const [first] = articles
  // Many articles are a list of teasers; articles inside of one are its comments.
  if (first && articles.every((article) => article === first || first.contains(article))) return first
  return null
}

function longest(elements: Element[]): Element | null {
  const sized = elements.map((element) => ({ element, size: element.textContent?.length ?? 0 }))
  return sized.sort((a, b) => b.size - a.size)[0]?.element ?? null
}

function readingMode(document: Document): Block[] {
  const article = new Readability<Element>(document, {
    charThreshold: fewLetters,
    serializer: (node) => node as Element,
  }).parse()
  return article?.content ? blocksOf(article.content, { dropFurniture: true }) : []
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
