/** Characters that the URL standard escapes in paths or queries. */
const needsEscape = /[%"'<>\\^`{|}]|[^\x21-\x7e]/

/** Escapes in normal form: in upper case, and of characters that need them. */
export const requiredEscape = String.raw`%(?:[0189A-F][\dA-F]|2[\dA-CF]|3[A-F]|40|5[B-E]|60|7[BCDF])`
/** Matches text that `normalizeEscapes` changes. */
const unnormalized = new RegExp(String.raw`[[\]\\^{|}${'`'}]|(?!${requiredEscape})%`)

/**
 * Normalizes the escapes of a path for comparison: unreserved characters plain, all others escaped in upper case, so that
 * `/ä`, `/%c3%a4` and `/%C3%A4` are equal (RFC 9309, 2.2.2). An escaped slash stays escaped.
 */
export function normalizePath(path: string): string {
  return needsEscape.test(path) ? escapeRest(unescapeChars(path, /[\w.~-]/)) : path
}

/** Normalizes a path as `normalizePath`, but keeps escaped letters and digits, and characters outside of ASCII. */
export function literalPath(path: string): string {
  return path.includes('%') ? unescapeChars(path, /[._~-]/) : path
}

/** Escapes the characters that `normalizePath` escapes. */
export function escapeRest(path: string): string {
  return path
    .toWellFormed()
    .replace(/[^\x21-\x7e]+/g, (chars) => encodeURIComponent(chars))
    .replace(/["'<>\\^`{|}]/g, escapeChar)
}

/**
 * Normalizes a path or query that the URL standard serialized, where that allows several spellings: escapes in upper
 * case, no needless escapes, bare percent signs and invalid characters escaped.
 */
export function normalizeEscapes(text: string): string {
  if (!unnormalized.test(text)) return text
  return unescapeChars(text.replace(/%(?![\da-f]{2})/gi, '%25'), /[\w.~-]/).replace(/[[\]\\^`{|}]/g, escapeChar)
}

function unescapeChars(path: string, chars: RegExp): string {
  return path.replace(/%[\da-f]{2}/gi, (escaped) => {
    const char = String.fromCharCode(Number.parseInt(escaped.slice(1), 16))
    return chars.test(char) ? char : escaped.toUpperCase()
  })
}

function escapeChar(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase()}`
}
