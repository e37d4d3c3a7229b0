import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { JWTPayload } from 'jose'

/** What the provider does in the next sign-in. By default it does everything right. */
export interface HostileScript {
  /** Sent back instead of the state; null for none. */
  state?: string | null
  /** Parameter `iss` of the callback (RFC 9207). */
  issuerParameter?: string
  /** Issuer in the discovery document. */
  discoveredIssuer?: string
  /** Laid over the claims of the ID token. */
  claims?: JWTPayload
  /** Claims that are left out. */
  without?: string[]
  /** How the ID token is signed. */
  signature?:
    | 'none'
    | 'none-with-kid'
    | 'public-key-pem'
    | 'public-key-jwk'
    | 'public-key-modulus'
    | 'client-secret'
    | 'foreign-key'
    | 'unknown-kid'
    | 'path-kid'
    | 'jwk-header'
    | 'jku-header'
    | 'x5u-header'
  /** Sends the code or the ID token of the sign-in before. */
  reuse?: 'code' | 'id-token'
  /** Leaves the person's claims to /userinfo. */
  slim?: boolean
  /** Laid over the claims of /userinfo. */
  userinfo?: JWTPayload
  /** Redirects the token request. */
  tokenRedirect?: boolean
}

export interface ProviderMessage {
  issuer?: string
  /** Paths that were requested since the last script. */
  requests?: string[]
}

export interface HostileProvider {
  issuer: string
  /** Sets the script. Resolves to the paths that were requested under the script before. */
  play(script: HostileScript): Promise<string[]>
  close(): Promise<void>
}

/** Starts hostile-provider-process.ts. Its client is `site`, with the secret `secret`. */
export async function startHostileProvider(): Promise<HostileProvider> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'tests/support/providers/hostile-provider-process.ts'], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const [{ issuer = '' }] = (await once(child, 'message')) as [ProviderMessage]
  return {
    issuer,
    async play(script) {
      child.send(script)
      const [{ requests = [] }] = (await once(child, 'message')) as [ProviderMessage]
      return requests
    },
    async close() {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}
