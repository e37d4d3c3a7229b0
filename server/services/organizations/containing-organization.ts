import { and, eq, inArray } from 'drizzle-orm'
import type { Database } from '../../../db/database'
import { agents } from '../../../db/schema/agents'
import { collections } from '../../../db/schema/collections'
import { threads } from '../../../db/schema/threads'
import type { Actor } from '../../actor'

const tables = { collection: collections, agent: agents, thread: threads }

export type LinkedKind = keyof typeof tables

/** Finds which of the person's organizations has what a link names; null if none has it. */
export function createContainingOrganization({ db }: { db: Database }) {
  return async (actor: Actor, kind: LinkedKind, id: string): Promise<string | null> => {
    if (actor.kind !== 'person') return null
    const table = tables[kind]
    const own = actor.memberships.map(({ organizationId }) => organizationId)
    const [row] = await db.read
      .select({ organizationId: table.organizationId })
      .from(table)
      .where(and(eq(table.id, id), inArray(table.organizationId, own)))
    return row?.organizationId ?? null
  }
}
