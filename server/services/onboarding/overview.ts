import { and, count, desc, eq, gte, inArray, isNull, max, sql, sum } from 'drizzle-orm'
import { agentStatuses, messageStatuses, providers } from '../../../contract/values/enumerations'
import { parseUrl } from '../../../contract/values/url'
import type { AgentView } from '../../../contract/views/chat/agent'
import type { OverviewView, RecentCollection, RecentQuestion } from '../../../contract/views/overview'
import type { Database } from '../../../db/database'
import { addresses, fragments } from '../../../db/schema/addresses'
import { agents as agentTable } from '../../../db/schema/agents'
import { collections, sources } from '../../../db/schema/collections'
import { organizations } from '../../../db/schema/organizations'
import { messages, threads } from '../../../db/schema/threads'
import type { Actor } from '../../actor'
import { authorize } from '../../policy'
import type { Agents } from '../agents/agents'
import type { Embedding } from '../indexing/embedding'
import { type KeyDeps, keyHash, organizationKey, type ServerKeys, storedKeys } from '../keys/agent-keys'
import type { Notices } from '../notices/notices'
import type { Sources } from '../sources/sources'
import { countsTowardLimit } from '../usage/urls'
import { questionDays } from './question-days'

interface Deps {
  db: Database
  agents: Pick<Agents, 'list'>
  sources: Pick<Sources, 'inProgress'>
  embedding: Pick<Embedding, 'state'>
  notices: Pick<Notices, 'list'>
  sealer: KeyDeps['sealer']
  serverKeys: ServerKeys
}

const maxRows = 5
const maxFailed = 3
const unansweredDays = 7
const dayMs = 86_400_000

/** Statuses that end only when a person does something. */
const needing: readonly number[] = [
  agentStatuses.error,
  agentStatuses.noCollection,
  agentStatuses.noProviderKey,
  agentStatuses.invalidProviderKey,
]

/** What the dashboard shows of an organization besides its usage. */
export function createOverview({ db, agents, sources: sourceService, embedding, notices, sealer, serverKeys }: Deps) {
  async function get(actor: Actor, organizationId: string): Promise<OverviewView> {
    authorize(actor, 'organization:read', organizationId)
    const isIndexed = embedding.state().kind !== 'unavailable'
    const { docs: listed } = await agents.list(actor, organizationId, { page: 1, limit: 100 })
    return {
      collections: await recentCollections(organizationId),
      crawls: await sourceService.inProgress(actor, organizationId, { isIndexed, limit: maxRows }),
      questions: await recentQuestions(organizationId),
      question_days: await questionDays(db.read, organizationId, new Date()),
      notices: await notices.list(actor, organizationId),
      failed_sources: await failedSources(organizationId),
      agents_in_need: listed
        .filter(({ status }) => needing.includes(status))
        .map(({ id, name, status }) => ({ id, name, status })),
      unanswered: await countUnanswered(organizationId),
      pending_embeddings: await countPendingEmbeddings(organizationId),
      has_answer: await hasAnswer(organizationId),
      has_key: listed.some(({ key_source: source }) => source !== null) || (await hasDefaultKey(organizationId)),
      has_tested_key: await hasTestedKey(organizationId),
      first_agent: firstAgentOf(listed),
    }
  }

  async function recentCollections(organizationId: string): Promise<RecentCollection[]> {
    const refreshed = max(sources.refreshedAt)
    const failed = sum(sql<number>`case when ${sources.status} = 'fail' then 1 else 0 end`)
    const rows = await db.read
      .select({ id: collections.id, name: collections.name, sources: count(sources.id), failed, refreshed })
      .from(collections)
      .leftJoin(sources, and(eq(sources.collectionId, collections.id), isNull(sources.deletedAt)))
      .where(and(eq(collections.organizationId, organizationId), isNull(collections.deletedAt)))
      .groupBy(collections.id, collections.name, collections.createdAt)
      .orderBy(desc(collections.createdAt), desc(collections.id))
      .limit(maxRows)
    const ids = rows.map(({ id }) => id)
    const counts = await db.read
      .select({ id: addresses.collectionId, many: count() })
      .from(addresses)
      .innerJoin(sources, eq(sources.id, addresses.sourceId))
      .where(and(inArray(addresses.collectionId, ids), isNull(sources.deletedAt), countsTowardLimit()))
      .groupBy(addresses.collectionId)
    return rows.map(({ failed: failedSources, refreshed: refreshedAt, ...row }) => ({
      ...row,
      failed_sources: Number(failedSources ?? 0),
      addresses: counts.find(({ id }) => id === row.id)?.many ?? 0,
      refreshed_at: refreshedAt?.toISOString() ?? null,
    }))
  }

  async function recentQuestions(organizationId: string): Promise<RecentQuestion[]> {
    const rows = await db.read
      .select({ thread: threads, agent: agentTable.name })
      .from(threads)
      .leftJoin(agentTable, eq(agentTable.id, threads.agentId))
      .where(eq(threads.organizationId, organizationId))
      .orderBy(desc(threads.createdAt), desc(threads.id))
      .limit(maxRows)
    const ids = rows.map(({ thread }) => thread.id)
    const answers = await db.read
      .select({ threadId: messages.threadId, verdict: messages.verdict })
      .from(messages)
      .where(and(inArray(messages.threadId, ids), eq(messages.role, 'agent')))
      .orderBy(messages.createdAt)
    return rows.map(({ thread, agent }) => ({
      thread_id: thread.id,
      title: thread.title,
      agent,
      // People ask in the dashboard, whose own address says nothing.
      origin: thread.createdBy === null && thread.metaOrigin ? hostOf(thread.metaOrigin) : null,
      verdict: answers.find(({ threadId }) => threadId === thread.id)?.verdict ?? null,
      created_at: thread.createdAt.toISOString(),
    }))
  }

  async function failedSources(organizationId: string): Promise<OverviewView['failed_sources']> {
    const { id, collectionId, name, message } = sources
    const rows = await db.read
      .select({ id, collection_id: collectionId, name, message })
      .from(collections)
      .innerJoin(sources, eq(sources.collectionId, collections.id))
      .where(
        and(
          eq(collections.organizationId, organizationId),
          isNull(collections.deletedAt),
          isNull(sources.deletedAt),
          eq(sources.status, 'fail'),
        ),
      )
      .orderBy(desc(sources.createdAt), desc(sources.id))
    return { docs: rows.slice(0, maxFailed), total: rows.length }
  }

  async function countUnanswered(organizationId: string): Promise<number> {
    const since = new Date(Date.now() - unansweredDays * dayMs)
    const [row] = await db.read
      .select({ many: count() })
      .from(threads)
      .innerJoin(messages, eq(messages.threadId, threads.id))
      .where(
        and(
          eq(threads.organizationId, organizationId),
          gte(threads.createdAt, since),
          eq(messages.verdict, 'not-found'),
        ),
      )
    return row?.many ?? 0
  }

  /** Counts by collection, for which an index exists. */
  async function countPendingEmbeddings(organizationId: string): Promise<number> {
    const [row] = await db.read
      .select({ many: count() })
      .from(collections)
      .innerJoin(fragments, and(eq(fragments.collectionId, collections.id), isNull(fragments.vectorModel)))
      .where(and(eq(collections.organizationId, organizationId), isNull(collections.deletedAt)))
    return row?.many ?? 0
  }

  async function hasAnswer(organizationId: string): Promise<boolean> {
    const rows = await db.read
      .select({ id: messages.id })
      .from(threads)
      .innerJoin(messages, eq(messages.threadId, threads.id))
      .where(
        and(
          eq(threads.organizationId, organizationId),
          eq(messages.role, 'agent'),
          inArray(messages.status, [messageStatuses.delivered, messageStatuses.read]),
        ),
      )
      .limit(1)
    return rows.length > 0
  }

  /** Whether an agent that takes the defaults gets a key. */
  async function hasDefaultKey(organizationId: string): Promise<boolean> {
    const defaults = await organizationKey(db.read, organizationId)
    const own = providers.find((name) => name === defaults?.provider)
    if (own) return defaults?.sealedKey != null || serverKeys[own] !== null
    return providers.some((name) => serverKeys[name] !== null)
  }

  /** Whether a provider has accepted a key that is in use. Those of the server are the operator's matter. */
  async function hasTestedKey(organizationId: string): Promise<boolean> {
    if (providers.some((name) => serverKeys[name] !== null)) return true
    const [row] = await db.read
      .select({ acceptedKeyHash: organizations.acceptedKeyHash })
      .from(organizations)
      .where(eq(organizations.id, organizationId))
    if (!row?.acceptedKeyHash) return false
    const stored = await storedKeys(db.read, sealer, organizationId)
    return stored.some((apiKey) => keyHash(apiKey) === row.acceptedKeyHash)
  }

  return { get }
}

/** Prefers an agent that can answer, then one that has a collection. */
function firstAgentOf(listed: Pick<AgentView, 'id' | 'status' | 'collection_id'>[]): OverviewView['first_agent'] {
  const ready = listed.find(({ status }) => status === agentStatuses.operational)
  const first = ready ?? listed.find(({ collection_id: linked }) => linked !== null) ?? listed[0]
  return first ? { id: first.id, is_ready: ready !== undefined } : null
}

function hostOf(origin: string): string {
  return parseUrl(origin)?.host ?? origin
}
