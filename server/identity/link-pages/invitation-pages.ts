import { eq } from 'drizzle-orm'
import express, { type Request, type Response, type Router } from 'express'
import type { Database } from '../../../db/database'
import { users } from '../../../db/schema/users'
import { joinPage, otherPersonPage } from '../embedded/pages/invitation'
import { linkGonePage } from '../embedded/pages/messages'
import { type PageHandlers, readForm, sendPage } from '../embedded/send-page'
import { acceptInvitation, type Invitation } from '../links/invitations'
import type { Links } from '../links/links'
import type { Sessions } from '../sessions'

interface Deps {
  db: Database
  links: Links
  sessions: Sessions
  /** The session of this browser; null for guests. */
  sessionToken: (request: Pick<globalThis.Request, 'headers'>) => string | null
  handle: PageHandlers
  /** Stores the link and starts the sign-in, at the provider's sign-up page if `newcomer`. */
  signIn: (response: Response, token: string, newcomer: boolean) => void
}

/** /invitation: joins an organization, after the sign-in where nobody is signed in. */
export function createInvitationPages({ db, links, sessions, sessionToken, handle, signIn }: Deps): Router {
  const router = express.Router()
  router.get(
    '/invitation',
    handle(async (request, response) => {
      const token = typeof request.query.token === 'string' ? request.query.token : ''
      const link = await links.find(token)
      if (link?.purpose !== 'invitation') return sendPage(response, 410, linkGonePage())
      if (!link.invitation) return signIn(response, token, true)
      const person = await personOf(request)
      if (person && person.emailNormalized !== link.invitation.email)
        return sendPage(response, 200, otherPersonPage(link.invitation, person.email))
      sendPage(response, 200, joinPage(link.invitation, token))
    }),
  )
  router.post(
    '/invitation',
    express.urlencoded({ extended: false, limit: '8kb', parameterLimit: 20 }),
    handle(async (request, response) => {
      const token = readForm(request)('token')
      const invitation = (await links.find(token))?.invitation
      if (!invitation) return sendPage(response, 410, linkGonePage())
      const person = await personOf(request)
      if (!person) return signIn(response, token, !(await hasUser(invitation)))
      if (person.emailNormalized !== invitation.email)
        return sendPage(response, 403, otherPersonPage(invitation, person.email))
      if (!(await db.write((tx) => acceptInvitation(tx, invitation, person.userId))))
        return sendPage(response, 410, linkGonePage())
      await sessions.selectOrganization(person.session, invitation.organizationId)
      response.redirect(303, '/dashboard')
    }),
  )
  return router

  async function personOf(request: Request) {
    const session = sessionToken({ headers: new Headers({ cookie: request.get('cookie') ?? '' }) })
    const signedIn = session ? await sessions.find(session) : null
    if (!session || !signedIn) return null
    const { userId } = signedIn.actor
    const [user] = await db.read
      .select({ email: users.email, emailNormalized: users.emailNormalized })
      .from(users)
      .where(eq(users.id, userId))
    return user ? { ...user, userId, session } : null
  }

  /** The holder of the link may know whether its address has an account: the link is for that address. */
  async function hasUser({ email }: Invitation): Promise<boolean> {
    return (await db.read.$count(users, eq(users.emailNormalized, email))) > 0
  }
}
