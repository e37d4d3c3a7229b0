/**
 * Whether the first of two normalized addresses with the same text is the one to keep: one with https, then one without
 * parameters, then the shorter one, then the first by its characters. Only the addresses count, so that it does not
 * matter which is met or read first.
 */
export function comesBefore(one: string, other: string): boolean {
  return rankOf(one) < rankOf(other)
}

function rankOf(address: string): string {
  const isPlain = address.startsWith('http:')
  const hasParameters = address.includes('?')
  return `${Number(isPlain)} ${Number(hasParameters)} ${String(address.length).padStart(5, '0')} ${address}`
}
