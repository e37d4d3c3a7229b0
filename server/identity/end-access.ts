import { inArray, type SQL } from 'drizzle-orm'
import type { Transaction } from '../../db/database'
import { accessTokens } from '../../db/schema/access-tokens'
import { sessions, users } from '../../db/schema/users'
import type { Actor } from '../actor'
import { recordTokenEvent } from '../services/keys/access-tokens'

/** Ends the sessions of the users whom `person` matches, and revokes their access tokens. */
export async function endSessionsAndTokens(tx: Transaction, person: SQL | undefined): Promise<void> {
  const ended = await tx.update(users).set({ tokensValidFrom: new Date() }).where(person).returning({ id: users.id })
  const userIds = ended.map((user) => user.id)
  await tx.delete(sessions).where(inArray(sessions.userId, userIds))
  const revoked = await tx.delete(accessTokens).where(inArray(accessTokens.userId, userIds)).returning()
  for (const token of revoked) {
    const owner: Actor = { kind: 'person', userId: token.userId, staff: false, memberships: [] }
    await recordTokenEvent(tx, owner, 'token.revoked', token)
  }
}
