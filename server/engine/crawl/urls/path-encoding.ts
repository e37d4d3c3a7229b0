/** What is escaped although some write it plainly: the URL standard escapes it in paths or in queries. */
const unusual = /[%"'<>\\^`{|}]|[^\x21-\x7e]/

/** Escapes that stay: in upper case, and of signs that need them. */
export const settledEscape = String.raw`%(?:[0189A-F][\dA-F]|2[\dA-CF]|3[A-F]|40|5[B-E]|60|7[BCDF])`
/** What `spelledOut` changes. */
const unsettled = new RegExp(String.raw`[[\]\\^{|}${'`'}]|(?!${settledEscape})%`)

/**
 * One spelling for one path, for comparisons: what needs no escape is written plainly, all else escaped in upper case, so
 * that `/ä`, `/%c3%a4` and `/%C3%A4` are equal (RFC 9309, 2.2.2). An escaped slash stays another character than a slash.
 */
export function plainPath(path: string): string {
  return unusual.test(path) ? escapeRest(unescapeSigns(path, /[\w.~-]/)) : path
}

/** As `plainPath`, though letters and digits that are escaped stay so, and signs that are not ASCII as they are. */
export function writtenPath(path: string): string {
  return path.includes('%') ? unescapeSigns(path, /[._~-]/) : path
}

/** Escapes what `plainPath` does. */
export function escapeRest(path: string): string {
  return path
    .toWellFormed()
    .replace(/[^\x21-\x7e]+/g, (signs) => encodeURIComponent(signs))
    .replace(/["'<>\\^`{|}]/g, escapeSign)
}

/**
 * Path or query of an address that the URL standard has written, with one spelling where that leaves several: escapes in
 * upper case, none where none is needed, a percent sign that escapes nothing escaped, and so what it leaves plain
 * although no address may have it.
 */
export function spelledOut(text: string): string {
  if (!unsettled.test(text)) return text
  return unescapeSigns(text.replace(/%(?![\da-f]{2})/gi, '%25'), /[\w.~-]/).replace(/[[\]\\^`{|}]/g, escapeSign)
}

function unescapeSigns(path: string, signs: RegExp): string {
  return path.replace(/%[\da-f]{2}/gi, (escaped) => {
    const sign = String.fromCharCode(Number.parseInt(escaped.slice(1), 16))
    return signs.test(sign) ? sign : escaped.toUpperCase()
  })
}

function escapeSign(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`
}
