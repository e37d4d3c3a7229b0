import type { AppLoadContext } from '@remix-run/node'
import type { CurrentUserView } from '../../../contract/views/organizations/user'
import type { Actor } from '../../../server/actor'
import { AppError, isAppError } from '../../../server/errors'
import type { Reauthenticate } from '../../../server/services/access/watch-access'

/** The person who is signed in, and the organization that they have selected. */
export interface Session {
  actor: Actor
  user: CurrentUserView
  organizationId: string | null
  /** The organization that was selected, if the person is no longer a member of it. */
  lostOrganizationId: string | null
}

/** The loaders of a page run in parallel and share one session. */
const sessions = new WeakMap<AppLoadContext, Promise<Session | null>>()

/** Null for guests, ended sessions and deleted accounts. */
export function sessionOf(context: AppLoadContext, request: Request): Promise<Session | null> {
  // An action may change the session that the loaders after it read.
  if (request.method !== 'GET') return read(context, request)
  const session = sessions.get(context) ?? read(context, request)
  sessions.set(context, session)
  return session
}

/** Authenticates the person again, without the cache. For streams, which have to end when they lose access. */
export function reauthenticateSession({ identity }: AppLoadContext, request: Request): Reauthenticate {
  return async () => {
    const signedIn = await identity.actorFromCookie(request)
    if (!signedIn) throw new AppError('unauthenticated', 'Log in first.')
    return signedIn.actor
  }
}

async function read(context: AppLoadContext, request: Request): Promise<Session | null> {
  const { services, identity } = context
  const signedIn = await identity.actorFromCookie(request)
  if (!signedIn) return null
  context.noteCall(signedIn)
  try {
    return { ...signedIn, user: await services.accounts.currentUser(signedIn.actor) }
  } catch (error) {
    if (isAppError(error) && error.code === 'not_found') return null
    throw error
  }
}
