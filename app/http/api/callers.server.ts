import type { ActionFunctionArgs, AppLoadContext, LoaderFunctionArgs } from '@remix-run/node'
import type { AnyOperation } from '../../../contract/api/operation'
import { tokenPrefixes } from '../../../contract/values/token-prefixes'
import type { Actor } from '../../../server/actor'
import { AppError, isAppError, type RateState } from '../../../server/errors'

type Args = LoaderFunctionArgs | ActionFunctionArgs

/** What a call adds to its response, whatever the outcome. */
export interface Reply {
  headers: Headers
  /** Takes a rejected call off the count of its key. */
  refund(): void
}

export function newReply(): Reply {
  return { headers: new Headers({ 'Access-Control-Allow-Origin': '*' }), refund: () => {} }
}

// Paths of operations, not of requests: the router also accepts other spellings, such as `/v1/PUBLIC/chat`.
/** Pages call these paths with a public key. */
const pagePaths = /^\/v1\/(public\/|chat\/simple$|\{orgId\}\/agents\/\{agentId\}\/chat$)/
/** Anybody may call these paths, so each network address has a limit there. */
const visitorPaths = /^\/v1\/(public\/|chat\/simple$)/

/**
 * Counts a call that anybody can make toward the limit of its network address: those to the operations of visitors, and
 * those with a public key. Throws rate_limited.
 */
export async function rateLimitAnonymous(
  args: Args,
  { path }: Pick<AnyOperation, 'path'>,
  reply: Reply,
): Promise<void> {
  const { context, request } = args
  const hasPublicKey = bearerOf(request).startsWith(tokenPrefixes.publicKey)
  if (!visitorPaths.test(path) && !hasPublicKey) return
  try {
    setRate(reply.headers, context.services.visitorRates.take(context.clientIp))
  } catch (error) {
    // Sets the header that lets the pages of allowed origins read how long to wait.
    if (hasPublicKey) await actorOfKey(args, reply, { isRecheck: true }).catch(() => null)
    throw error
  }
}

export async function personOfBearer(
  { context, request }: { context: AppLoadContext; request: Request },
  { withoutToken, accountRequired = false }: { withoutToken?: string; accountRequired?: boolean },
): Promise<Actor> {
  if (withoutToken !== undefined && !request.headers.has('authorization'))
    throw new AppError('unauthenticated', withoutToken)
  try {
    return await context.identity.actorFromBearer(request)
  } catch (error) {
    if (isAppError(error) && error.code === 'unauthenticated' && request.headers.has('authorization'))
      context.logRefusal('A token', error.message)
    if (accountRequired && isAppError(error) && error.details.isPersonGone)
      throw new AppError('not_found', error.message)
    throw error
  }
}

/**
 * Returns the actor of a call with an agent's key; null if the call has none. A page can read the response to a call with
 * a public key only if the key allows its origin; otherwise it reads only why the call was refused.
 */
export async function actorOfKey(
  { context, request }: Args,
  reply: Reply,
  { isRecheck = false } = {},
): Promise<Actor | null> {
  const { headers } = reply
  const key = bearerOf(request)
  if (!key.startsWith(tokenPrefixes.any) || key.startsWith(tokenPrefixes.accessToken)) return null
  const origin = request.headers.get('origin')
  const isPublic = key.startsWith(tokenPrefixes.publicKey)
  if (isPublic) {
    headers.delete('Access-Control-Allow-Origin')
    headers.set('Vary', 'Origin')
  }
  const ownOrigin = new URL(context.settings.publicUrl).origin
  const isOwnPage = isCallFrom(ownOrigin, request)
  const allowOrigin = () => {
    if (isPublic && origin !== null) headers.set('Access-Control-Allow-Origin', origin)
  }
  try {
    const call = { key, origin, ip: context.clientIp, isOwnPage, isRecheck }
    const { actor, rate, refund } = await context.services.admitKey(call)
    reply.refund = refund
    allowOrigin()
    if (rate) setRate(headers, rate)
    return actor
  } catch (error) {
    // A page can read why its call was refused. Otherwise it could not tell that from an unreachable server.
    if (isAppError(error) && !isRecheck) {
      allowOrigin()
      logRefusal(context, error, key, origin)
    }
    throw error
  }
}

/** Of a private key, only the end is logged. */
function logRefusal(context: AppLoadContext, { code, message }: AppError, key: string, origin: string | null): void {
  if (code === 'unauthenticated') context.logRefusal('A key', message, { key: `…${key.slice(-4)}`, origin })
  else if (code === 'forbidden') context.logRefusal('An origin or address', message, { origin })
}

/** Returns the actor of a call with an agent's key or a person's access token. Throws as `actorOfKey`, and unauthenticated. */
export async function actorOfKeyOrToken(args: Args, reply: Reply): Promise<Actor> {
  return (await actorOfKey(args, reply)) ?? personOfBearer(args, {})
}

/**
 * Returns the person who is signed in on a page of this server that calls; null for other calls. Pages of other origins
 * cannot use the cookie.
 */
export async function actorOfOwnPage({ context, request }: Args): Promise<Actor | null> {
  if (!isCallFrom(new URL(context.settings.publicUrl).origin, request)) return null
  return (await context.identity.actorFromCookie(request))?.actor ?? null
}

/** Whether pages call an operation with a public key. */
export function acceptsPublicKey({ path }: Pick<AnyOperation, 'path'>): boolean {
  return pagePaths.test(path)
}

/**
 * Says which origins may make a call that pages make with a public key: any of http and https, and the opaque one of a
 * sandboxed page. The preflight carries no key, so the call itself is refused if the key does not allow its origin.
 */
export function setPreflightOrigin(request: Request, headers: Headers): void {
  const origin = request.headers.get('origin') ?? ''
  headers.set('Vary', 'Origin')
  if (/^https?:\/\//.test(origin) || origin === 'null') headers.set('Access-Control-Allow-Origin', origin)
  else headers.delete('Access-Control-Allow-Origin')
}

/** Whether a page of an origin calls. Browsers leave `Origin` out where a page reads from its own server. */
function isCallFrom(pageOrigin: string, request: Request): boolean {
  const origin = request.headers.get('origin')
  return origin === null ? request.headers.get('sec-fetch-site') === 'same-origin' : origin === pageOrigin
}

function bearerOf(request: Request): string {
  return /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
}

/** Adds a limit to the headers of draft-ietf-httpapi-ratelimit-headers-10. */
export function setRate(headers: Headers, { name, limit, remaining, resetSeconds }: RateState): void {
  headers.append('RateLimit-Policy', `"${name}";q=${limit};w=60`)
  headers.append('RateLimit', `"${name}";r=${remaining};t=${resetSeconds}`)
}
