import type { AppLoadContext } from '@remix-run/node'
import type { CurrentUserView } from '../../contract/views/user'
import type { Actor } from '../../server/actor'
import { isAppError } from '../../server/errors'

/** Who is signed in in this browser, and the organization in which they act. */
export interface Session {
  actor: Actor
  user: CurrentUserView
  organizationId: string | null
}

/** The loaders of one page ask at the same time: they share one answer. */
const asked = new WeakMap<AppLoadContext, Promise<Session | null>>()

/** Null for a guest, for a session that has ended and for an account that is gone. */
export function sessionOf(context: AppLoadContext, request: Request): Promise<Session | null> {
  // An action may change what the loaders after it must see.
  if (request.method !== 'GET') return read(context, request)
  const known = asked.get(context) ?? read(context, request)
  asked.set(context, known)
  return known
}

async function read({ app }: AppLoadContext, request: Request): Promise<Session | null> {
  const signedIn = await app.identity.actorFromCookie(request)
  if (!signedIn) return null
  try {
    return { ...signedIn, user: await app.accounts.currentUser(signedIn.actor) }
  } catch (error) {
    if (isAppError(error) && error.code === 'not_found') return null
    throw error
  }
}
