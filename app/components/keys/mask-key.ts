const shownCharacters = 4

/** Hides a key except for what tells it from others: its kind, and its last four characters. */
export function maskKey(key: string): string {
  const prefix = /^sitelore_[a-z]+_/.exec(key)?.[0] ?? ''
  return `${prefix}${'•'.repeat(12)}${key.slice(-shownCharacters)}`
}
