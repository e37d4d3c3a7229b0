import { LRUCache } from 'lru-cache'
import type { Database } from '../../../db/database'
import { type Actor, personOf } from '../../actor'
import { isAppError } from '../../errors'
import type { Organizations } from '../organizations/organizations'
import { monthlyLimitReached } from './plan-limits'
import { giveBack, reserve } from './quota'

type Meter = 'searches' | 'apiRequests'

const nouns: Record<Meter, string> = { searches: 'search', apiRequests: 'API request' }

interface Deps {
  db: Database
  organizations: Pick<Organizations, 'planOf'>
}

export type MonthlyLimits = ReturnType<typeof createMonthlyLimits>

const maxRepeatKeys = 1_000
const repeatMs = 60_000

/** Counts what reads only, and therefore has no transaction of its own to be counted in. */
export function createMonthlyLimits({ db, organizations }: Deps) {
  const repeats = new LRUCache<string, true>({ max: maxRepeatKeys, ttl: repeatMs })

  /** Counts one use by the organization. Throws quota_exceeded, and counts nothing, if the limit is reached. */
  async function take(actor: Actor, organizationId: string, meter: Meter): Promise<void> {
    const { searches, api_requests: apiRequests } = await organizations.planOf(db.read, organizationId)
    const limit = { searches, apiRequests }[meter]
    const isAdmitted = await unlessStorageFull(
      db.writeOne((tx) => reserve(tx, organizationId, meter, limit)),
      true,
    )
    if (!isAdmitted) throw monthlyLimitReached({ actor, organizationId }, limit, nouns[meter])
  }

  /**
   * Runs `work` and counts it as one use, unless it fails. With a `repeatKey`, repeats with the same key by the same person
   * are not counted until a minute passes without one. Throws as `take` does, and the errors of `work`.
   */
  async function count<Result>(
    actor: Actor,
    organizationId: string,
    meter: Meter,
    work: () => Promise<Result>,
    repeatKey: string | null = null,
  ): Promise<Result> {
    const person = personOf(actor)
    const key = person && repeatKey && JSON.stringify([person, organizationId, meter, repeatKey])
    if (key && repeats.has(key)) {
      repeats.set(key, true)
      return work()
    }
    const at = new Date()
    await take(actor, organizationId, meter)
    try {
      const result = await work()
      if (key) repeats.set(key, true)
      return result
    } catch (error) {
      await unlessStorageFull(
        db.writeOne((tx) => giveBack(tx, organizationId, meter, 1, at)),
        undefined,
      )
      throw error
    }
  }

  return { take, count }
}

/** What reads only must work on a full disk, where it cannot be counted. */
async function unlessStorageFull<Value>(result: Promise<Value>, otherwise: Value): Promise<Value> {
  try {
    return await result
  } catch (error) {
    if (isAppError(error) && error.code === 'storage_full') return otherwise
    throw error
  }
}
