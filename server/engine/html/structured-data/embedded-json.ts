import { decodeHTMLStrict } from 'entities/decode'
import { hasMarkup } from '../content/prose'
import { attributeOf, type PageElement } from '../dom/element'

/** Characters of data read on one page. */
const maxCharacters = 2 * 1024 * 1024
/** Assignments to the variables in which frameworks store the initial state. */
const stateAssignment =
  /(?:window|self|globalThis)?(?:\.|\[["'])?(?:__[A-Z][A-Z_]{1,30}__|__(?:initialState|preloadedState|data|state)__|(?:INITIAL|PRELOADED|APOLLO)_(?:STATE|DATA))(?:["']\])?\s{0,9}=\s{0,9}/g

const jsonLdType = 'application/ld+json'

/** Returns the structured data (JSON-LD) of a page, up to 2 MiB of it. Entities in its texts are decoded. */
export function jsonLdOf(scripts: PageElement[]): unknown[] {
  return textsOf(scripts, (type) => type === jsonLdType).flatMap(({ text }) =>
    parseJson(withoutComments(text), text.includes('&') ? decodeValue : undefined),
  )
}

/** Leaves markup, whose entities are decoded where it is parsed. */
function decodeValue(_key: string, value: unknown): unknown {
  if (typeof value !== 'string' || !value.includes('&') || hasMarkup(value)) return value
  return decodeHTMLStrict(value)
}

/** Returns the hydration state of a page, as far as it can be read without running a script, up to 2 MiB of it. */
export function hydrationStateOf(scripts: PageElement[]): unknown[] {
  const isState = (type: string) => isCode(type) || (type.endsWith('json') && type !== jsonLdType)
  return textsOf(scripts, isState).flatMap(({ text, type }) =>
    isCode(type) ? assignedValues(text) : parseJson(withoutComments(text)),
  )
}

function isCode(type: string): boolean {
  return type === '' || type === 'module' || type.endsWith('javascript')
}

function textsOf(scripts: PageElement[], isWanted: (type: string) => boolean): { text: string; type: string }[] {
  let remaining = maxCharacters
  return scripts.flatMap((script) => {
    const type = (attributeOf(script, 'type') ?? '').trim().toLowerCase()
    const text = isWanted(type) ? script.children.join('').trim() : ''
    if (text === '' || text.length > remaining) return []
    remaining -= text.length
    return [{ text, type }]
  })
}

/** Some systems wrap data in comments to hide it from old browsers. */
function withoutComments(text: string): string {
  return text.replace(/^(?:\/\/)?\s*(?:<!--|<!\[CDATA\[)/, '').replace(/(?:\/\/)?\s*(?:-->|\]\]>)$/, '')
}

function parseJson(text: string, revive?: (key: string, value: unknown) => unknown): unknown[] {
  try {
    return [JSON.parse(text, revive)]
  } catch {
    return []
  }
}

function assignedValues(code: string): unknown[] {
  const found: unknown[] = []
  let from = 0
  for (const match of code.matchAll(stateAssignment)) {
    const start = match.index + match[0].length
    if (start < from) continue
    const first = code[start]
    const isWrapped = code.startsWith('JSON.parse(', start)
    if (isWrapped || first === '{' || first === '[') {
      from = isWrapped ? endOfString(code, start + 11) : endOfValue(code, start)
      const value = isWrapped ? code.slice(start + 11, from) : code.slice(start, from)
      const parsed = isWrapped
        ? parseJson(value.replace(/^'|'$/g, '"')).flatMap((text) => parseJson(String(text)))
        : parseJson(value)
      found.push(...(parsed.length > 0 ? parsed : [stringLiterals(value)]))
    } else {
      // A function call assembles the state; its string literals are the text.
      from = code.length
      found.push(stringLiterals(code.slice(start)))
    }
  }
  return found
}

/** Returns the index after the closing bracket of an object or an array. */
function endOfValue(code: string, start: number): number {
  let depth = 0
  const mark = /["[\]{}]/g
  mark.lastIndex = start
  for (let match = mark.exec(code); match; match = mark.exec(code)) {
    if (match[0] === '"') mark.lastIndex = endOfString(code, match.index)
    else if (match[0] === '{' || match[0] === '[') depth++
    else if (--depth === 0) return match.index + 1
  }
  return code.length
}

/** Returns the index after the closing quote of the string that starts at `start`. */
function endOfString(code: string, start: number): number {
  const quote = code[start]
  for (let index = start + 1; index < code.length; index++) {
    if (code[index] === '\\') index++
    else if (code[index] === quote) return index + 1
  }
  return code.length
}

function stringLiterals(code: string): unknown[] {
  const found: unknown[] = []
  for (let index = code.indexOf('"'); index >= 0; index = code.indexOf('"', index)) {
    const end = endOfString(code, index)
    found.push(...parseJson(code.slice(index, end)))
    index = end
  }
  return found
}
