import { and, asc, eq, isNull } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type {
  AdminAgent,
  AdminCollection,
  AdminOrganization,
  AdminSource,
  AdminThread,
  AdminUrl,
  AdminUser,
} from '../../../contract/views/admin'
import type { FragmentView } from '../../../contract/views/chat/fragment'
import type { AuditEventView } from '../../../contract/views/organizations/audit'
import type { Database } from '../../../db/database'
import { addresses } from '../../../db/schema/addresses'
import { agents } from '../../../db/schema/agents'
import { collections, sources } from '../../../db/schema/collections'
import { members, organizations } from '../../../db/schema/organizations'
import { messages, threads } from '../../../db/schema/threads'
import { users } from '../../../db/schema/users'
import { type Actor, system } from '../../actor'
import { assertStaff, notFound } from '../../policy'
import type { Sealer } from '../../sealing'
import { connectionsOf as organizationsOf, userView } from '../accounts/accounts'
import { addressView } from '../addresses/address-view'
import { selectAddresses } from '../addresses/find-address'
import { agentViews, linkedCollection } from '../agents/agent-views'
import type { Audit } from '../audit/audit'
import type { AuditEvent } from '../audit/record-event'
import { messageView, threadView } from '../chat/threads/threads'
import { countFragments } from '../collections/collections'
import type { EmbeddingRate } from '../indexing/embedding-rate'
import type { ServerKeys } from '../keys/agent-keys'
import { creatorOf, connectionsOf as membersOf } from '../organizations/organization-details'
import { findOrganization, organizationFields } from '../organizations/organizations'
import { findPlan } from '../organizations/plans'
import { sourceView } from '../sources/source-views'
import { usageRecordsOf } from '../usage/usage-records'
import type { UseCounters } from '../usage/use-counters'

interface Deps {
  db: Database
  useCounters: Pick<UseCounters, 'write'>
  sealer: Sealer
  embeddingRate: Pick<EmbeddingRate, 'of'>
  serverKeys: ServerKeys
  audit: Pick<Audit, 'list' | 'recordStaffRead'>
}

/**
 * Single records of all organizations, with the numbers that the organization's own pages show. All methods throw
 * not_found for everybody but platform administrators, and for what is missing or being deleted.
 */
export function createAdminDetails({ db, useCounters, sealer, embeddingRate, serverKeys, audit }: Deps) {
  const organization = { name: organizations.name }
  const { read } = db

  async function user(actor: Actor, id: string): Promise<AdminUser> {
    assertStaff(actor)
    const [row] = await read.select().from(users).where(eq(users.id, id))
    if (!row) throw notFound()
    return userView(row, await organizationsOf(read, id))
  }

  async function organizationDetail(actor: Actor, id: string): Promise<AdminOrganization> {
    assertStaff(actor)
    const row = await findOrganization(read, id)
    await useCounters.write()
    return {
      ...organizationFields(row, await findPlan(read, row.plan)),
      has_default_agent_provider_key: row.defaultAgentProviderKey !== null,
      created_by_user: await creatorOf(read, row.createdBy),
      user_connections: await membersOf(read, id),
      members: await read.$count(members, eq(members.organizationId, id)),
      usage_records: await usageRecordsOf(read, id),
    }
  }

  /** Returns a collection, and records in the log of its organization that its texts were read. */
  async function collection(actor: Actor, id: string): Promise<AdminCollection> {
    assertStaff(actor)
    const [found] = await read
      .select({ row: collections, organization })
      .from(collections)
      .innerJoin(organizations, ofCurrent(collections.organizationId))
      .where(and(eq(collections.id, id), isNull(collections.deletedAt)))
    if (!found) throw notFound()
    const { row } = found
    await recordRead(actor, row.organizationId, row)
    const counts = (await countFragments(read, [id])).get(id) ?? { all: 0, pending: 0 }
    return {
      id: row.id,
      name: row.name,
      description: row.description,
      agent_model: row.agentModel,
      agent_prompt: row.agentPrompt,
      organization_id: row.organizationId,
      organization: found.organization,
      created_by: row.createdBy,
      created_by_user: await creatorOf(read, row.createdBy),
      created_at: row.createdAt.toISOString(),
      fragments: counts.all,
      pending_embeddings: counts.pending,
    }
  }

  async function source(actor: Actor, id: string): Promise<AdminSource> {
    assertStaff(actor)
    const [found] = await read
      .select({ row: sources, collection: { name: collections.name }, organization })
      .from(sources)
      .innerJoin(collections, eq(collections.id, sources.collectionId))
      .innerJoin(organizations, ofCurrent(sources.organizationId))
      .where(and(eq(sources.id, id), isNull(sources.deletedAt)))
    if (!found) throw notFound()
    const { row, ...parents } = found
    return {
      ...(await sourceView(read, row, { sealer, embeddingRate })),
      ...parents,
      created_by_user: await creatorOf(read, row.createdBy),
    }
  }

  /** Returns an address, and records in the log of its organization that its title and description were read. */
  async function url(actor: Actor, id: string): Promise<AdminUrl> {
    assertStaff(actor)
    const [found] = await selectAddresses(read).where(and(eq(addresses.id, id), isNull(sources.deletedAt)))
    if (!found) throw notFound()
    const { createdBy } = found.source
    await recordRead(actor, found.source.organizationId, { id, name: found.address.url })
    return { ...addressView(found), created_by: createdBy, created_by_user: await creatorOf(read, createdBy) }
  }

  /** Returns an agent, and records in the log of its organization that its system prompt was read. */
  async function agent(actor: Actor, id: string): Promise<AdminAgent> {
    assertStaff(actor)
    const [found] = await read
      .select({ row: agents, organization })
      .from(agents)
      .innerJoin(organizations, ofCurrent(agents.organizationId))
      .where(eq(agents.id, id))
    if (!found) throw notFound()
    const { row } = found
    await recordRead(actor, row.organizationId, row)
    const [view] = await agentViews(read, { sealer, serverKeys }, system, [row])
    if (!view) throw notFound()
    const { abilities: _, provider_key: _key, ...shown } = view
    return {
      ...(shown as Required<typeof shown>),
      has_provider_key: row.providerKey !== null,
      collection: await linkedCollection(read, row),
      organization: found.organization,
      created_by_user: await creatorOf(read, row.createdBy),
    }
  }

  /**
   * Returns a thread with its messages, and records in the log of its organization that they were read: those of the
   * thread, or of `inspected`, one of its messages.
   */
  async function thread(actor: Actor, id: string, inspected: string | null = null): Promise<AdminThread> {
    assertStaff(actor)
    const [found] = await read
      .select({ row: threads, agentName: agents.name, organization })
      .from(threads)
      .leftJoin(agents, eq(agents.id, threads.agentId))
      .innerJoin(organizations, ofCurrent(threads.organizationId))
      .where(eq(threads.id, id))
    if (!found) throw notFound()
    const { row, ...parents } = found
    const all = await read
      .select()
      .from(messages)
      .where(eq(messages.threadId, id))
      .orderBy(asc(messages.createdAt), asc(messages.id))
    const opened = all.find((message) => message.id === inspected)
    await recordRead(actor, row.organizationId, nameless(opened?.id ?? id))
    const { abilities: _, ...view } = threadView(system, row, parents)
    return { ...view, messages: all.map(messageView), created_by_user: await creatorOf(read, row.createdBy) }
  }

  /** Returns the fragments of a message, and records in the log of its organization that they were read. */
  async function messageFragments(actor: Actor, messageId: string): Promise<FragmentView[]> {
    assertStaff(actor)
    const [row] = await read
      .select({ organizationId: threads.organizationId, fragments: messages.fragments })
      .from(messages)
      .innerJoin(threads, eq(threads.id, messages.threadId))
      .innerJoin(organizations, ofCurrent(threads.organizationId))
      .where(eq(messages.id, messageId))
    if (!row) throw notFound()
    await recordRead(actor, row.organizationId, nameless(messageId))
    return row.fragments
  }

  /** Returns what administrators of the organization see in its log. */
  async function auditLog(
    actor: Actor,
    id: string,
  ): Promise<{ organization: { id: string; name: string }; events: AuditEventView[] }> {
    assertStaff(actor)
    const { name } = await findOrganization(read, id)
    return { organization: { id, name }, events: await audit.list(system, id) }
  }

  function recordRead(actor: Actor, organizationId: string, { id, name }: AuditEvent['subject']): Promise<void> {
    return audit.recordStaffRead(actor, { organizationId, subject: { id, name } })
  }

  return { user, organization: organizationDetail, collection, source, url, agent, thread, messageFragments, auditLog }
}

/** The log names threads and messages by their ids alone, because a thread's title is the text of a question. */
function nameless(id: string): AuditEvent['subject'] {
  return { id, name: '' }
}

/** Joins the organization, unless it is deleted. */
function ofCurrent(organizationId: PgColumn) {
  return and(eq(organizations.id, organizationId), isNull(organizations.deletedAt))
}
