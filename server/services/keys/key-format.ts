import type { KeyType } from '../../actor'

/** Tells keys apart from access tokens, and lets scanners for leaked secrets find private ones. */
export const keyPrefixes: Record<KeyType, string> = { public: 'sitelore_public_', private: 'sitelore_private_' }

/** Returns the type of a key; null if the text is no key. */
export function keyTypeOf(token: string): KeyType | null {
  if (token.startsWith(keyPrefixes.public)) return 'public'
  return token.startsWith(keyPrefixes.private) ? 'private' : null
}
