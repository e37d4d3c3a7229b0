import type { Database, Transaction } from '../../../db/database'
import { isAppError } from '../../errors'
import { addUse, refund, reserve, usedInMonth } from './quota'
import { refundVisitorShare, takeVisitorShare, type VisitorMeter, visitorShareLeft } from './visitor-share'

export interface Use {
  organizationId: string
  meter: Exclude<VisitorMeter, 'messages'>
  /** The organization's monthly limit; 0 means unlimited. */
  limit: number
  at: Date
  /** Whether it counts toward the visitors' share of a day, too. */
  isByVisitor: boolean
}

export type TakeResult = 'counted' | 'limit-reached' | 'share-used-up'

/** The uses of one meter by one organization on one day, by its visitors or by others. */
interface Account {
  use: Use
  /** Counted in the database, and not used yet. */
  reserved: number
  /** Used, and not counted in the database yet; negative if uses were refunded. Only of unlimited plans. */
  unwritten: number
  reserving: Promise<TakeResult> | null
}

export type UseCounters = ReturnType<typeof createUseCounters>

const writeMs = 1_000
/** Uses of a limited plan that are reserved at a time, and one at a time when fewer than `exactBelow` are left. */
const stock = 50
const exactBelow = 500

/**
 * Counts uses in memory, and writes the counts once a second: each write makes all readers drop the pages that they have
 * cached. Limited plans reserve a stock and give back what is unused, so a process that dies may count up to a second of
 * uses too many, and never grants more than the plan.
 */
export function createUseCounters({ db }: { db: Database }) {
  const accounts = new Map<string, Account>()
  /** The limits of the accounts, by organization and meter. */
  const limits = new Map<string, number>()
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> = Promise.resolve()

  /** Counts a use, unless a limit is reached. */
  async function take(use: Use): Promise<TakeResult> {
    const metered = `${use.organizationId} ${use.meter}`
    // What was counted or reserved under another plan decides what is left of this one.
    if ((limits.get(metered) ?? use.limit) !== use.limit) await write()
    limits.set(metered, use.limit)
    if (use.limit === 0) {
      accountOf(use).unwritten++
      return 'counted'
    }
    for (;;) {
      // A write in the meantime gives back the stock, and forgets the account.
      const account = accountOf(use)
      if (account.reserved > 0) {
        account.reserved--
        return 'counted'
      }
      account.reserving ??= reserveStock(account, use).finally(() => {
        account.reserving = null
        scheduleWrite()
      })
      const result = await account.reserving
      if (result !== 'counted') return result
    }
  }

  /** Takes back a use that was counted, because nothing was done for it. */
  function refundUse(use: Use): void {
    const account = accountOf(use)
    if (use.limit === 0) account.unwritten--
    else account.reserved++
  }

  /** Resolves when the database has the exact counts of all uses so far. */
  async function write(): Promise<void> {
    if (timer) clearTimeout(timer)
    timer = null
    writing = writing.then(writeAll, writeAll)
    await writing
  }

  async function writeAll(): Promise<void> {
    const counts = [...accounts.values()].map(({ use, reserved, unwritten }) => ({ use, reserved, unwritten }))
    for (const account of accounts.values()) {
      account.reserved = 0
      account.unwritten = 0
    }
    limits.clear()
    for (const [key, { reserving }] of accounts) if (!reserving) accounts.delete(key)
    const changed = counts.filter(({ reserved, unwritten }) => reserved !== 0 || unwritten !== 0)
    if (changed.length === 0) return
    try {
      await db.write(async (tx) => {
        for (const { use, reserved, unwritten } of changed) {
          const { organizationId, meter, at } = use
          if (reserved > 0) await refundStock(tx, use, reserved)
          if (unwritten > 0) await addUse(tx, organizationId, meter, unwritten, at)
          if (unwritten < 0) await refund(tx, organizationId, meter, -unwritten, at)
        }
      })
    } catch (error) {
      // What only reads must work on a full disk, where it cannot be counted.
      if (isAppError(error) && error.code === 'storage_full') return
      for (const { use, reserved, unwritten } of changed) {
        const account = accountOf(use)
        account.reserved += reserved
        account.unwritten += unwritten
      }
      throw error
    }
  }

  async function reserveStock(
    account: Account,
    { organizationId, meter, limit, at, isByVisitor }: Use,
  ): Promise<TakeResult> {
    try {
      const count = await db.write(async (tx): Promise<number | TakeResult> => {
        const left = limit - (await usedInMonth(tx, organizationId, meter, at))
        const ofVisitors = isByVisitor ? await visitorShareLeft(tx, organizationId, meter, limit, at) : left
        const count = Math.min(left, ofVisitors) < exactBelow ? 1 : stock
        if (!(await reserve(tx, organizationId, meter, limit, at, count))) return 'limit-reached'
        if (!isByVisitor || (await takeVisitorShare(tx, organizationId, meter, limit, at, count))) return count
        await refund(tx, organizationId, meter, count, at)
        return 'share-used-up'
      })
      if (typeof count !== 'number') return count
      account.reserved += count
    } catch (error) {
      if (!isAppError(error) || error.code !== 'storage_full') throw error
      account.reserved++
    }
    return 'counted'
  }

  function accountOf(use: Use): Account {
    const { organizationId, meter, limit, at, isByVisitor } = use
    const key = JSON.stringify([organizationId, meter, at.toISOString().slice(0, 10), isByVisitor, limit === 0])
    const account = accounts.get(key) ?? { use, reserved: 0, unwritten: 0, reserving: null }
    accounts.set(key, account)
    scheduleWrite()
    return account
  }

  function scheduleWrite(): void {
    timer ??= setTimeout(() => {
      timer = null
      // The next write tries again with what could not be written.
      write().catch(scheduleWrite)
    }, writeMs).unref()
  }

  return { take, refund: refundUse, write }
}

async function refundStock(
  tx: Transaction,
  { organizationId, meter, at, isByVisitor }: Use,
  count: number,
): Promise<void> {
  await refund(tx, organizationId, meter, count, at)
  if (isByVisitor) await refundVisitorShare(tx, organizationId, meter, at, count)
}
