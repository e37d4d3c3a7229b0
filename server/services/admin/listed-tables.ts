import { eq, inArray, isNull } from 'drizzle-orm'
import type { AdminListName } from '../../../contract/admin'
import { addresses } from '../../../db/schema/addresses'
import { agents } from '../../../db/schema/agents'
import { collections, sources } from '../../../db/schema/collections'
import { organizations } from '../../../db/schema/organizations'
import { threads } from '../../../db/schema/threads'
import { users } from '../../../db/schema/users'
import { equals, inCurrentOrganizations, inCurrentSources, type ListedTable } from './list-ids'

/** The tables of the seven lists, with the columns that sort and filter them. */
export const listedTables: { [Name in AdminListName]: ListedTable<Name> } = {
  users: {
    table: users,
    id: users.id,
    orders: { email: users.emailNormalized, name: users.name, surname: users.surname, created_at: users.createdAt },
    filters: {},
    visible: async () => undefined,
  },
  organizations: {
    table: organizations,
    id: organizations.id,
    orders: {
      name: organizations.name,
      plan: organizations.plan,
      onboarding: organizations.onboardedAt,
      created_at: organizations.createdAt,
    },
    filters: { created_by: equals(organizations.createdBy) },
    visible: async () => isNull(organizations.deletedAt),
  },
  collections: {
    table: collections,
    id: collections.id,
    orders: { name: collections.name, created_at: collections.createdAt },
    filters: { created_by: equals(collections.createdBy), organization_id: equals(collections.organizationId) },
    visible: async () => isNull(collections.deletedAt),
  },
  sources: {
    table: sources,
    id: sources.id,
    orders: { type: sources.type, status: sources.status, name: sources.name, created_at: sources.createdAt },
    filters: {
      created_by: equals(sources.createdBy),
      organization_id: equals(sources.organizationId),
      collection_id: equals(sources.collectionId),
    },
    visible: async () => isNull(sources.deletedAt),
  },
  urls: {
    table: addresses,
    id: addresses.id,
    orders: { created_at: addresses.createdAt },
    filters: {
      // An address belongs to whoever created its source.
      created_by: (queries, userId) =>
        inArray(
          addresses.sourceId,
          queries.select({ id: sources.id }).from(sources).where(eq(sources.createdBy, userId)),
        ),
      organization_id: equals(addresses.organizationId),
      source_id: equals(addresses.sourceId),
      collection_id: equals(addresses.collectionId),
    },
    visible: (queries) => inCurrentSources(queries, addresses.sourceId),
  },
  agents: {
    table: agents,
    id: agents.id,
    orders: { name: agents.name, created_at: agents.createdAt },
    filters: {
      created_by: equals(agents.createdBy),
      organization_id: equals(agents.organizationId),
      collection_id: equals(agents.collectionId),
    },
    visible: (queries) => inCurrentOrganizations(queries, agents.organizationId),
  },
  threads: {
    table: threads,
    id: threads.id,
    orders: { created_at: threads.createdAt },
    filters: {
      created_by: equals(threads.createdBy),
      organization_id: equals(threads.organizationId),
      agent_id: equals(threads.agentId),
    },
    visible: (queries) => inCurrentOrganizations(queries, threads.organizationId),
  },
}
