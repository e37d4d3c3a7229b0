import { and, eq, isNull } from 'drizzle-orm'
import type { Usage } from '../../../contract/views/organizations/organization'
import type { Queries } from '../../../db/database'
import { agents } from '../../../db/schema/agents'
import { collections, sources } from '../../../db/schema/collections'
import { threads } from '../../../db/schema/threads'
import { usage } from '../../../db/schema/usage'
import { monthOf } from './quota'
import { storageOf } from './storage'
import { countUrls } from './urls'

type Totals = Pick<Usage, 'collections' | 'sources' | 'urls' | 'agents' | 'threads' | 'storage'>

/** Counts what the organization contains. */
export async function totalsOf(queries: Queries, organizationId: string): Promise<Totals> {
  const visibleCollections = and(eq(collections.organizationId, organizationId), isNull(collections.deletedAt))
  const visibleSources = and(eq(sources.organizationId, organizationId), isNull(sources.deletedAt))
  return {
    collections: await queries.$count(collections, visibleCollections),
    sources: await queries.$count(sources, visibleSources),
    urls: await countUrls(queries, organizationId),
    agents: await queries.$count(agents, eq(agents.organizationId, organizationId)),
    threads: await queries.$count(threads, eq(threads.organizationId, organizationId)),
    storage: await storageOf(queries, organizationId),
  }
}

/** Returns what the organization contains, and what it has used in the month of `at`. */
export async function currentUsage(queries: Queries, organizationId: string, time = new Date()): Promise<Usage> {
  const { crawls, messages, searches, apiRequests } = usage
  const [month] = await queries
    .select({ crawls, messages, searches, api_requests: apiRequests })
    .from(usage)
    .where(monthOf(organizationId, time))
  return {
    ...(await totalsOf(queries, organizationId)),
    ...(month ?? { crawls: 0, messages: 0, searches: 0, api_requests: 0 }),
  }
}
