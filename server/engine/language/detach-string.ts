/**
 * The same text in memory of its own. What is cut out of a text keeps all of that text alive in V8, so whoever remembers
 * a word of a page would remember the page.
 */
export function detachString(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le')
}
