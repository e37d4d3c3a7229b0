/**
 * Whether the first of two normalized URLs with the same text is the one to keep: https before http, then without
 * parameters, then the shorter, then by characters. Depends on the URLs alone, so the order of fetching does not matter.
 */
export function isPreferred(one: string, other: string): boolean {
  return rankOf(one) < rankOf(other)
}

function rankOf(address: string): string {
  const isPlain = address.startsWith('http:')
  const hasParameters = address.includes('?')
  return `${Number(isPlain)} ${Number(hasParameters)} ${String(address.length).padStart(5, '0')} ${address}`
}
