import { z } from 'zod'
import type { Plan } from '../views/organizations/organization'

/** What a plan limits, in the order in which it is shown. */
export const planLimits = [
  'collections',
  'sources',
  'urls',
  'crawls',
  'agents',
  'threads',
  'messages',
  'searches',
  'api_requests',
  'storage',
] as const satisfies (keyof Plan)[]
export type PlanLimit = (typeof planLimits)[number]

/** The plans of a new installation. `plans` of the database has the current ones. */
export const initialPlans = {
  free: {
    name: 'free',
    display_name: 'Free Plan',
    collections: 5,
    sources: 10,
    urls: 2_000,
    crawls: 10_000,
    agents: 3,
    threads: 1_000,
    messages: 500,
    searches: 10_000,
    api_requests: 10_000,
    storage: 512 * 1024 * 1024,
  },
  unlimited: {
    name: 'unlimited',
    display_name: 'No limits',
    collections: 0,
    sources: 0,
    urls: 0,
    crawls: 0,
    agents: 0,
    threads: 0,
    messages: 0,
    searches: 0,
    api_requests: 0,
    storage: 0,
  },
} satisfies Record<string, Plan>

/** The plan of organizations that a platform administrator or the command line creates. */
export const unlimitedPlan = initialPlans.unlimited.name

export const planNameSchema = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, { error: 'must be at most 32 lowercase letters, digits and hyphens' })

/** What `plans set` changes: absent fields stay. */
export type PlanChange = Partial<Omit<Plan, 'name'>>

export const displayNameSchema = z
  .string()
  .trim()
  .min(1, { error: 'must not be empty' })
  .max(32, { error: 'must have at most 32 characters' })
