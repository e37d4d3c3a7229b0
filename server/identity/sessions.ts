import { and, asc, eq, gt, lt } from 'drizzle-orm'
import { userTypes } from '../../contract/enumerations'
import type { Database } from '../../db/database'
import { members } from '../../db/schema/organizations'
import { sessions, users } from '../../db/schema/users'
import type { Actor } from '../actor'
import { AppError } from '../errors'
import type { Sealer } from '../sealing'
import { hashToken, randomToken } from '../tokens'

export type Person = Extract<Actor, { kind: 'person' }>

/** The person behind a request, with current memberships, and the organization that is selected in this browser. */
export interface SignedIn {
  actor: Person
  organizationId: string | null
}

const dayMs = 24 * 3_600_000
const lifetimeMs = 14 * dayMs

/** Stores sessions as rows. The browser has a random token, and its hash is the id of the row. */
export function createSessions({ db, sealer }: { db: Database; sealer: Sealer }) {
  return {
    /** Returns the token for the cookie. */
    async create(userId: string, idToken: string): Promise<string> {
      const token = randomToken()
      const id = hashToken(token)
      await db.writeOne((tx) =>
        tx.insert(sessions).values({
          id,
          userId,
          idToken: sealer.seal(idToken, sealedAt(id)),
          expiresAt: new Date(Date.now() + lifetimeMs),
        }),
      )
      return token
    },

    /** Null if the session has ended. A session ends 14 days after the day of its last use. */
    async find(token: string): Promise<SignedIn | null> {
      const id = hashToken(token)
      const [row] = await db.read
        .select({
          user: { id: users.id, type: users.type },
          organizationId: sessions.organizationId,
          expiresAt: sessions.expiresAt,
        })
        .from(sessions)
        .innerJoin(users, eq(users.id, sessions.userId))
        .where(and(eq(sessions.id, id), gt(sessions.expiresAt, new Date())))
      if (!row) return null
      if (row.expiresAt.getTime() < Date.now() + lifetimeMs - dayMs) await prolong(id)
      const actor = await personOf(db, row.user)
      return { actor, organizationId: selectedOf(actor.memberships, row.organizationId) }
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
      await db.writeOne((tx) => tx.delete(sessions).where(lt(sessions.expiresAt, new Date())))
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

  async function prolong(id: string): Promise<void> {
    const expiresAt = new Date(Date.now() + lifetimeMs)
    await db.writeOne((tx) => tx.update(sessions).set({ expiresAt }).where(eq(sessions.id, id)))
  }
}
export type Sessions = ReturnType<typeof createSessions>

export async function personOf(db: Database, user: { id: string; type: number }): Promise<Person> {
  const memberships = await db.read
    .select({ organizationId: members.organizationId, role: members.role })
    .from(members)
    .where(eq(members.userId, user.id))
    .orderBy(asc(members.createdAt), asc(members.id))
  return { kind: 'person', userId: user.id, staff: user.type === userTypes.staff, memberships }
}

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
