import type { Sealer } from '../../sealing'

/** Stands for a key of which nothing is shown. */
export const hiddenKey = '••••'
const visibleCharacters = 4

/**
 * Returns the last four characters of a stored provider key after dots; only dots for a short key. A key that cannot be
 * decrypted gives dots instead of an error, so that the settings, where a new one is saved, still load.
 */
export function keyHint(sealer: Pick<Sealer, 'open'>, sealed: string | null, sealingContext: string): string | null {
  if (sealed === null) return null
  try {
    const key = sealer.open(sealed, sealingContext)
    return key.length < 2 * visibleCharacters ? hiddenKey : hiddenKey + key.slice(-visibleCharacters)
  } catch {
    return hiddenKey
  }
}

/** Undefined or '' keeps the stored key, null removes it, text replaces it. */
export function updateSealedKey(
  sealer: Sealer,
  input: string | null | undefined,
  stored: string | null,
  sealingContext: string,
): string | null {
  if (input === null) return null
  return input ? sealer.seal(input, sealingContext) : stored
}
