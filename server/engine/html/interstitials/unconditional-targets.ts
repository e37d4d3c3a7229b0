/** A page that waits longer in seconds, such as a live ticker, is to be read. */
export const maxDelaySeconds = 10
/** Functions inside functions that are read. */
const maxLevels = 5

const comments = /\/\*[\s\S]*?\*\/|(?:^|\s)\/\/[^\n]*|<!--[^\n]*/g
/** The script's own query and fragment, which it appends to the target. */
const ownParts = String.raw`(?:\s*\+\s*(?:(?:window|document)\s*\.\s*)?location\s*\.\s*(?:search|hash))*`
const literal = String.raw`(?:"([^"\\\n]+)"|'([^'\\\n]+)'|${'`'}([^${'`'}\\$\n]+)${'`'})${ownParts}`
const location = String.raw`(?:(?:window|document|self|top|parent|globalThis)\s*\.\s*)*location`
const assignment = new RegExp(
  `${location}\\s*(?:\\.\\s*(?:replace|assign)\\s*\\(\\s*${literal}\\s*\\)(?!\\s*[?&|])|(?:\\.\\s*href\\s*)?=\\s*${literal}(?=[^\\S\\n]*(?:[;,)}]|\\n(?!\\s*[+?&|.])|$)))`,
  'y',
)

const functionHead = String.raw`(?:async\s+)?(?:function\b[^(){}]*\([^(){}]*\)|(?:\([^(){}]*\)|[\w$]+)\s*=>)\s*`
/** What runs the function, or the code in a string, that follows it: at once, when the page has loaded, or later. */
const now = new RegExp(`[(!+]\\s*${functionHead}(?=\\{)`, 'y')
const onLoad = new RegExp(
  `(?:(?:(?:window|self|document(?:\\s*\\.\\s*body)?)\\s*\\.\\s*)?onload\\s*=\\s*|(?:(?:window|document)\\s*\\.\\s*)?addEventListener\\s*\\(\\s*["'](?:load|DOMContentLoaded)["']\\s*,\\s*)${functionHead}`,
  'y',
)
const timer = new RegExp(`(?:window\\s*\\.\\s*)?setTimeout\\s*\\(\\s*(?:${functionHead}|(?=["'${'`'}]))`, 'y')
const afterNow = /\s*\)?\s*(?:\.\s*(?:call|apply)\s*)?\(/y
const afterTimer = /\s*(?:,\s*(\d+)\s*)?\)/y

const gap = /[\s;]*/y
const decision = /(?:if|else|for|while|do|switch|try|with|return|throw|case|break)\b/y
/** Ends of lines after which a statement continues. */
const unfinished = /[=&|?:,+\-*/!<>~^%.]\s*$/

/**
 * Returns the constants that a script assigns to the page's location whatever happens: in statements of its own, and in
 * those of functions that it runs itself, when the page has loaded, or within ten seconds. None if anything there decides,
 * and none of functions that something else may call.
 */
export function unconditionalTargets(script: string, level = 0): string[] {
  const code = script.replace(comments, ' ')
  const targets: string[] = []
  let position = match(gap, code, 0)?.end ?? 0
  while (position < code.length) {
    if (match(decision, code, position)) return []
    const target = targetAt(code, position)
    if (target !== null) targets.push(target)
    else if (level < maxLevels) targets.push(...unconditionalTargets(scheduledCodeAt(code, position), level + 1))
    const end = endOfStatement(code, position)
    if (end === null) return []
    position = match(gap, code, end)?.end ?? code.length
  }
  return targets
}

function targetAt(code: string, index: number): string | null {
  return match(assignment, code, index)?.groups.find((form) => form !== undefined) ?? null
}

/** Returns the code of the function or the string that the statement at this place runs; '' for any other statement. */
function scheduledCodeAt(code: string, index: number): string {
  for (const head of [now, onLoad, timer]) {
    const start = match(head, code, index)?.end
    if (start === undefined) continue
    const isBlock = code[start] === '{'
    const isString = /["'`]/.test(code[start] ?? '')
    const end = isString
      ? endOfString(code, start)
      : isBlock
        ? endOfBracket(code, start)
        : match(assignment, code, start)?.end
    if (end === undefined || end === null) return ''
    if (head === now && !match(afterNow, code, end)) return ''
    if (head === timer) {
      const tail = match(afterTimer, code, end)
      if (!tail || Number(tail.groups[0] ?? 0) > maxDelaySeconds * 1000) return ''
    }
    return isBlock || isString ? code.slice(start + 1, end - 1) : code.slice(start, end)
  }
  return ''
}

function match(
  pattern: RegExp,
  code: string,
  position: number,
): { end: number; groups: (string | undefined)[] } | null {
  pattern.lastIndex = position
  const found = pattern.exec(code)
  return found && { end: pattern.lastIndex, groups: found.slice(1) }
}

/** Null if the brackets do not match, as where a regular expression contains one. */
function endOfStatement(code: string, start: number): number | null {
  const isDeclaration = /^(?:async\s+function|function|class)\b/.test(code.slice(start, start + 20))
  for (let index = start; index < code.length; index++) {
    const char = code[index] ?? ''
    if (/["'`]/.test(char)) index = endOfString(code, index) - 1
    else if (/[([{]/.test(char)) {
      const end = endOfBracket(code, index)
      if (end === null) return null
      if (isDeclaration && char === '{') return end
      index = end - 1
    } else if (/[)\]}]/.test(char)) return null
    else if (char === ';' || (char === '\n' && !unfinished.test(code.slice(start, index)))) return index
  }
  return code.length
}

/** Returns the index after the bracket that closes the one at `start`; null if none does. */
function endOfBracket(code: string, start: number): number | null {
  let depth = 0
  for (let index = start; index < code.length; index++) {
    const char = code[index] ?? ''
    if (/["'`]/.test(char)) index = endOfString(code, index) - 1
    else if (/[([{]/.test(char)) depth++
    else if (/[)\]}]/.test(char) && --depth === 0) return index + 1
  }
  return null
}

/** A string without an end, such as an apostrophe in a regular expression, ends with its line. */
function endOfString(code: string, start: number): number {
  const quote = code[start]
  for (let index = start + 1; index < code.length; index++) {
    if (code[index] === '\\') index++
    else if (code[index] === quote) return index + 1
    else if (code[index] === '\n' && quote !== '`') return index
  }
  return code.length
}
