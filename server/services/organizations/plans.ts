import { and, asc, eq, isNull } from 'drizzle-orm'
import { initialPlans, type PlanChange, unlimitedPlan } from '../../../contract/organizations/plan'
import type { Plan } from '../../../contract/views/organizations/organization'
import type { Database, Queries } from '../../../db/database'
import { organizations } from '../../../db/schema/organizations'
import { plans } from '../../../db/schema/plans'
import type { Actor } from '../../actor'
import { AppError } from '../../errors'
import { notFound } from '../../policy'
import { changedFields, recordEvent } from '../audit/record-event'

type PlanRow = typeof plans.$inferSelect

/** The plans of the installation. All methods for an actor throw forbidden unless the product itself acts. */
export function createPlans({ db }: { db: Database }) {
  return {
    /** Creates the initial plans that are missing. Keeps changed ones. */
    async createInitial(): Promise<void> {
      const initial = Object.values(initialPlans)
      const existing = new Set((await db.read.select({ name: plans.name }).from(plans)).map(({ name }) => name))
      // Without this check, each start would write, which fails on a full disk.
      if (initial.every(({ name }) => existing.has(name))) return
      await db.write((tx) => tx.insert(plans).values(initial.map(planRow)).onConflictDoNothing())
    },

    async has(name: string): Promise<boolean> {
      return (await db.read.$count(plans, eq(plans.name, name))) > 0
    },

    /** Lists all plans by name. */
    async list(actor: Actor): Promise<Plan[]> {
      requireSystem(actor)
      return (await db.read.select().from(plans).orderBy(asc(plans.name))).map(planView)
    },

    /**
     * Changes a plan, or creates it with the limits in `change` and no others. Throws conflict for the plan without
     * limits.
     */
    async set(actor: Actor, name: string, change: PlanChange): Promise<Plan> {
      requireSystem(actor)
      if (name === unlimitedPlan)
        throw new AppError(
          'conflict',
          `The plan ${unlimitedPlan} has no limits and cannot be changed. Set another one.`,
        )
      const { display_name: displayName, api_requests: apiRequests, ...limits } = change
      const set = {
        ...limits,
        ...(displayName === undefined ? {} : { displayName }),
        ...(apiRequests === undefined ? {} : { apiRequests }),
      }
      const row = await db.writeAlone(`plan ${name}`, async (tx) => {
        await tx.insert(plans).values({ name, displayName: name }).onConflictDoNothing()
        const [before] = await tx.select().from(plans).where(eq(plans.name, name))
        if (Object.keys(set).length > 0) await tx.update(plans).set(set).where(eq(plans.name, name))
        const changes = before ? changedFields(before, set) : []
        await recordEvent(tx, actor, {
          organizationId: null,
          action: 'plan.edited',
          subject: { id: name, name },
          changes,
        })
        return findPlan(tx, name)
      })
      return row
    },

    /** Gives an organization a plan, at once. Removes nothing that exceeds it. Throws not_found. */
    async assign(actor: Actor, organizationId: string, name: string): Promise<Plan> {
      requireSystem(actor)
      return db.writeAlone(organizationId, async (tx) => {
        if ((await tx.$count(plans, eq(plans.name, name))) === 0)
          throw new AppError('not_found', `There is no plan '${name}'. To see the plans: sitelore plans list`)
        const isAssigned = and(eq(organizations.id, organizationId), isNull(organizations.deletedAt))
        const [before] = await tx.select().from(organizations).where(isAssigned)
        if (!before) throw notFound()
        await tx.update(organizations).set({ plan: name }).where(isAssigned)
        const subject = { id: organizationId, name: before.name }
        const changes = [{ field: 'plan', from: before.plan, to: name }]
        await recordEvent(tx, actor, { organizationId, action: 'organization.plan-assigned', subject, changes })
        return findPlan(tx, name)
      })
    },
  }
}

/** Returns a plan that is known to exist. */
export async function findPlan(queries: Queries, name: string): Promise<Plan> {
  const [row] = await queries.select().from(plans).where(eq(plans.name, name))
  if (!row) throw new Error(`There is no plan '${name}'.`)
  return planView(row)
}

export function planView({ displayName, apiRequests, ...limits }: PlanRow): Plan {
  return { ...limits, display_name: displayName, api_requests: apiRequests }
}

function planRow({ display_name, api_requests, ...limits }: Plan): PlanRow {
  return { ...limits, displayName: display_name, apiRequests: api_requests }
}

function requireSystem(actor: Actor): void {
  if (actor.kind !== 'system') throw new AppError('forbidden', 'Only the command line can read and change plans.')
}
