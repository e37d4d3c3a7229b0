import type { Sealer } from '../sealing'

/** What of a stored provider key may be shown: its last four characters behind dots. */
export function hint(sealer: Sealer, sealed: string | null, associated: string): string | null {
  return sealed === null ? null : `••••${sealer.open(sealed, associated).slice(-4)}`
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
