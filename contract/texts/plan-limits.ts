import type { PlanLimit } from '../organizations/plan'

/** What a person reads of the limits of a plan. */
export const planLimitLabels: Record<PlanLimit, string> = {
  collections: 'Collections',
  sources: 'Sources',
  urls: 'URLs',
  crawls: 'Crawls',
  agents: 'Agents',
  threads: 'Threads',
  messages: 'Messages',
  searches: 'Searches',
  api_requests: 'API Requests',
  storage: 'File Storage',
}
