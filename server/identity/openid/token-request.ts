import { z } from 'zod'
import { AppError } from '../../errors'

export interface TokenRequest {
  endpoint: string
  clientId: string
  clientSecret: string | null
  redirectUri: string
  code: string
  codeVerifier: string
}

const timeoutMs = 10_000

const grantedSchema = z.object({ access_token: z.string().min(1), id_token: z.string().min(1) })
const errorSchema = z.object({ error: z.string(), error_description: z.string().optional() }).partial()

/**
 * Exchanges an authorization code for tokens (RFC 6749, section 4.1.3, with PKCE). Replaces the request of
 * remix-auth-oauth2, which has no timeout and sends Content-Length twice, which undici's dispatcher rejects.
 */
export async function requestTokens(ask: TokenRequest): Promise<{ accessToken: string; idToken: string }> {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: ask.code,
    redirect_uri: ask.redirectUri,
    code_verifier: ask.codeVerifier,
    ...(ask.clientSecret === null && { client_id: ask.clientId }),
  })
  const response = await fetch(ask.endpoint, {
    method: 'POST',
    body,
    headers: {
      accept: 'application/json',
      ...(ask.clientSecret !== null && { authorization: `Basic ${basic(ask.clientId, ask.clientSecret)}` }),
    },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  const granted: unknown = await response.json().catch(() => null)
  if (!response.ok) {
    const { error, error_description: description } = errorSchema.safeParse(granted).data ?? {}
    if (error === 'storage_full' && description) throw new AppError('storage_full', description)
    throw new Error(`The token endpoint responded ${response.status} ${error ?? ''} ${description ?? ''}`.trim())
  }
  const { access_token: accessToken, id_token: idToken } = grantedSchema.parse(granted)
  return { accessToken, idToken }
}

/** Both parts are form-encoded first (RFC 6749, section 2.3.1). */
function basic(id: string, secret: string): string {
  const encoded = (text: string) => new URLSearchParams([['', text]]).toString().slice(1)
  return Buffer.from(`${encoded(id)}:${encoded(secret)}`).toString('base64')
}
