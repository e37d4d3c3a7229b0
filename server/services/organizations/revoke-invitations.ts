import type { SQL } from 'drizzle-orm'
import type { Transaction } from '../../../db/database'
import { invitations } from '../../../db/schema/organizations'
import type { Actor } from '../../actor'
import { recordEvent } from '../audit/record-event'

/** Deletes the invitations that `condition` matches, and records those that were pending. Returns how many were deleted. */
export async function revokeInvitations(tx: Transaction, actor: Actor, condition: SQL | undefined): Promise<number> {
  const revoked = await tx.delete(invitations).where(condition).returning()
  for (const { id, email, organizationId, expiresAt } of revoked) {
    if (expiresAt.getTime() <= Date.now()) continue
    const subject = { id, name: email }
    await recordEvent(tx, actor, { organizationId, action: 'invitation.revoked', subject })
  }
  return revoked.length
}
