import { isDeepStrictEqual } from 'node:util'
import { eq } from 'drizzle-orm'
import type { AuditAction, auditActorKinds } from '../../../contract/values/audit'
import type { AuditChange } from '../../../contract/views/organizations/audit'
import type { Transaction } from '../../../db/database'
import { auditEvents } from '../../../db/schema/audit'
import { users } from '../../../db/schema/users'
import { type Actor, personOf } from '../../actor'

export interface AuditEvent {
  /** Null for an action on the whole installation, which no organization sees. */
  organizationId: string | null
  action: AuditAction
  /** What was acted on. The name must not be a secret or a text of a conversation. */
  subject: { id: string; name: string }
  changes?: AuditChange[]
}

const actorKinds = {
  person: 'person',
  key: 'key',
  visitor: 'visitor',
  system: 'command-line',
} as const satisfies Record<Actor['kind'], (typeof auditActorKinds)[number]>

/** Records an event in the transaction of the change. 'schedule' is the server by itself. */
export async function recordEvent(tx: Transaction, actor: Actor | 'schedule', event: AuditEvent): Promise<void> {
  const { organizationId, action, subject, changes = [] } = event
  const actorId = actor === 'schedule' ? null : personOf(actor)
  await tx.insert(auditEvents).values({
    organizationId,
    actorKind: actor === 'schedule' ? actor : actorKinds[actor.kind],
    actorId,
    actorEmail: actorId && (await emailOf(tx, actorId)),
    action,
    subjectId: subject.id,
    subjectName: subject.name,
    changes,
  })
}

/** Names the fields whose values differ, as the API calls them. Fields that `after` leaves out or undefined stay. */
export function changedFields<Row extends object>(
  before: Row,
  after: { [Field in keyof Row]?: unknown },
): AuditChange[] {
  const names = Object.keys(after) as (keyof Row & string)[]
  return names
    .filter((name) => after[name] !== undefined && !isDeepStrictEqual(after[name], before[name]))
    .map((name) => ({ field: name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) }))
}

async function emailOf(tx: Transaction, userId: string): Promise<string | null> {
  const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId))
  return user?.email ?? null
}
