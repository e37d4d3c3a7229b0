/**
 * An external OpenID provider that does what a script says, most of it wrong. A process of its own: the parent sends
 * scripts over the IPC channel, and gets the requests of the last sign-in back.
 */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import type { HostileScript, ProviderMessage } from './hostile-provider'

const person = { sub: 'ada', email: 'ada@example.test', email_verified: true }
const own = await generateKeyPair('RS256', { extractable: true })
const foreign = await generateKeyPair('RS256', { extractable: true })
const bytes = (key: string) => new TextEncoder().encode(key)

let script: HostileScript = {}
let requests: string[] = []
let lastCode = ''
let lastIdToken = ''
const nonces = new Map<string, string>()

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => send(response, 500, { error: String(error) }))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const say = (message: ProviderMessage) => process.send?.(message)

process.on('message', (next: HostileScript) => {
  const before = requests
  script = next
  requests = []
  say({ requests: before })
})
process.on('disconnect', () => process.exit())
say({ issuer })

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', issuer)
  requests.push(url.pathname)
  switch (url.pathname) {
    case '/.well-known/openid-configuration':
      return send(response, 200, {
        issuer: script.discoveredIssuer ?? issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/keys`,
      })
    case '/keys':
      return send(response, 200, {
        keys: [{ ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }],
      })
    case '/foreign-keys':
      return send(response, 200, { keys: [{ ...(await exportJWK(foreign.publicKey)), kid: 'two', alg: 'RS256' }] })
    case '/userinfo':
      return send(response, 200, { ...person, ...script.userinfo })
    case '/authorize':
      return authorize(url.searchParams, response)
    case '/token':
      return exchange(request, response)
    default:
      return send(response, 404, {})
  }
}

function authorize(asked: URLSearchParams, response: ServerResponse): void {
  const back = new URL(asked.get('redirect_uri') ?? '')
  const code = script.reuse === 'code' ? lastCode : randomUUID()
  if (script.reuse !== 'code') nonces.set(code, asked.get('nonce') ?? '')
  lastCode = code
  back.searchParams.set('code', code)
  const state = script.state === undefined ? asked.get('state') : script.state
  if (state !== null) back.searchParams.set('state', state)
  if (script.issuerParameter) back.searchParams.set('iss', script.issuerParameter)
  response.writeHead(302, { location: back.href }).end()
}

async function exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const code = new URLSearchParams(await text(request)).get('code') ?? ''
  if (script.tokenRedirect) {
    response.writeHead(307, { location: `${issuer}/elsewhere` }).end()
    return
  }
  const now = Math.floor(Date.now() / 1000)
  const claims: JWTPayload = {
    iss: issuer,
    aud: 'site',
    iat: now,
    exp: now + 300,
    nonce: nonces.get(code) ?? '',
    ...(script.slim ? { sub: person.sub } : person),
    ...script.claims,
  }
  for (const name of script.without ?? []) delete claims[name]
  if (script.reuse !== 'id-token') lastIdToken = await sign(claims)
  send(response, 200, { access_token: randomUUID(), token_type: 'Bearer', expires_in: 300, id_token: lastIdToken })
}

async function sign(claims: JWTPayload): Promise<string> {
  const hmac = (key: string) => new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'one' }).sign(bytes(key))
  const foreignSigned = (header: object) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', ...header }).sign(foreign.privateKey)
  switch (script.signature) {
    case 'none':
      return new UnsecuredJWT(claims).encode()
    case 'none-with-kid':
      return `${Buffer.from('{"alg":"none","kid":"one"}').toString('base64url')}.${new UnsecuredJWT(claims).encode().split('.')[1]}.`
    case 'public-key-pem':
      return hmac(await exportSPKI(own.publicKey))
    case 'public-key-jwk':
      return hmac(JSON.stringify(await exportJWK(own.publicKey)))
    case 'public-key-modulus':
      return hmac((await exportJWK(own.publicKey)).n ?? '')
    case 'client-secret':
      return hmac('secret')
    case 'foreign-key':
      return foreignSigned({ kid: 'one' })
    case 'unknown-kid':
      return foreignSigned({ kid: 'two' })
    case 'path-kid':
      return foreignSigned({ kid: '../../../../dev/null' })
    case 'jwk-header':
      return foreignSigned({ jwk: await exportJWK(foreign.publicKey) })
    case 'jku-header':
      return foreignSigned({ kid: 'two', jku: `${issuer}/foreign-keys` })
    case 'x5u-header':
      return foreignSigned({ kid: 'two', x5u: `${issuer}/foreign-keys` })
    default:
      return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(own.privateKey)
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
