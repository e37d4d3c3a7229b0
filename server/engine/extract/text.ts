import { isDropped } from './boilerplate'

/** A line break of the page, until white space is collapsed. */
export const lineBreak = '\u2028'

/**
 * Characters without width or with the power to reorder text: they hide words from people but not from a model. The
 * two joiners stay between letters of scripts that need them and in emoji.
 */
const invisible =
  /[\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|[\u{e0000}-\u{e007f}]|(?<=^|[\0-\u02ff])[\u200c\u200d]+|[\u200c\u200d]+(?=[\0-\u02ff]|$)/gu

export function dropInvisible(text: string): string {
  return text.replace(invisible, '')
}

/** White space as a browser shows it: runs become one space, line breaks of the page stay. */
export function cleanText(text: string): string {
  return dropInvisible(text)
    .replace(/[^\S\u2028]+/g, ' ')
    .replace(/ ?\u2028[ \u2028]*/g, '\n')
    .trim()
}

const phrasing = new Set(
  'a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)

export function isPhrasing(name: string): boolean {
  return phrasing.has(name)
}

/** Text of an element on one line, without what is dropped. Elements in `except` are handed to `aside` instead. */
export function textOf(element: Element, except?: ReadonlySet<string>, aside?: Element[]): string {
  return cleanText(gather(element, except, aside)).replaceAll('\n', ' ')
}

function gather(element: Element, except?: ReadonlySet<string>, aside?: Element[]): string {
  let text = ''
  for (let node = element.firstChild; node; node = node.nextSibling) {
    if (node.nodeType === 3) text += (node as Text).data
    if (node.nodeType !== 1) continue
    const child = node as Element
    const name = child.localName
    if (name === 'br') text += ' '
    else if (isDropped(child)) continue
    else if (except?.has(name)) aside?.push(child)
    else if (phrasing.has(name)) text += gather(child, except, aside)
    else text += ` ${gather(child, except, aside)} `
  }
  return text
}

/** Text exactly as it stands, for code. */
export function verbatim(element: Element): string {
  let text = ''
  for (let node = element.firstChild; node; node = node.nextSibling) {
    if (node.nodeType === 3) text += (node as Text).data
    if (node.nodeType !== 1) continue
    const child = node as Element
    if (child.localName === 'br') text += '\n'
    else if (!isDropped(child)) text += verbatim(child)
  }
  return text
}
