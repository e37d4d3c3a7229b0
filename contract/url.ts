/** Returns null for text that is no absolute URL. Node 20's URL.canParse rejects letters beyond ASCII once it is optimized. */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}
