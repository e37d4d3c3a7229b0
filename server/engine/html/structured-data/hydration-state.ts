import type { Block } from '../../ports'
import { blocksOfText, hasMarkup, isProse, isSentence, wordsOf } from '../content/prose'
import { cleanText } from '../dom/text'
import type { Collector } from './collector'
import { isRecord } from './is-record'

/** Names that hold no text of the page. */
const skipped =
  /^(?:_?id|_?key|uuid|slug|ur[il]|href|src|srcset|path(?:name)?|link|images?|icons?|classe?s?|classname|styles?|css|(?:__)?type(?:name)?|kind|locales?|lang(?:uage)?|token|hash|query|scripts?|buildid|cookies?|headers|translations?|i18n|_nexti18next|messages|dictionary|labels|config|runtimeconfig|publicruntimeconfig|env|theme|experiments|features?flags?|flags|nav(?:igation)?|menus?|footer|breadcrumbs?|consent|errors?|alt|aria\w*|placeholder|seo|meta(?:data|tags)?)$/i
const heading = /^(?:title|name|headline|heading|question)$/i
/** Names under which even a short sentence is text. */
const spoken = /(?:text|body|content|html|answer|description|summary|excerpt|abstract|paragraph|intro|lead|teaser)$/i
/** Names of lists that hold a line of text in pieces. */
const pieces = /^(?:children|content|nodes|spans)$/i

const fewestWords = 6
const fewestSpokenWords = 3

/** Puts what is prose in the state of a page in order, each text once, with the headings that stand over it. */
export function walkState(value: unknown, collector: Collector): void {
  walk(value, '', collector)
}

function walk(value: unknown, name: string, collector: Collector): void {
  if (typeof value === 'string') {
    collector.add(blocksOfString(value, name))
  } else if (Array.isArray(value)) {
    collector.within(null, () => {
      const line = pieces.test(name) ? lineOf(value) : ''
      if (line) collector.add(blocksOfString(line, 'text'))
      else for (const item of value) walk(item, name, collector)
    })
  } else if (isRecord(value)) {
    collector.within(headingIn(value), () => {
      for (const [inner, item] of Object.entries(value)) {
        if (!skipped.test(inner) && !heading.test(inner)) walk(item, inner, collector)
      }
    })
  }
}

function blocksOfString(text: string, name: string): Block[] {
  if (text.length < 12 || text.length > 500_000) return []
  if (hasMarkup(text)) {
    const blocks = blocksOfText(text)
    const plain = blocks.map((block) => block.text).join(' ')
    return wordsOf(plain, fewestSpokenWords) >= fewestSpokenWords && isProse(plain, fewestSpokenWords) ? blocks : []
  }
  const isSpoken = spoken.test(name)
  if (!isProse(text, isSpoken ? fewestSpokenWords : fewestWords)) return []
  return isSpoken || isSentence(text) ? blocksOfText(text) : []
}

/** A line that an editor keeps as a list of pieces, each with its own style; '' for any other list. */
function lineOf(items: unknown[]): string {
  let line = ''
  for (const item of items) {
    if (!isRecord(item)) return ''
    const { text, value } = item
    const piece = typeof text === 'string' ? text : value
    if (typeof piece !== 'string') return ''
    line += piece
  }
  return line
}

function headingIn(value: Record<string, unknown>): string | null {
  for (const [name, text] of Object.entries(value)) {
    if (!heading.test(name) || typeof text !== 'string' || text.length > 200) continue
    const clean = cleanText(text).replaceAll('\n', ' ')
    if (/\p{L}{2}/u.test(clean) && !hasMarkup(clean) && !/^https?:|_|\//.test(clean)) return clean
  }
  return null
}
