const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

interface RequestHead {
  method: string
  header(name: string): string | null | undefined
}

/**
 * Whether an unsafe request comes from one of our own pages. Browsers send Sec-Fetch-Site or, over plain http, only
 * Origin. A request with neither header comes from no page, so the result is false. Safe methods always pass.
 */
export function isSameOrigin({ method, header }: RequestHead, publicUrl: string): boolean {
  if (safeMethods.has(method.toUpperCase())) return true
  const site = header('sec-fetch-site')
  if (site) return site === 'same-origin'
  return header('origin') === publicUrl
}
