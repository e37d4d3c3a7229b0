import { z } from 'zod'

export interface TokenRequest {
  endpoint: string
  clientId: string
  clientSecret: string | null
  redirectUri: string
  code: string
  codeVerifier: string
}

const patience = 15_000

const grantedSchema = z.object({ access_token: z.string().min(1), id_token: z.string().min(1) })
const refusedSchema = z.object({ error: z.string(), error_description: z.string().optional() }).partial()

/**
 * Trades an authorization code for tokens (RFC 6749, section 4.1.3, with PKCE). Our own request: the one of
 * remix-auth-oauth2 has no time limit and names its length twice, which undici's dispatcher refuses.
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
    signal: AbortSignal.timeout(patience),
  })
  const answer: unknown = await response.json().catch(() => null)
  if (!response.ok) {
    const { error, error_description: description } = refusedSchema.safeParse(answer).data ?? {}
    throw new Error(`The token endpoint answered ${response.status} ${error ?? ''} ${description ?? ''}`.trim())
  }
  const { access_token: accessToken, id_token: idToken } = grantedSchema.parse(answer)
  return { accessToken, idToken }
}

/** Both parts are form-encoded first (RFC 6749, section 2.3.1). */
function basic(id: string, secret: string): string {
  const encoded = (text: string) => new URLSearchParams([['', text]]).toString().slice(1)
  return Buffer.from(`${encoded(id)}:${encoded(secret)}`).toString('base64')
}
