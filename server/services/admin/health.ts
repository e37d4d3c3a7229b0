import { and, count, desc, eq, gt, isNotNull, isNull, or } from 'drizzle-orm'
import type { HealthView, JobsOfKind, MachineState, SearchIndexView } from '../../../contract/views/health'
import type { InstalledModelsView } from '../../../contract/views/model'
import type { Database } from '../../../db/database'
import { agents } from '../../../db/schema/agents'
import { collections, sources } from '../../../db/schema/collections'
import { organizations } from '../../../db/schema/organizations'
import type { Actor } from '../../actor'
import type { ModelStore } from '../../engine/ports/model-store'
import { assertStaff } from '../../policy'
import type { EmbeddingState } from '../indexing/embedding-models'
import { jobsByKind } from '../jobs/job-overview'
import { countWorkers } from '../jobs/workers'
import type { Reranking } from '../search/reranking'
import { indexBacklog } from './readings'

export interface HealthDeps {
  db: Database
  machine(): Promise<MachineState>
  backups(): Promise<HealthView['backups']>
  embedding: { state(): EmbeddingState; defaultModel: string }
  reranker: Reranking['state']
  searchIndex(): Promise<SearchIndexView | null>
  models: ModelStore
  /** Destinations that the configuration lets this server speak to, and why. */
  outbound: HealthView['outbound']
}

const listed = 10

/** What operators need to know of the installation. Throws not_found for everybody else. */
export function createHealth({ db, machine, backups, embedding, reranker, searchIndex, models, outbound }: HealthDeps) {
  async function health(actor: Actor): Promise<HealthView> {
    assertStaff(actor)
    const { read } = db
    return {
      ...(await machine()),
      jobs: await jobsByKind(read),
      backups: await backups(),
      backlog: await indexBacklog(read),
      search_index: await searchIndex(),
      workers: await countWorkers(read),
      failing_sources: await failingSources(),
      failing_agents: await failingAgents(),
      embedding: embeddingOf(embedding.state()),
      reranker: rerankerOf(reranker()),
      models: await modelsWithUse(),
      outbound,
    }
  }

  async function modelsWithUse(): Promise<InstalledModelsView> {
    const { installed, available } = await models.list()
    const rows = await db.read
      .select({ name: collections.embeddingModel, collections: count() })
      .from(collections)
      .where(isNull(collections.deletedAt))
      .groupBy(collections.embeddingModel)
    const countOf = (isIt: (name: string) => boolean) =>
      rows.reduce((sum, row) => sum + (isIt(row.name ?? embedding.defaultModel) ? row.collections : 0), 0)
    return {
      installed: installed.map((model) => ({ ...model, collections: countOf((name) => name === model.name) })),
      available,
    }
  }

  async function jobs(actor: Actor): Promise<JobsOfKind[]> {
    assertStaff(actor)
    return jobsByKind(db.read)
  }

  async function failingSources(): Promise<HealthView['failing_sources']> {
    const failing = and(eq(sources.status, 'fail'), isNull(sources.deletedAt))
    const { id, name, message, refreshedAt } = sources
    const newest = await db.read
      .select({ id, name, message, refreshedAt, organization: organizations.name })
      .from(sources)
      .innerJoin(organizations, eq(organizations.id, sources.organizationId))
      .where(failing)
      .orderBy(desc(refreshedAt))
      .limit(listed)
    return {
      total: await db.read.$count(sources, failing),
      docs: newest.map(({ refreshedAt: time, ...source }) => ({
        ...source,
        refreshed_at: time?.toISOString() ?? null,
      })),
    }
  }

  async function failingAgents(): Promise<HealthView['failing_agents']> {
    const failing = or(gt(agents.failedAnswers, 0), isNotNull(agents.refusedKeyHash))
    const rows = await db.read.select().from(agents).where(failing).orderBy(desc(agents.failedAnswers)).limit(listed)
    return {
      total: await db.read.$count(agents, failing),
      docs: rows.map(({ id, name, failedAnswers, refusedKeyHash }) => ({
        id,
        name,
        failed_answers: failedAnswers,
        key_refused: refusedKeyHash !== null,
      })),
    }
  }

  return { health, jobs }
}

function embeddingOf(state: EmbeddingState): HealthView['embedding'] {
  switch (state.kind) {
    case 'ready':
      return { model: state.model }
    case 'unavailable':
      return { unavailable: state.reason }
    default:
      return 'starting'
  }
}

function rerankerOf(reranker: ReturnType<Reranking['state']>): HealthView['reranker'] {
  if (!reranker) return null
  const { model, state } = reranker
  return { model, is_ready: state.kind === 'ready', problem: state.kind === 'unavailable' ? state.reason : null }
}
