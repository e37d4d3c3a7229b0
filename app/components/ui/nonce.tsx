import { createContext, useContext } from 'react'

const NonceContext = createContext<string | undefined>(undefined)

export const NonceProvider = NonceContext.Provider

/** The nonce of this answer's content policy. The browser hides it from scripts, so it is known on the server only. */
export function useNonce(): string | undefined {
  return useContext(NonceContext)
}
