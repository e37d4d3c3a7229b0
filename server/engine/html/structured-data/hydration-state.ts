import type { Block } from '../../ports/extractor'
import { blocksOfText, countWords, hasMarkup, isProse, isSentence } from '../content/prose'
import { cleanText } from '../dom/text'
import { isRecord } from '../is-record'
import type { Collector } from './collector'

/** Keys whose values are never text of the page. */
const ignoredKeys =
  /^(?:_?id|_?key|uuid|slug|ur[il]|href|src|srcset|path(?:name)?|link|images?|icons?|classe?s?|classname|styles?|css|(?:__)?type(?:name)?|kind|locales?|lang(?:uage)?|token|hash|query|scripts?|buildid|cookies?|headers|translations?|i18n|_nexti18next|messages|dictionary|labels|config|runtimeconfig|publicruntimeconfig|env|theme|experiments|features?flags?|flags|nav(?:igation)?|menus?|footer|breadcrumbs?|consent|errors?|alt|aria\w*|placeholder|seo|meta(?:data|tags)?)$/i
const headingKeys = /^(?:title|name|headline|heading|question)$/i
/** Keys under which a short sentence is text, too. */
const textKeys = /(?:text|body|content|html|answer|description|summary|excerpt|abstract|paragraph|intro|lead|teaser)$/i
/** Keys of arrays that hold one line of text in styled parts. */
const lineKeys = /^(?:children|content|nodes|spans)$/i

const minWords = 6
const minTextKeyWords = 3

/** Collects the prose of a page's state, each text once, below its headings. */
export function collectState(value: unknown, collector: Collector): void {
  walk(value, '', collector)
}

function walk(value: unknown, key: string, collector: Collector): void {
  if (typeof value === 'string') {
    collector.add(blocksOfString(value, key))
  } else if (Array.isArray(value)) {
    collector.nest(null, () => {
      const line = lineKeys.test(key) ? lineOf(value) : ''
      if (line) collector.add(blocksOfString(line, 'text'))
      else for (const item of value) walk(item, key, collector)
    })
  } else if (isRecord(value)) {
    collector.nest(headingIn(value), () => {
      for (const [innerKey, item] of Object.entries(value)) {
        if (!ignoredKeys.test(innerKey) && !headingKeys.test(innerKey)) walk(item, innerKey, collector)
      }
    })
  }
}

function blocksOfString(text: string, key: string): Block[] {
  if (text.length < 12 || text.length > 500_000) return []
  if (hasMarkup(text)) {
    const blocks = blocksOfText(text)
    const plain = blocks.map((block) => block.text).join(' ')
    return countWords(plain, minTextKeyWords) >= minTextKeyWords && isProse(plain, minTextKeyWords) ? blocks : []
  }
  const isTextKey = textKeys.test(key)
  if (!isProse(text, isTextKey ? minTextKeyWords : minWords)) return []
  return isTextKey || isSentence(text) ? blocksOfText(text) : []
}

/** Joins a line that an editor stores as styled parts; '' for any other array. */
function lineOf(items: unknown[]): string {
  let line = ''
  for (const item of items) {
    if (!isRecord(item)) return ''
    const { text, value } = item
    const part = typeof text === 'string' ? text : value
    if (typeof part !== 'string') return ''
    line += part
  }
  return line
}

function headingIn(value: Record<string, unknown>): string | null {
  for (const [key, text] of Object.entries(value)) {
    if (!headingKeys.test(key) || typeof text !== 'string' || text.length > 200) continue
    const clean = cleanText(text).replaceAll('\n', ' ')
    if (/\p{L}{2}/u.test(clean) && !hasMarkup(clean) && !/^https?:|_|\//.test(clean)) return clean
  }
  return null
}
