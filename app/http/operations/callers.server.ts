import type { AppLoadContext } from '@remix-run/node'
import { isPublic, type Operation } from '../../../contract/api/operation'
import { tokenPrefixes } from '../../../contract/values/token-prefixes'
import type { Actor } from '../../../server/actor'
import { AppError, isAppError, type RateState } from '../../../server/errors'

/** A request to the HTTP API. */
export interface Args {
  request: Request
  context: AppLoadContext
}

/** What a call adds to its response, whatever the outcome. */
export interface Reply {
  headers: Headers
  /** Takes a rejected call off the count of its key. */
  refund(): void
}

export function newReply(): Reply {
  return { headers: new Headers({ 'Access-Control-Allow-Origin': '*' }), refund: () => {} }
}

/** Authenticates a call as its operation says; null where everybody may call. Throws unauthenticated, and as `actorOfKey`. */
export async function authenticate(operation: Operation, args: Args, reply: Reply): Promise<Actor | null> {
  const { callers, session = false } = operation
  if (callers === 'everybody') return null
  if (callers === 'person') return personOfBearer(args, operation)
  const hasToken = args.request.headers.has('authorization')
  const actor = (session && !hasToken ? await actorOfOwnPage(args) : null) ?? (await actorOfKey(args, reply))
  const isPrivate = actor?.kind === 'key' && actor.keyType === 'private'
  if (callers === 'key' && !actor) throw refused("Send a key of the agent's keychain: Authorization: Bearer <key>.")
  if (callers === 'private-key' && !isPrivate)
    throw refused("Send the private key of the agent's keychain: Authorization: Bearer <key>.")
  if (callers === 'person-or-private-key' && actor && !isPrivate)
    throw refused('Send an access token, or the private key of an agent instead of its public key.')
  return actor ?? personOfBearer(args, operation)
}

/** Authenticates a call again, without counting it. */
export async function authenticateAgain(args: Args): Promise<Actor> {
  return (await actorOfKey(args, newReply(), { isRecheck: true })) ?? args.context.identity.recheckBearer(args.request)
}

function refused(message: string): AppError {
  return new AppError('unauthenticated', message)
}

/**
 * Counts a call that anybody can make toward the limit of its network address: those to public operations, and those with
 * a public key. Throws rate_limited.
 */
export async function rateLimitAnonymous(operation: Operation, args: Args, reply: Reply): Promise<void> {
  const { context, request } = args
  const hasPublicKey = bearerOf(request).startsWith(tokenPrefixes.publicKey)
  if (!isPublic(operation) && !hasPublicKey) return
  try {
    setRate(reply.headers, await context.services.visitorRates.take(context.clientIp))
  } catch (error) {
    // Sets the header that lets the pages of allowed origins read how long to wait.
    if (hasPublicKey) await actorOfKey(args, reply, { isRecheck: true }).catch(() => null)
    throw error
  }
}

async function personOfBearer(
  { context, request }: Args,
  { withoutToken, accountRequired = false }: Pick<Operation, 'withoutToken' | 'accountRequired'>,
): Promise<Actor> {
  if (withoutToken !== undefined && !request.headers.has('authorization')) throw refused(withoutToken)
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
async function actorOfKey({ context, request }: Args, reply: Reply, { isRecheck = false } = {}): Promise<Actor | null> {
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

/** Logs a refused key. Of a private key, only the end is logged. */
function logRefusal(context: AppLoadContext, { code, message }: AppError, key: string, origin: string | null): void {
  if (code === 'unauthenticated') context.logRefusal('A key', message, { key: `…${key.slice(-4)}`, origin })
  else if (code === 'forbidden') context.logRefusal('An origin or address', message, { origin })
}

/**
 * Returns the person who is signed in on a page of this server that calls; null for other calls. Pages of other origins
 * cannot use the cookie.
 */
async function actorOfOwnPage({ context, request }: Args): Promise<Actor | null> {
  if (!isCallFrom(new URL(context.settings.publicUrl).origin, request)) return null
  return (await context.identity.actorFromCookie(request))?.actor ?? null
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
