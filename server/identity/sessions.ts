import { and, asc, eq, gt, lt } from 'drizzle-orm'
import { userTypes } from '../../contract/enumerations'
import type { Database } from '../../db/database'
import { members } from '../../db/schema/organizations'
import { sessions, users } from '../../db/schema/users'
import type { Actor } from '../actor'
import { AppError } from '../errors'
import type { Sealer } from '../sealing'
import { hashToken, randomToken } from './tokens'

export type Person = Extract<Actor, { kind: 'person' }>

/** Who asks, read anew for each request, and the organization in which they act in this browser. */
export interface SignedIn {
  actor: Person
  organizationId: string | null
}

const day = 24 * 3_600_000
const lifetime = 14 * day

/** Sessions are rows; the browser holds a random token whose hash is the row's id. */
export function createSessions({ db, sealer }: { db: Database; sealer: Sealer }) {
  return {
    /** The token for the cookie. */
    async create(userId: string, idToken: string): Promise<string> {
      const token = randomToken()
      const id = hashToken(token)
      await db.writeOne((tx) =>
        tx.insert(sessions).values({
          id,
          userId,
          idToken: sealer.seal(idToken, sealedAt(id)),
          expiresAt: new Date(Date.now() + lifetime),
        }),
      )
      return token
    },

    /** Null when the session has ended. A session in use lives on: 14 days from its last day of use. */
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
      if (row.expiresAt.getTime() < Date.now() + lifetime - day) await prolong(id)
      const actor = await personOf(db, row.user)
      return { actor, organizationId: chosen(actor.memberships, row.organizationId) }
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

    /** Ends the session and gives back its ID token, where there was one that can still be opened. */
    async end(token: string): Promise<string | null> {
      const id = hashToken(token)
      const [ended] = await db.writeOne((tx) =>
        tx.delete(sessions).where(eq(sessions.id, id)).returning({ idToken: sessions.idToken }),
      )
      return ended?.idToken ? opened(ended.idToken, id) : null
    },

    async sweep(): Promise<void> {
      await db.writeOne((tx) => tx.delete(sessions).where(lt(sessions.expiresAt, new Date())))
    },
  }

  /** Null where the key was lost: who leaves is signed out all the same. */
  function opened(idToken: string, id: string): string | null {
    try {
      return sealer.open(idToken, sealedAt(id))
    } catch {
      return null
    }
  }

  async function prolong(id: string): Promise<void> {
    const expiresAt = new Date(Date.now() + lifetime)
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

/** The contract's rule: the one chosen, else one where the person is admin, else the first. */
function chosen(own: Person['memberships'], organizationId: string | null): string | null {
  const membership =
    own.find((one) => one.organizationId === organizationId) ?? own.find(({ role }) => role === 'admin') ?? own[0]
  return membership?.organizationId ?? null
}

function sealedAt(id: string): string {
  return `${id}:sessions.id_token`
}
