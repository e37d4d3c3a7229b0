import { isDropped } from './boilerplate-elements'
import { needsSpaceBetween, type PageElement } from './element'
import { isInline } from './inline'
import { contactOf, saysContact } from './link-targets'

/** A line break of the page, until white space is collapsed. */
export const lineBreak = '\u2028'

/**
 * Zero-width and bidirectional control characters: they hide words from people but not from a model. Other control
 * characters, but white space, could control a terminal that prints the text.
 */
const invisible =
  /[^\P{Cc}\s]|[\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu
const joiners = /[\u200c\u200d]+/g
/** All characters that the expressions above can match; most texts have none. */
const maybeInvisible = /[^\P{Cc}\s]|[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u

/** Removes invisible characters. Joiners stay between letters of scripts that need them, and in emoji. */
export function removeInvisible(text: string): string {
  if (!maybeInvisible.test(text)) return text
  const joined = text.replace(joiners, (run: string, index: number) =>
    needsJoiner(text.charCodeAt(index - 1)) && needsJoiner(text.charCodeAt(index + run.length)) ? run : '',
  )
  return joined.replace(invisible, '')
}

/** False for Latin letters, for signs, and beyond the ends of a text (NaN). */
function needsJoiner(code: number): boolean {
  return code > 0x2ff
}

/** Collapses white space as a browser does: runs become one space, line breaks of the page stay. */
export function cleanText(text: string): string {
  const spaced = removeInvisible(text).replace(/(?:[^\S \u2028]| (?=[^\S\u2028]))[^\S\u2028]*/g, ' ')
  return (spaced.includes(lineBreak) ? spaced.replace(/ ?\u2028[ \u2028]*/g, '\n') : spaced).trim()
}

/**
 * Returns the text of an element on one line, without dropped elements. Elements of the categories `except` are added
 * to `excepted` instead.
 */
export function textOf(element: PageElement, except = 0, excepted?: PageElement[]): string {
  const text = cleanText(gather(element, except, excepted))
  return text.includes('\n') ? text.replaceAll('\n', ' ') : text
}

function gather(element: PageElement, except: number, excepted: PageElement[] | undefined): string {
  let text = ''
  let previous: PageElement | string | undefined
  for (const child of element.children) {
    if (needsSpaceBetween(previous, child)) text += ' '
    previous = child
    if (typeof child === 'string') text += child
    else if (child.name === 'br') text += ' '
    else if (isDropped(child) || child.classification !== 'content') continue
    else if (child.categories & except) excepted?.push(child)
    else if (isInline(child)) {
      const phrase = gather(child, except, excepted)
      text += child.name === 'a' ? phrase + unsaidContact(child, () => phrase) : phrase
    } else text += ` ${gather(child, except, excepted)} `
  }
  return text
}

/** Returns the number or the address of a link whose text does not say it ('Call us'), to be put after that text. */
export function unsaidContact(link: PageElement, text = () => gather(link, 0, undefined)): string {
  const contact = contactOf(link)
  const own = contact === '' ? '' : text()
  if (contact === '' || saysContact(own, contact)) return ''
  return own.trim() === '' ? contact : ` (${contact})`
}

/** Returns the text verbatim, for code. */
export function verbatimText(element: PageElement): string {
  let text = ''
  for (const child of element.children) {
    if (typeof child === 'string') text += child
    else if (child.name === 'br') text += '\n'
    else if (!isDropped(child)) text += verbatimText(child)
  }
  return text
}

/** Returns the letters, marks and digits of a text, in lower case, to compare it with another one. */
export function lettersOnly(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, '')
}
