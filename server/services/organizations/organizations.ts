import { and, eq, isNull } from 'drizzle-orm'
import type { OnboardingInput, OrganizationEdit, OrganizationInput } from '../../../contract/organization'
import { unlimitedPlan } from '../../../contract/plan'
import type { OrganizationView, Plan, Usage } from '../../../contract/views/organization'
import type { Database, Queries } from '../../../db/database'
import { agents } from '../../../db/schema/agents'
import { collections, sources } from '../../../db/schema/collections'
import { members, organizations } from '../../../db/schema/organizations'
import { plans } from '../../../db/schema/plans'
import { threads } from '../../../db/schema/threads'
import type { Actor } from '../../actor'
import { AppError } from '../../errors'
import { authorize, notFound } from '../../policy'
import type { Sealer } from '../../sealing'
import { organizationKeySealingContext } from '../keys/agent-keys'
import { keyHint, updateSealedKey } from '../keys/provider-keys'
import { usedInMonth } from '../usage/quota'
import { storageOf } from '../usage/storage'
import { countUrls } from '../usage/urls'
import { findPlan, planView } from './plans'

type OrganizationRow = typeof organizations.$inferSelect

interface Deps {
  db: Database
  sealer: Sealer
  /** Organizations that one person may create. */
  maxPerPerson: number
  /** Name of the plan of organizations that people create. */
  defaultPlan: string
}

export function createOrganizations({ db, sealer, maxPerPerson, defaultPlan }: Deps) {
  /**
   * Creates an organization with the actor as its administrator. A platform administrator's has no limits, and they
   * may create any number. Throws quota_exceeded for a person who has created `maxPerPerson`.
   */
  async function create(actor: Actor, input: OrganizationInput): Promise<OrganizationView> {
    const creator = actor.kind === 'person' ? actor : null
    const plan = creator && !creator.staff ? defaultPlan : unlimitedPlan
    const row = await db.write(async (tx) => {
      if (creator && !creator.staff) await assertCanCreate(tx, creator.userId)
      const values = { name: input.name, entityName: input.entity_name, plan, createdBy: creator?.userId ?? null }
      const [created] = await tx.insert(organizations).values(values).returning()
      if (!created) throw new Error('The organization was not stored.')
      if (creator)
        await tx.insert(members).values({ organizationId: created.id, userId: creator.userId, role: 'admin' })
      return created
    })
    return viewOf(row)
  }

  /** Each organization has a plan of its own, so one free account could otherwise multiply its quotas. */
  async function assertCanCreate(queries: Queries, userId: string): Promise<void> {
    if ((await queries.$count(organizations, eq(organizations.createdBy, userId))) < maxPerPerson) return
    const allowed = maxPerPerson === 1 ? '1 organization' : `${maxPerPerson} organizations`
    throw new AppError('quota_exceeded', `An account can create ${allowed}. Ask the operator of this site for more.`)
  }

  async function get(actor: Actor, id: string): Promise<OrganizationView> {
    authorize(actor, 'organization:read', id)
    return viewOf(await find(db.read, id))
  }

  /** Keeps absent fields; a change of the provider drops the key and model of the previous one. */
  async function update(actor: Actor, id: string, input: OrganizationEdit): Promise<OrganizationView> {
    authorize(actor, 'organization:edit', id)
    const before = await find(db.read, id)
    const sealingContext = organizationKeySealingContext(id)
    const { default_agent_provider: provider = before.defaultAgentProvider, default_agent_provider_key: key } = input
    // A key and a model belong to their provider.
    const same = provider === before.defaultAgentProvider
    const { default_agent_model: model = same ? before.defaultAgentModel : null } = input
    const change = {
      name: input.name ?? before.name,
      entityName: input.entity_name ?? before.entityName,
      defaultAgentProvider: provider,
      defaultAgentModel: model || null,
      defaultAgentProviderKey: updateSealedKey(
        sealer,
        key,
        same ? before.defaultAgentProviderKey : null,
        sealingContext,
      ),
    }
    const row = await db.write(async (tx) => {
      const [after] = await tx.update(organizations).set(change).where(eq(organizations.id, id)).returning()
      // The same key, saved again, may be valid now.
      const followers = and(
        eq(agents.organizationId, id),
        eq(agents.usesOrganizationKey, true),
        isNull(agents.providerKey),
      )
      if (key) await tx.update(agents).set({ refusedKeyHash: null }).where(followers)
      return after
    })
    if (!row) throw notFound()
    return viewOf(row)
  }

  /** Stores the answers of the questionnaire. Throws conflict if they are stored already. */
  async function onboard(actor: Actor, id: string, input: OnboardingInput): Promise<OrganizationView> {
    authorize(actor, 'organization:edit', id)
    const unanswered = and(eq(organizations.id, id), isNull(organizations.onboardedAt))
    const [row] = await db.writeOne((tx) =>
      tx
        .update(organizations)
        .set({ onboarding: { ...input }, onboardedAt: new Date() })
        .where(unanswered)
        .returning(),
    )
    if (!row) throw new AppError('conflict', 'This organization has answered the questions already.')
    return viewOf(row)
  }

  /** Returns the current usage of the organization; monthly meters of this month (UTC). */
  async function usage(actor: Actor, id: string): Promise<Usage> {
    authorize(actor, 'organization:read', id)
    const now = new Date()
    const visibleCollections = and(eq(collections.organizationId, id), isNull(collections.deletedAt))
    const visibleSources = and(eq(sources.organizationId, id), isNull(sources.deletedAt))
    return {
      collections: await db.read.$count(collections, visibleCollections),
      sources: await db.read.$count(sources, visibleSources),
      urls: await countUrls(db.read, id),
      crawls: await usedInMonth(db.read, id, 'crawls', now),
      agents: await db.read.$count(agents, eq(agents.organizationId, id)),
      threads: await db.read.$count(threads, eq(threads.organizationId, id)),
      messages: await usedInMonth(db.read, id, 'messages', now),
      searches: await usedInMonth(db.read, id, 'searches', now),
      api_requests: await usedInMonth(db.read, id, 'apiRequests', now),
      storage: await storageOf(db.read, id),
    }
  }

  /** Returns the limits of the organization's plan. Throws not_found. */
  async function planOf(queries: Queries, id: string): Promise<Plan> {
    const [row] = await queries
      .select({ plan: plans })
      .from(organizations)
      .innerJoin(plans, eq(plans.name, organizations.plan))
      .where(eq(organizations.id, id))
    if (!row) throw notFound()
    return planView(row.plan)
  }

  async function viewOf(row: OrganizationRow): Promise<OrganizationView> {
    return view(row, await findPlan(db.read, row.plan), sealer)
  }

  return { create, get, update, onboard, usage, planOf }
}

export type Organizations = ReturnType<typeof createOrganizations>

async function find(queries: Queries, id: string): Promise<OrganizationRow> {
  const [row] = await queries.select().from(organizations).where(eq(organizations.id, id))
  if (!row) throw notFound()
  return row
}

function view(row: OrganizationRow, plan: Plan, sealer: Sealer): OrganizationView {
  return {
    id: row.id,
    name: row.name,
    entity_name: row.entityName,
    default_agent_provider: row.defaultAgentProvider,
    default_agent_model: row.defaultAgentModel,
    default_agent_provider_key: keyHint(sealer, row.defaultAgentProviderKey, organizationKeySealingContext(row.id)),
    onboarding: row.onboardedAt
      ? { ...(row.onboarding as unknown as OnboardingInput), created_at: row.onboardedAt.toISOString() }
      : null,
    plan,
    created_by: row.createdBy,
    created_at: row.createdAt.toISOString(),
  }
}
