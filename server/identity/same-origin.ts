const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

interface Asked {
  method: string
  header(name: string): string | null | undefined
}

/**
 * Whether a request that changes something comes from our own pages. Browsers say so themselves in Sec-Fetch-Site,
 * and over plain http, where they leave that out, in Origin. A request with neither is refused: it comes from no page.
 */
export function isSameOrigin({ method, header }: Asked, publicUrl: string): boolean {
  if (safeMethods.has(method.toUpperCase())) return true
  const site = header('sec-fetch-site')
  if (site) return site === 'same-origin'
  return header('origin') === publicUrl
}
