/**
 * Copies a string into memory of its own. In V8, a substring keeps its parent alive, so a stored word would keep the
 * page that it comes from.
 */
export function detachString(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le')
}
