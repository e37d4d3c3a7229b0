/** '1 page', '2 pages', '2 addresses', '2 searches': the number with its noun, which has a regular plural. */
export function pluralize(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`
  return `${count} ${noun}${/(s|x|ch|sh)$/.test(noun) ? 'es' : 's'}`
}
