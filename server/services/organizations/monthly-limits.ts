import { LRUCache } from 'lru-cache'
import type { Database } from '../../../db/database'
import { type Actor, personOf } from '../../actor'
import { isAppError } from '../../errors'
import { monthlyLimitReached, visitorShareUsedUp } from '../usage/plan-limits'
import { refund, reserve } from '../usage/quota'
import { isVisitor, refundVisitorShare, takeVisitorShare } from '../usage/visitor-share'
import type { Organizations } from './organizations'

type Meter = 'searches' | 'apiRequests'

const nouns: Record<Meter, string> = { searches: 'search', apiRequests: 'API request' }

interface Use {
  organizationId: string
  meter: Meter
  at: Date
  isByVisitor: boolean
}

interface CountOptions<Result> {
  repeatKey?: string | null
  isCounted?: (result: Result) => boolean
}

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
    const use: Use = { organizationId, meter, at: new Date(), isByVisitor: isVisitor(actor) }
    await take(actor, use)
    try {
      const result = await work()
      if (key) repeats.set(key, true)
      if (!isCounted(result)) await refundUse(use)
      return result
    } catch (error) {
      await refundUse(use)
      throw error
    }
  }

  async function take(actor: Actor, { organizationId, meter, at, isByVisitor }: Use): Promise<void> {
    const { searches, api_requests: apiRequests } = await organizations.planOf(db.read, organizationId)
    const limit = { searches, apiRequests }[meter]
    const reached = monthlyLimitReached({ actor, organizationId }, limit, nouns[meter])
    await unlessStorageFull(
      isByVisitor
        ? db.write(async (tx) => {
            if (!(await reserve(tx, organizationId, meter, limit, at))) throw reached
            if (!(await takeVisitorShare(tx, organizationId, meter, limit, at))) throw visitorShareUsedUp()
          })
        : db.writeOne(async (tx) => {
            if (!(await reserve(tx, organizationId, meter, limit, at))) throw reached
          }),
    )
  }

  async function refundUse({ organizationId, meter, at, isByVisitor }: Use): Promise<void> {
    await unlessStorageFull(
      isByVisitor
        ? db.write(async (tx) => {
            await refund(tx, organizationId, meter, 1, at)
            await refundVisitorShare(tx, organizationId, meter, at)
          })
        : db.writeOne((tx) => refund(tx, organizationId, meter, 1, at)),
    )
  }

  return { count }
}

/** What reads only must work on a full disk, where it cannot be counted. */
async function unlessStorageFull(written: Promise<void>): Promise<void> {
  try {
    await written
  } catch (error) {
    if (!isAppError(error) || error.code !== 'storage_full') throw error
  }
}
