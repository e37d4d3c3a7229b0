import type { Block } from '../ports/extractor'
import { partBeside } from './contacts/site-name'

/** Characters of a heading that can be a title, and headings that are compared with it. */
const maxHeadingTitle = 200
const maxHeadings = 10

interface NamedPage {
  /** As the head says it, then without the name of the site. */
  title: string
  /** '' if unknown. */
  siteName: string
  blocks: Block[]
}

/**
 * Divides the title of a page into that of the page and the name of the site, with the help of its headings. A heading that
 * only names the site is no text of the page.
 */
export function dividePageTitle({ title, siteName, blocks }: NamedPage): NamedPage {
  const heading = pageHeadingIn(blocks, title, siteName)
  const name = siteName || partBeside(heading, title)
  return { title: titleOf(title, heading, name), siteName: name, blocks: withoutSiteHeading(blocks, heading) }
}

/** Removes the heading before that of the page, which names the site. */
function withoutSiteHeading(blocks: Block[], heading: string): Block[] {
  const first = blocks.findIndex(isTopHeading)
  return first < 0 || blocks[first]?.text === heading ? blocks : blocks.toSpliced(first, 1)
}

function isTopHeading(block: Block): boolean {
  return block.kind === 'heading' && block.level <= 2
}

/** Separates the name of a page from that of its site, or of a section. */
const titleSeparator = /\s+[-–—|·•:»«>/\\]+\s+|\s*[|»]\s*|:\s+/g

/**
 * Returns the heading that can be the page's title; '' if there is none. That is the first one, unless it names the site:
 * it is a part of the title, and a later heading is the rest of the title, or follows at once and shares half of its words.
 * `siteName` is '' if it is not known yet.
 */
function pageHeadingIn(blocks: Block[], title: string, siteName: string): string {
  const headings = blocks.filter(isTopHeading).map(({ text }) => text)
  const [first = '', ...others] = headings.slice(0, maxHeadings)
  const rest = withoutPart(title, first)
  if (rest === null || lettersOf(rest) === lettersOf(siteName)) return first
  const hasText = hasTextAfter(blocks, first)
  if (title.endsWith(rest) && hasText) return first
  const isAboutRest = (heading: string) =>
    lettersOf(heading) === lettersOf(rest) || (!hasText && (sharesHalf(heading, rest) || sharesHalf(rest, heading)))
  return others.find(isAboutRest) ?? first
}

function hasTextAfter(blocks: Block[], heading: string): boolean {
  const position = blocks.findIndex((block) => block.kind === 'heading' && block.text === heading)
  return blocks[position + 1]?.kind !== 'heading'
}

/**
 * Returns the title of a page without the name of its site: the heading where it shares half of its words with the
 * title, else the title without the parts that name the site. A page without a title gets its first heading.
 */
function titleOf(title: string, heading: string, siteName: string): string {
  if (title === '') return heading
  const mayBeTitle = heading.length <= maxHeadingTitle && lettersOf(heading) !== lettersOf(siteName)
  return mayBeTitle && sharesHalf(heading, title) ? heading : (withoutPart(title, siteName) ?? title)
}

function sharesHalf(heading: string, title: string): boolean {
  const words = wordsOf(heading)
  const shared = new Set(wordsOf(title))
  return words.length > 0 && words.filter((word) => shared.has(word)).length * 2 >= words.length
}

/** Returns a title without its first or last part if that has the same letters as `part`; null if it has not. */
function withoutPart(title: string, part: string): string | null {
  const letters = lettersOf(part)
  for (const { index, 0: separator } of title.matchAll(titleSeparator)) {
    const [first, rest] = [title.slice(0, index), title.slice(index + separator.length)]
    if (lettersOf(rest) === letters && first !== '') return first
    if (lettersOf(first) === letters && rest !== '') return rest
  }
  return null
}

function lettersOf(text: string): string {
  return wordsOf(text).join('')
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:[-'’][\p{L}\p{N}]+)*/gu) ?? []
}
