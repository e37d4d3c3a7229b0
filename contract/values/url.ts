/**
 * Returns null for text that is no absolute URL. It parses, because the check without parsing of Node 20's URL rejects
 * letters beyond ASCII once it is optimized.
 */
export function parseUrl(text: string, base?: string | URL): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}
