import { tokenPrefixes } from '../../../contract/values/token-prefixes'
import type { KeyType } from '../../actor'

export const keyPrefixes: Record<KeyType, string> = {
  public: tokenPrefixes.publicKey,
  private: tokenPrefixes.privateKey,
}

/** Returns the type of a key; null if the text is no key. */
export function keyTypeOf(token: string): KeyType | null {
  if (token.startsWith(keyPrefixes.public)) return 'public'
  return token.startsWith(keyPrefixes.private) ? 'private' : null
}

/** The entries of a list of addresses or origins; none for no filter. */
export function entriesOf(list: string): string[] {
  return list === '' ? [] : list.split(', ')
}
