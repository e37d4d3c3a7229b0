import { isDropped } from '../content/boilerplate-elements'
import type { PageElement } from './element'
import { kindOf } from './element-categories'

/** A line break of the page, until white space is collapsed. */
export const lineBreak = '\u2028'

/** Characters without width or with the power to reorder text: they hide words from people but not from a model. */
const invisible =
  /[\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu
const joiners = /[\u200c\u200d]+/g
/** Whatever the expressions above could match; most texts have none of it. */
const suspicious = /[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\udb40]/

/** The two joiners stay between letters of scripts that need them and in emoji. */
export function dropInvisible(text: string): string {
  if (!suspicious.test(text)) return text
  const joined = text.replace(joiners, (run: string, at: number) =>
    needsJoiner(text.charCodeAt(at - 1)) && needsJoiner(text.charCodeAt(at + run.length)) ? run : '',
  )
  return joined.replace(invisible, '')
}

/** False for Latin letters and signs, and for the ends of a text. */
function needsJoiner(code: number): boolean {
  return code > 0x2ff
}

/** White space as a browser shows it: runs become one space, line breaks of the page stay. */
export function cleanText(text: string): string {
  const spaced = dropInvisible(text).replace(/(?:[^\S \u2028]| (?=[^\S\u2028]))[^\S\u2028]*/g, ' ')
  return (spaced.includes(lineBreak) ? spaced.replace(/ ?\u2028[ \u2028]*/g, '\n') : spaced).trim()
}

/** Text of an element on one line, without what is dropped. Elements of `except` are handed to `aside` instead. */
export function textOf(element: PageElement, except = 0, aside?: PageElement[]): string {
  const text = cleanText(gather(element, except, aside))
  return text.includes('\n') ? text.replaceAll('\n', ' ') : text
}

function gather(element: PageElement, except: number, aside: PageElement[] | undefined): string {
  let text = ''
  for (const child of element.children) {
    if (typeof child === 'string') text += child
    else if (child.name === 'br') text += ' '
    else if (isDropped(child) || child.standing !== 'text') continue
    else if (child.kind & except) aside?.push(child)
    else if (child.kind & kindOf.phrasing) text += gather(child, except, aside)
    else text += ` ${gather(child, except, aside)} `
  }
  return text
}

/** Text exactly as it stands, for code. */
export function verbatim(element: PageElement): string {
  let text = ''
  for (const child of element.children) {
    if (typeof child === 'string') text += child
    else if (child.name === 'br') text += '\n'
    else if (!isDropped(child)) text += verbatim(child)
  }
  return text
}
