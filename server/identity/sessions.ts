import { and, eq, gt, lt, or } from 'drizzle-orm'
import type { Logger } from 'pino'
import { maxStoredHeaderLength } from '../../contract/values/limits'
import type { Database } from '../../db/database'
import { members } from '../../db/schema/organizations'
import { sessions, users } from '../../db/schema/users'
import { AppError } from '../errors'
import type { Sealer } from '../sealing'
import { hashToken, randomToken } from '../tokens'
import { type Person, type PersonReader, personColumns } from './person'

/** The person behind a request, with current memberships, and the organization that is selected in this browser. */
export interface SignedIn {
  actor: Person
  organizationId: string | null
  /** The organization that was selected, if the person is no longer a member of it. */
  lostOrganizationId: string | null
}

/** The browser of a session, for the person's list of sessions. */
export interface SessionClient {
  userAgent: string | null
  ip: string | null
  /** The session of the embedded provider in the same browser; null with an external one. */
  providerSession: string | null
}

interface Deps {
  db: Database
  personOf: PersonReader
  sealer: Sealer
  log: Logger
}

const minuteMs = 60_000
const lifetimeMs = 14 * 24 * 3_600_000
/** Lifetime after the sign-in, whatever happens. */
const maxLifetimeMs = 90 * 24 * 3_600_000

/** Stores sessions as rows. The browser has a random token, and its hash is the id of the row. */
export function createSessions({ db, personOf, sealer, log }: Deps) {
  return {
    /** Returns the token for the cookie. */
    async create(userId: string, idToken: string, client: SessionClient): Promise<string> {
      const token = randomToken()
      const id = hashToken(token)
      await db.writeOne((tx) =>
        tx.insert(sessions).values({
          id,
          userId,
          idToken: sealer.seal(idToken, sealedAt(id)),
          ...client,
          userAgent: client.userAgent?.slice(0, maxStoredHeaderLength) || null,
          expiresAt: new Date(Date.now() + lifetimeMs),
        }),
      )
      return token
    },

    /** Null if the session has ended: 14 days after its last use, and at the latest 90 days after the sign-in. */
    async find(token: string): Promise<SignedIn | null> {
      const id = hashToken(token)
      const now = Date.now()
      const isValid = and(gt(sessions.expiresAt, new Date(now)), gt(sessions.createdAt, new Date(now - maxLifetimeMs)))
      const [row] = await db.read
        .select({
          user: personColumns,
          organizationId: sessions.organizationId,
          lastSeenAt: sessions.lastSeenAt,
        })
        .from(sessions)
        .innerJoin(users, eq(users.id, sessions.userId))
        .where(and(eq(sessions.id, id), isValid))
      if (!row) return null
      if (row.lastSeenAt.getTime() < now - minuteMs) await markSeen(id)
      const actor = await personOf(row.user)
      const isMember = actor.memberships.some(({ organizationId }) => organizationId === row.organizationId)
      return {
        actor,
        organizationId: selectedOf(actor.memberships, row.organizationId),
        lostOrganizationId: isMember ? null : row.organizationId,
      }
    },

    async selectOrganization(token: string, organizationId: string): Promise<void> {
      const id = hashToken(token)
      const [row] = await db.read
        .select({ member: members.id })
        .from(sessions)
        .innerJoin(members, eq(members.userId, sessions.userId))
        .where(and(eq(sessions.id, id), eq(members.organizationId, organizationId)))
      if (!row) throw new AppError('forbidden', 'Cannot select organization that you are not part of.')
      await db.writeOne((tx) => tx.update(sessions).set({ organizationId }).where(eq(sessions.id, id)))
    },

    /** Ends the session. Returns its ID token, or null if there is none or its key is lost. */
    async end(token: string): Promise<string | null> {
      const id = hashToken(token)
      const [ended] = await db.writeOne((tx) =>
        tx.delete(sessions).where(eq(sessions.id, id)).returning({ idToken: sessions.idToken }),
      )
      return ended?.idToken ? unseal(ended.idToken, id) : null
    },

    async sweep(): Promise<void> {
      const now = Date.now()
      const hasEnded = or(lt(sessions.expiresAt, new Date(now)), lt(sessions.createdAt, new Date(now - maxLifetimeMs)))
      await db.writeOne((tx) => tx.delete(sessions).where(hasEnded))
    },
  }

  /** Null if the key is lost: the log-out then skips the provider. */
  function unseal(idToken: string, id: string): string | null {
    try {
      return sealer.open(idToken, sealedAt(id))
    } catch {
      return null
    }
  }

  /** A failed write, as on a full disk, must not refuse the request. */
  async function markSeen(id: string): Promise<void> {
    const lastSeenAt = new Date()
    const expiresAt = new Date(lastSeenAt.getTime() + lifetimeMs)
    try {
      await db.writeOne((tx) => tx.update(sessions).set({ lastSeenAt, expiresAt }).where(eq(sessions.id, id)))
    } catch (error) {
      log.warn({ err: error }, 'The use of a session could not be recorded.')
    }
  }
}
export type Sessions = ReturnType<typeof createSessions>

/** The contract's rule: the selected organization, else one that the person administers, else the first. */
function selectedOf(memberships: Person['memberships'], organizationId: string | null): string | null {
  const membership =
    memberships.find((membership) => membership.organizationId === organizationId) ??
    memberships.find(({ role }) => role === 'admin') ??
    memberships[0]
  return membership?.organizationId ?? null
}

function sealedAt(id: string): string {
  return `${id}:sessions.id_token`
}
