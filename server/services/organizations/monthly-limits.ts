import { LRUCache } from 'lru-cache'
import type { Database } from '../../../db/database'
import { type Actor, personOf } from '../../actor'
import { monthlyLimitReached, visitorShareUsedUp } from '../usage/plan-limits'
import type { Use, UseCounters } from '../usage/use-counters'
import { isVisitor } from '../usage/visitor-share'
import type { Organizations } from './organizations'

type Meter = 'searches' | 'apiRequests'

const nouns: Record<Meter, string> = { searches: 'search', apiRequests: 'API request' }

interface CountOptions<Result> {
  repeatKey?: string | null
  isCounted?: (result: Result) => boolean
}

interface Deps {
  db: Database
  organizations: Pick<Organizations, 'planOf'>
  useCounters: Pick<UseCounters, 'take' | 'refund'>
}

export type MonthlyLimits = ReturnType<typeof createMonthlyLimits>

const maxRepeatKeys = 1_000
const repeatMs = 60_000

/** Counts what reads only, and therefore has no transaction of its own to be counted in. */
export function createMonthlyLimits({ db, organizations, useCounters }: Deps) {
  const repeats = new LRUCache<string, true>({ max: maxRepeatKeys, ttl: repeatMs })

  /**
   * Runs `work` and counts it as one use by the organization, unless it fails or `isCounted` rejects its result. With a
   * `repeatKey`, repeats with the same key by the same person are not counted until a minute passes without one. Throws
   * quota_exceeded if the limit, or the visitors' share of a day, is reached, and the errors of `work`.
   */
  async function count<Result>(
    actor: Actor,
    organizationId: string,
    meter: Meter,
    work: () => Promise<Result>,
    { repeatKey = null, isCounted = () => true }: CountOptions<Result> = {},
  ): Promise<Result> {
    const person = personOf(actor)
    const key = person && repeatKey && JSON.stringify([person, organizationId, meter, repeatKey])
    if (key && repeats.has(key)) {
      repeats.set(key, true)
      return work()
    }
    const use = await take(actor, organizationId, meter)
    try {
      const result = await work()
      if (key) repeats.set(key, true)
      if (!isCounted(result)) useCounters.refund(use)
      return result
    } catch (error) {
      useCounters.refund(use)
      throw error
    }
  }

  async function take(actor: Actor, organizationId: string, meter: Meter): Promise<Use> {
    const { searches, api_requests: apiRequests } = await organizations.planOf(db.read, organizationId)
    const limit = { searches, apiRequests }[meter]
    const use = { organizationId, meter, limit, at: new Date(), isByVisitor: isVisitor(actor) }
    const result = await useCounters.take(use)
    if (result === 'limit-reached') throw monthlyLimitReached({ actor, organizationId }, limit, nouns[meter])
    if (result === 'share-used-up') throw visitorShareUsedUp()
    return use
  }

  return { count }
}
