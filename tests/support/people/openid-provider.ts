import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

/** What the provider does for the next sign-ins; tests change it. */
export interface Script {
  /** Who signs in. */
  claims: JWTPayload
  /** Instead of a code. */
  error?: { error: string; error_description?: string }
  /** Laid over the ID token's own claims. */
  idToken?: JWTPayload
  /** Signs with a key that is not published. */
  foreignKey?: boolean
  /** Says nothing of the person in the ID token; /userinfo does. */
  slim?: boolean
  /** Never answers the token request. */
  silent?: boolean
  /** Never answers /userinfo. */
  silentUserinfo?: boolean
  /** Sent back in place of the state that was given. */
  state?: string
}

export interface OpenIdProvider {
  issuer: string
  clientId: string
  clientSecret: string
  audience: string
  script: Script
  /** Parameters of the last authorization request. */
  asked: URLSearchParams
  /** An access token for a program. */
  accessToken(claims: JWTPayload): Promise<string>
  close(): Promise<void>
}

interface Pending {
  nonce: string
  challenge: string
  redirectUri: string
  claims: JWTPayload
}

/** An external OpenID provider with one confidential client, whose person signs in without being asked. */
export async function startOpenIdProvider(): Promise<OpenIdProvider> {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
  const foreign = await generateKeyPair('RS256')
  const codes = new Map<string, Pending>()
  const userinfos = new Map<string, JWTPayload>()

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => send(response, 500, { error: String(error) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const provider: OpenIdProvider = {
    issuer,
    clientId: 'site',
    clientSecret: 'a secret: with signs',
    audience: 'https://api.example.test',
    script: { claims: {} },
    asked: new URLSearchParams(),
    accessToken: (claims) => sign({ iss: issuer, aud: provider.audience, ...claims }, privateKey),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return provider

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', issuer)
    if (url.pathname === '/.well-known/openid-configuration') {
      return send(response, 200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/keys`,
        end_session_endpoint: `${issuer}/bye`,
      })
    }
    if (url.pathname === '/keys') {
      return send(response, 200, { keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }] })
    }
    if (url.pathname === '/authorize') return authorize(url.searchParams, response)
    if (url.pathname === '/token') return exchange(request, response)
    if (url.pathname === '/userinfo' && provider.script.silentUserinfo) return
    if (url.pathname === '/userinfo')
      return send(response, 200, userinfos.get(request.headers.authorization ?? '') ?? {})
    if (url.pathname === '/bye') return redirect(response, url.searchParams.get('post_logout_redirect_uri') ?? '/')
    send(response, 404, {})
  }

  function authorize(asked: URLSearchParams, response: ServerResponse): void {
    provider.asked = asked
    const back = new URL(asked.get('redirect_uri') ?? '')
    back.searchParams.set('state', provider.script.state ?? asked.get('state') ?? '')
    const { error, claims } = provider.script
    if (error) {
      for (const [name, value] of Object.entries(error)) back.searchParams.set(name, value)
      redirect(response, back.href)
      return
    }
    const code = randomUUID()
    codes.set(code, {
      claims,
      nonce: asked.get('nonce') ?? '',
      challenge: asked.get('code_challenge') ?? '',
      redirectUri: asked.get('redirect_uri') ?? '',
    })
    back.searchParams.set('code', code)
    redirect(response, back.href)
  }

  async function exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (provider.script.silent) return
    const form = new URLSearchParams(await text(request))
    const [id, secret] = Buffer.from(request.headers.authorization?.slice(6) ?? '', 'base64')
      .toString()
      .split(':')
      .map((part) => decodeURIComponent(part.replaceAll('+', ' ')))
    if (id !== provider.clientId || secret !== provider.clientSecret)
      return send(response, 401, { error: 'invalid_client' })
    const pending = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const fits = pending?.challenge === challenge && pending.redirectUri === form.get('redirect_uri')
    if (!pending || !fits) return send(response, 400, { error: 'invalid_grant' })
    const { slim, idToken, foreignKey } = provider.script
    const about = slim ? { sub: pending.claims.sub } : pending.claims
    const accessToken = randomUUID()
    userinfos.set(`Bearer ${accessToken}`, pending.claims)
    send(response, 200, {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: 300,
      id_token: await sign(
        { iss: issuer, aud: provider.clientId, nonce: pending.nonce, ...about, ...idToken },
        foreignKey ? foreign.privateKey : privateKey,
      ),
    })
  }
}

function sign(claims: JWTPayload, key: CryptoKey): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const payload = { iat: now, exp: now + 300, ...claims }
  return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(key)
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { location }).end()
}
