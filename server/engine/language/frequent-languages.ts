/** A language of fewer texts is an exception, or was detected wrongly. */
const minShare = 0.05

/**
 * The primary subtags of the languages that at least one in twenty texts is in, by the number of texts in each language
 * (BCP 47; '' if unknown).
 */
export function frequentLanguages(counts: ReadonlyMap<string, number>): string[] {
  const byPrimary = new Map<string, number>()
  let all = 0
  for (const [language, count] of counts) {
    const [primary = ''] = language.toLowerCase().split('-')
    byPrimary.set(primary, (byPrimary.get(primary) ?? 0) + count)
    all += count
  }
  return [...byPrimary].flatMap(([primary, count]) => (primary !== '' && count >= minShare * all ? primary : []))
}
