import { eq, inArray } from 'drizzle-orm'
import type { AdminListName, AdminQuery } from '../../../contract/admin'
import type { Paged, Paging } from '../../../contract/values/paging'
import type { Listed } from '../../../contract/views/admin'
import type { Database, Queries } from '../../../db/database'
import { addresses } from '../../../db/schema/addresses'
import { agents } from '../../../db/schema/agents'
import { collections, sources } from '../../../db/schema/collections'
import { organizations } from '../../../db/schema/organizations'
import { plans } from '../../../db/schema/plans'
import { threads } from '../../../db/schema/threads'
import { users } from '../../../db/schema/users'
import { type Actor, system } from '../../actor'
import { assertStaff } from '../../policy'
import { userView } from '../accounts/accounts'
import { addressView } from '../addresses/address-view'
import { selectAddresses } from '../addresses/find-address'
import { type AgentRow, agentViews } from '../agents/agent-views'
import { threadView } from '../chat/threads/threads'
import type { KeyDeps } from '../keys/agent-keys'
import { organizationFields } from '../organizations/organizations'
import { planView } from '../organizations/plans'
import { pageOf } from '../paging'
import { listIds } from './list-ids'
import { listedTables } from './listed-tables'

type RowsOf = { [Name in AdminListName]: (queries: Queries, ids: string[]) => Promise<Listed[Name][]> }

/** The lists of the back office, over all organizations. */
export function createAdminLists({ db, keys }: { db: Database; keys: KeyDeps }) {
  const rowsOf: RowsOf = { ...contentRows, agents: (queries, ids) => agentRows(queries, keys, ids) }

  /** Returns one page of a list. Throws not_found for everybody but platform administrators. */
  async function list<Name extends AdminListName>(
    actor: Actor,
    name: Name,
    query: AdminQuery<Name> & Paging,
  ): Promise<Paged<Listed[Name]>> {
    assertStaff(actor)
    const { ids, total } = await listIds(db.read, listedTables[name], query)
    const rows = ids.length === 0 ? [] : await rowsOf[name](db.read, ids)
    const byId = new Map(rows.map((row) => [row.id, row]))
    const docs = ids.flatMap((id) => byId.get(id) ?? [])
    return pageOf(docs, total, query)
  }

  return { list }
}

const organization = { name: organizations.name }
const collection = { name: collections.name }

const contentRows: Omit<RowsOf, 'agents'> = {
  async users(queries, ids) {
    const rows = await queries.select().from(users).where(inArray(users.id, ids))
    return rows.map((row) => {
      const { org_connections: _, ...listed } = userView(row, [])
      return listed
    })
  },

  async organizations(queries, ids) {
    const rows = await queries
      .select({ organization: organizations, plan: plans })
      .from(organizations)
      .innerJoin(plans, eq(plans.name, organizations.plan))
      .where(inArray(organizations.id, ids))
    return rows.map((row) => organizationFields(row.organization, planView(row.plan)))
  },

  async collections(queries, ids) {
    const rows = await queries
      .select({ row: collections, organization })
      .from(collections)
      .innerJoin(organizations, eq(organizations.id, collections.organizationId))
      .where(inArray(collections.id, ids))
    return rows.map(({ row, organization }) => ({
      id: row.id,
      name: row.name,
      description: row.description,
      agent_model: row.agentModel,
      organization_id: row.organizationId,
      organization,
      created_by: row.createdBy,
      created_at: row.createdAt.toISOString(),
    }))
  },

  async sources(queries, ids) {
    const rows = await queries
      .select({ row: sources, collection, organization })
      .from(sources)
      .innerJoin(collections, eq(collections.id, sources.collectionId))
      .innerJoin(organizations, eq(organizations.id, sources.organizationId))
      .where(inArray(sources.id, ids))
    return rows.map(({ row, ...parents }) => ({
      id: row.id,
      collection_id: row.collectionId,
      organization_id: row.organizationId,
      type: row.type,
      name: row.name,
      status: row.status,
      reason: row.reason,
      message: row.message,
      url: row.url,
      file_name: row.fileName,
      refreshed_at: row.refreshedAt?.toISOString() ?? null,
      created_at: row.createdAt.toISOString(),
      created_by: row.createdBy,
      ...parents,
    }))
  },

  async urls(queries, ids) {
    return (await selectAddresses(queries).where(inArray(addresses.id, ids))).map(addressView)
  },

  async threads(queries, ids) {
    const rows = await queries
      .select({ thread: threads, agentName: agents.name, organization })
      .from(threads)
      .leftJoin(agents, eq(agents.id, threads.agentId))
      .innerJoin(organizations, eq(organizations.id, threads.organizationId))
      .where(inArray(threads.id, ids))
    return rows.map(({ thread, ...parents }) => {
      const { abilities: _, title: _title, ...listed } = threadView(system, thread, parents)
      return listed
    })
  },
}

async function agentRows(queries: Queries, keys: KeyDeps, ids: string[]): Promise<Listed['agents'][]> {
  const rows = await queries
    .select({ row: agents, organization })
    .from(agents)
    .innerJoin(organizations, eq(organizations.id, agents.organizationId))
    .where(inArray(agents.id, ids))
  const found: Listed['agents'][] = []
  for (const [organizationId, organization] of new Map(
    rows.map((item) => [item.row.organizationId, item.organization]),
  )) {
    const ofOrganization: AgentRow[] = rows.map(({ row }) => row).filter((row) => row.organizationId === organizationId)
    for (const view of await agentViews(queries, keys, system, ofOrganization))
      found.push({
        id: view.id,
        name: view.name,
        description: view.description,
        status: view.status,
        collection_id: view.collection_id,
        organization_id: organizationId,
        organization,
        created_by: view.created_by,
        created_at: view.created_at,
      })
  }
  return found
}
