import { and, eq, isNull } from 'drizzle-orm'
import type { OnboardingInput, OrganizationEdit, OrganizationInput } from '../../../contract/organizations/organization'
import { unlimitedPlan } from '../../../contract/organizations/plan'
import type { OrganizationView, Plan, Usage, UsageRecord } from '../../../contract/views/organizations/organization'
import type { Database, Queries } from '../../../db/database'
import { agents } from '../../../db/schema/agents'
import { members, organizations } from '../../../db/schema/organizations'
import { plans } from '../../../db/schema/plans'
import { embeddedIssuer, users } from '../../../db/schema/users'
import { type Actor, personOf } from '../../actor'
import { AppError } from '../../errors'
import { assertUnlimited, authorize, can, notFound } from '../../policy'
import type { Sealer } from '../../sealing'
import { changedFields, recordEvent } from '../audit/record-event'
import { organizationKeySealingContext } from '../keys/agent-keys'
import { hiddenKey, keyHint, updateSealedKey } from '../keys/provider-keys'
import { currentUsage } from '../usage/current-usage'
import { usageRecordsOf } from '../usage/usage-records'
import type { UseCounters } from '../usage/use-counters'
import { findPlan, planView } from './plans'

type OrganizationRow = typeof organizations.$inferSelect

interface Deps {
  db: Database
  useCounters: Pick<UseCounters, 'write'>
  sealer: Sealer
  /** Organizations that one person may create. */
  maxPerPerson: number
  /** Name of the plan of organizations that people create. */
  defaultPlan: string
}

export function createOrganizations({ db, sealer, useCounters, maxPerPerson, defaultPlan }: Deps) {
  /**
   * Creates an organization with the actor as its administrator. A platform administrator's has no limits, and they
   * may create any number. Throws quota_exceeded for a person who has created `maxPerPerson`.
   */
  async function create(actor: Actor, input: OrganizationInput): Promise<OrganizationView> {
    assertUnlimited(actor)
    const creator = actor.kind === 'person' ? actor : null
    const hasNoLimits = creator === null || creator.staff || creator.lacksSecondFactor?.staff === true
    const plan = hasNoLimits ? unlimitedPlan : defaultPlan
    const row = await db.writeAlone(creator?.userId ?? [], async (tx) => {
      if (creator && !hasNoLimits) await assertCanCreate(tx, creator.userId)
      const values = { name: input.name, entityName: input.entity_name, plan, createdBy: creator?.userId ?? null }
      const [created] = await tx.insert(organizations).values(values).returning()
      if (!created) throw new Error('The organization was not stored.')
      if (creator)
        await tx.insert(members).values({ organizationId: created.id, userId: creator.userId, role: 'admin' })
      return created
    })
    const owned = { organizationId: row.id, role: 'admin' as const }
    return viewOf(creator ? { ...creator, memberships: [...creator.memberships, owned] } : actor, row)
  }

  /** Each organization has a plan of its own, so one free account could otherwise multiply its quotas. */
  async function assertCanCreate(queries: Queries, userId: string): Promise<void> {
    const created = and(eq(organizations.createdBy, userId), isNull(organizations.deletedAt))
    if ((await queries.$count(organizations, created)) < maxPerPerson) return
    const allowed = maxPerPerson === 1 ? '1 organization' : `${maxPerPerson} organizations`
    throw new AppError('quota_exceeded', `An account can create ${allowed}; ask the operator of this site for more.`)
  }

  async function get(actor: Actor, id: string): Promise<OrganizationView> {
    authorize(actor, 'organization:read', id)
    return viewOf(actor, await findOrganization(db.read, id))
  }

  /** Keeps absent fields; a change of the provider drops the key and model of the previous one. */
  async function update(actor: Actor, id: string, input: OrganizationEdit): Promise<OrganizationView> {
    authorize(actor, 'organization:edit', id)
    const row = await db.writeAlone(id, async (tx) => {
      // Read here, so that two changes at once do not undo each other.
      const before = await findOrganization(tx, id)
      const change = changeOf(before, input)
      if (change.requiresSecondFactor && !before.requiresSecondFactor) await assertHasSecondFactor(tx, actor)
      const [after] = await tx.update(organizations).set(change).where(eq(organizations.id, id)).returning()
      // The same key, saved again, may be valid now.
      const followers = and(
        eq(agents.organizationId, id),
        eq(agents.usesOrganizationKey, true),
        isNull(agents.providerKey),
      )
      if (input.default_agent_provider_key)
        await tx.update(agents).set({ refusedKeyHash: null, testFailure: null }).where(followers)
      const changes = changedFields(before, change)
      const subject = { id, name: change.name }
      if (changes.length > 0)
        await recordEvent(tx, actor, { organizationId: id, action: 'organization.edited', subject, changes })
      return after
    })
    if (!row) throw notFound()
    return viewOf(actor, row)
  }

  /** Who requires a second factor without having one would lose access. */
  async function assertHasSecondFactor(queries: Queries, actor: Actor): Promise<void> {
    const [user] = await queries
      .select({ issuer: users.issuer, secondFactorSince: users.secondFactorSince })
      .from(users)
      .where(eq(users.id, personOf(actor) ?? ''))
    if (user?.issuer !== embeddedIssuer || user.secondFactorSince !== null) return
    throw new AppError('conflict', 'Set up a second factor of your own first, on the page of your account.')
  }

  function changeOf(before: OrganizationRow, input: OrganizationEdit) {
    const { default_agent_provider: provider = before.defaultAgentProvider, default_agent_provider_key: key } = input
    // A key and a model belong to their provider.
    const same = provider === before.defaultAgentProvider
    const { default_agent_model: model = same ? before.defaultAgentModel : null } = input
    const former = same ? before.defaultAgentProviderKey : null
    return {
      name: input.name ?? before.name,
      entityName: input.entity_name ?? before.entityName,
      visitorDailyShare: input.visitor_daily_share ?? before.visitorDailyShare,
      // Null means for ever.
      threadDays: input.thread_days === undefined ? before.threadDays : input.thread_days,
      visitorDataDays: input.visitor_data_days === undefined ? before.visitorDataDays : input.visitor_data_days,
      runDays: input.run_days === undefined ? before.runDays : input.run_days,
      auditDays: input.audit_days ?? before.auditDays,
      replacesOldThreads: input.replaces_old_threads ?? before.replacesOldThreads,
      requiresSecondFactor: input.requires_second_factor ?? before.requiresSecondFactor,
      defaultAgentProvider: provider,
      defaultAgentModel: model || null,
      defaultAgentProviderKey: updateSealedKey(sealer, key, former, organizationKeySealingContext(before.id)),
    }
  }

  /** Stores the answers of the questionnaire. Throws not_found, and conflict if they are stored already. */
  async function onboard(actor: Actor, id: string, input: OnboardingInput): Promise<OrganizationView> {
    authorize(actor, 'organization:edit', id)
    const unanswered = and(eq(organizations.id, id), isNull(organizations.onboardedAt), isNull(organizations.deletedAt))
    const [row] = await db.writeOne((tx) =>
      tx
        .update(organizations)
        .set({ onboarding: { ...input }, onboardedAt: new Date() })
        .where(unanswered)
        .returning(),
    )
    if (!row) {
      await findOrganization(db.read, id)
      throw new AppError('conflict', 'This organization has already answered the questions.')
    }
    return viewOf(actor, row)
  }

  /** Returns the current usage of the organization; monthly meters of this month (UTC). */
  async function usage(actor: Actor, id: string): Promise<Usage> {
    authorize(actor, 'organization:read', id)
    await useCounters.write()
    return currentUsage(db.read, id)
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

  async function viewOf(actor: Actor, row: OrganizationRow): Promise<OrganizationView> {
    return view(actor, row, await findPlan(db.read, row.plan), sealer)
  }

  /** Returns the months (UTC) of the last year that were recorded, oldest first, and the current one. */
  async function usageHistory(actor: Actor, id: string): Promise<UsageRecord[]> {
    authorize(actor, 'organization:read', id)
    return (await usageRecordsOf(db.read, id)).slice(0, 12).reverse()
  }

  return { create, get, update, onboard, usage, usageHistory, planOf }
}

export type Organizations = ReturnType<typeof createOrganizations>

/** What a view of something in the organization names. Throws not_found. */
export async function organizationOf(queries: Queries, id: string): Promise<{ name: string }> {
  const [row] = await queries.select({ name: organizations.name }).from(organizations).where(eq(organizations.id, id))
  if (!row) throw notFound()
  return row
}

/** Throws not_found, also for a deleted organization whose content a job still deletes. */
export async function findOrganization(queries: Queries, id: string): Promise<OrganizationRow> {
  const [row] = await queries
    .select()
    .from(organizations)
    .where(and(eq(organizations.id, id), isNull(organizations.deletedAt)))
  if (!row) throw notFound()
  return row
}

/** The fields of an organization that concern neither its keys nor who asks. */
export function organizationFields(row: OrganizationRow, plan: Plan) {
  return {
    id: row.id,
    name: row.name,
    entity_name: row.entityName,
    default_agent_provider: row.defaultAgentProvider,
    default_agent_model: row.defaultAgentModel,
    visitor_daily_share: row.visitorDailyShare,
    thread_days: row.threadDays,
    visitor_data_days: row.visitorDataDays,
    run_days: row.runDays,
    audit_days: row.auditDays,
    replaces_old_threads: row.replacesOldThreads,
    requires_second_factor: row.requiresSecondFactor,
    onboarding: row.onboardedAt
      ? { ...(row.onboarding as unknown as OnboardingInput), created_at: row.onboardedAt.toISOString() }
      : null,
    plan,
    created_by: row.createdBy,
    created_at: row.createdAt.toISOString(),
  }
}

function view(actor: Actor, row: OrganizationRow, plan: Plan, sealer: Sealer): OrganizationView {
  const edit = can(actor, 'organization:edit', row.id)
  const sealedKey = row.defaultAgentProviderKey
  // Who cannot change the key sees only whether there is one.
  const hint = edit ? keyHint(sealer, sealedKey, organizationKeySealingContext(row.id)) : sealedKey && hiddenKey
  return {
    ...organizationFields(row, plan),
    default_agent_provider_key: hint,
    abilities: {
      edit,
      delete: can(actor, 'organization:delete', row.id),
      manageMembers: can(actor, 'member:edit', row.id),
      readAudit: can(actor, 'audit:read', row.id),
      addCollection: can(actor, 'collection:edit', row.id),
      addAgent: can(actor, 'agent:add', row.id),
      deleteThreads: can(actor, 'thread:delete', row.id),
    },
  }
}
