import { eq } from 'drizzle-orm'
import type { Database, Transaction } from '../../../../db/database'
import { addresses } from '../../../../db/schema/addresses'
import type { FetchedPage } from '../../../engine/crawl/fetch/page-outcome'
import { createCrawlerTrapDetector } from '../../../engine/crawl/urls/crawler-traps'
import { clearFragments } from '../../fragments/delete-fragments'
import type { Indexes } from '../../fragments/fragments'
import type { AddressRow, DiscoveredAddress, RunContext } from '../../runs/run-context'
import { transitionAddresses } from '../../runs/transitions'
import type { Frontier } from '../frontier/frontier'
import { refundCrawl } from '../frontier/refund-crawl'
import type { ChangeOf, PageChange } from './decide-change'
import { isDuplicateTrap } from './duplicate-trap'
import { canonicalizePage, rejectPage } from './exclude-page'
import { findClaimed } from './find-claimed'
import { keepPage } from './keep-page'
import { storePage } from './store-page'

interface Deps {
  db: Database
  indexes: Indexes
  frontier: Pick<Frontier, 'enqueue'>
}

export type ApplyChange = ReturnType<typeof createApplyChange>

/** Stores what was decided about a claimed address, in one transaction. */
export function createApplyChange({ db, indexes, frontier }: Deps) {
  const traps = createCrawlerTrapDetector()

  async function linksToFollow(
    run: RunContext,
    address: AddressRow,
    change: ChangeOf<'index' | 'canonicalize' | 'reject'>,
  ): Promise<DiscoveredAddress[]> {
    return change.kind === 'index' && (await isTrap(run, address, change.page)) ? [] : change.links
  }

  async function isTrap({ runId }: RunContext, address: AddressRow, page: FetchedPage): Promise<boolean> {
    const { url, discoveredFrom, sourceId } = address
    const texts = page.fragments.map(({ text }) => text)
    return traps.isEndless(runId, { url, discoveredFrom, texts }) || isDuplicateTrap(db.read, sourceId, page.textHash)
  }

  return async (run: RunContext, address: AddressRow, change: PageChange): Promise<void> => {
    if (change.kind === 'retry' || change.kind === 'postpone') {
      return db.write((tx) => requeueLater(tx, address, change))
    }
    // Links first: a stored address is not fetched again, so that a crash in between would lose them.
    if (change.kind !== 'keep') await frontier.enqueue(run, await linksToFollow(run, address, change))
    if (losesText(change)) await clearFragments(db, indexes, address)
    await db.write(async (tx) => {
      const stored = await findClaimed(tx, address)
      if (!stored) return
      switch (change.kind) {
        case 'index':
          return storePage(tx, indexes, { run, address, stored, page: change.page })
        case 'keep':
          return keepPage(tx, run, stored)
        case 'canonicalize':
          return canonicalizePage(tx, indexes, run, stored, change)
        case 'reject':
          return rejectPage(tx, indexes, run, stored, change)
      }
    })
  }
}

async function requeueLater(
  tx: Transaction,
  address: AddressRow,
  change: ChangeOf<'retry' | 'postpone'>,
): Promise<void> {
  const { id, attempts, failures } = address
  const nextFetchAt = new Date(Date.now() + change.afterMs)
  if (change.kind === 'postpone') {
    await transitionAddresses(tx, eq(addresses.id, id), 'postponed', { nextFetchAt })
    return refundCrawl(tx, address)
  }
  const { reason, message, httpStatus } = change
  const failed = { attempts: attempts + 1, failures: failures + 1, reason, message, httpStatus }
  await transitionAddresses(tx, eq(addresses.id, id), 'postponed', { ...failed, nextFetchAt })
}

function losesText(change: PageChange): boolean {
  return change.kind === 'canonicalize' || (change.kind === 'reject' && change.withdraw)
}
