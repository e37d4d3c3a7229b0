import type { Sealer } from '../../sealing'

const dots = '••••'
const shown = 4

/**
 * What of a stored provider key may be shown: its last four characters behind dots. Only dots where they would be most
 * of it, and where it cannot be opened any more: the pages on which a new one is saved must still be there.
 */
export function hint(sealer: Pick<Sealer, 'open'>, sealed: string | null, associated: string): string | null {
  if (sealed === null) return null
  try {
    const key = sealer.open(sealed, associated)
    return key.length < 2 * shown ? dots : dots + key.slice(-shown)
  } catch {
    return dots
  }
}

/** Left out or empty keeps the stored key, null removes it, text replaces it. */
export function keyAfterEdit(
  sealer: Sealer,
  given: string | null | undefined,
  stored: string | null,
  associated: string,
): string | null {
  if (given === null) return null
  return given ? sealer.seal(given, associated) : stored
}
