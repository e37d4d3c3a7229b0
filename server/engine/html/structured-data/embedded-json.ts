import { attributeOf, type PageElement } from '../dom/element'

/** Characters of data that are read of one page. */
const mostCharacters = 2 * 1024 * 1024
/** Names that frameworks give to what a page starts with. */
const assignment =
  /(?:window|self|globalThis)?(?:\.|\[["'])?(?:__[A-Z][A-Z_]{1,30}__|__(?:initialState|preloadedState|data|state)__|(?:INITIAL|PRELOADED|APOLLO)_(?:STATE|DATA))(?:["']\])?\s{0,9}=\s{0,9}/g

const describing = 'application/ld+json'

/** The structured data (JSON-LD) of a page; 2 MiB of it at most. */
export function describedIn(scripts: PageElement[]): unknown[] {
  return textsOf(scripts, (type) => type === describing).flatMap(({ text }) => jsonIn(withoutComments(text)))
}

/** The data that scripts would show, as far as it can be read without running one; 2 MiB of it at most. */
export function stateIn(scripts: PageElement[]): unknown[] {
  const isState = (type: string) => isCode(type) || (type.endsWith('json') && type !== describing)
  return textsOf(scripts, isState).flatMap(({ text, type }) =>
    isCode(type) ? assignedIn(text) : jsonIn(withoutComments(text)),
  )
}

function isCode(type: string): boolean {
  return type === '' || type === 'module' || type.endsWith('javascript')
}

function textsOf(scripts: PageElement[], isWanted: (type: string) => boolean): { text: string; type: string }[] {
  let room = mostCharacters
  return scripts.flatMap((script) => {
    const type = (attributeOf(script, 'type') ?? '').trim().toLowerCase()
    const text = isWanted(type) ? script.children.join('').trim() : ''
    if (text === '' || text.length > room) return []
    room -= text.length
    return [{ text, type }]
  })
}

/** Some systems wrap their data so that old browsers pass over it. */
function withoutComments(text: string): string {
  return text.replace(/^(?:\/\/)?\s*(?:<!--|<!\[CDATA\[)/, '').replace(/(?:\/\/)?\s*(?:-->|\]\]>)$/, '')
}

function jsonIn(text: string): unknown[] {
  try {
    return [JSON.parse(text)]
  } catch {
    return []
  }
}

function assignedIn(code: string): unknown[] {
  const found: unknown[] = []
  let from = 0
  for (const match of code.matchAll(assignment)) {
    const start = match.index + match[0].length
    if (start < from) continue
    const first = code[start]
    const isWrapped = code.startsWith('JSON.parse(', start)
    if (isWrapped || first === '{' || first === '[') {
      from = isWrapped ? endOfString(code, start + 11) : endOfValue(code, start)
      const value = isWrapped ? code.slice(start + 11, from) : code.slice(start, from)
      const read = isWrapped
        ? jsonIn(value.replace(/^'|'$/g, '"')).flatMap((text) => jsonIn(String(text)))
        : jsonIn(value)
      found.push(...(read.length > 0 ? read : [stringsIn(value)]))
    } else {
      // A function that puts its arguments together: what is text in it is text all the same.
      from = code.length
      found.push(stringsIn(code.slice(start)))
    }
  }
  return found
}

/** The place behind the closing bracket of an object or a list. */
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

/** The place behind the closing quote of a string that starts here. */
function endOfString(code: string, start: number): number {
  const quote = code[start]
  for (let at = start + 1; at < code.length; at++) {
    if (code[at] === '\\') at++
    else if (code[at] === quote) return at + 1
  }
  return code.length
}

function stringsIn(code: string): unknown[] {
  const found: unknown[] = []
  for (let at = code.indexOf('"'); at >= 0; at = code.indexOf('"', at)) {
    const end = endOfString(code, at)
    found.push(...jsonIn(code.slice(at, end)))
    at = end
  }
  return found
}
