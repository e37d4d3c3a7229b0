import type { Plan } from './views/organization'

export const planNames = ['free', 'unlimited'] as const
export type PlanName = (typeof planNames)[number]

export const plans: Record<PlanName, Plan> = {
  free: {
    name: 'free',
    collections: 5,
    sources: 10,
    urls: 2_000,
    crawls: 10_000,
    agents: 3,
    threads: 1_000,
    messages: 500,
    storage: 512 * 1024 * 1024,
  },
  unlimited: {
    name: 'unlimited',
    collections: 0,
    sources: 0,
    urls: 0,
    crawls: 0,
    agents: 0,
    threads: 0,
    messages: 0,
    storage: 0,
  },
}

export const planLabels: Record<PlanName, string> = { free: 'Free Plan', unlimited: 'No limits' }
