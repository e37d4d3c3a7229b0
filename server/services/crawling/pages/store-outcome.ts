import { eq } from 'drizzle-orm'
import { type ReasonCode, withAddress } from '../../../../contract/reasons'
import type { Database } from '../../../../db/database'
import { addresses } from '../../../../db/schema/addresses'
import { extractorVersion } from '../../../engine/ingest/extractor-version'
import { clearFragments } from '../../fragments/delete-fragments'
import { type Indexes, replaceFragments } from '../../fragments/fragments'
import { refundCrawls } from '../../usage/crawls'
import type { Frontier } from '../frontier/frontier'
import type { AddressRow, DiscoveredAddress, RunContext } from '../runs/run-context'
import { countExcluded } from '../runs/run-stats'
import { transitionAddresses } from '../transitions'
import { requeueDependents } from './canonicals'
import { asStored } from './claim'
import { requeueMerged } from './duplicate-pages'

/** Another address is read in place of one, or only its links are wanted. */
export interface Elsewhere {
  reason: 'redirected' | 'canonical' | 'feed' | 'excluded'
  address: string | null
  httpStatus: number
  /** Of what stands at the address itself; without them it is asked for in full. */
  etag?: string | null
  lastModified?: string | null
}

export interface Refusal {
  reason: ReasonCode
  message: string
  httpStatus: number | null
  withdraw: boolean
  /** Looks in a row that found no page. */
  notFoundCount?: number
  /** The site was not asked. */
  unasked?: boolean
}

/** Stores what came of an address that led to no page of its own. */
export function createOutcomeStore({ db, indexes, frontier }: { db: Database; indexes: Indexes; frontier: Frontier }) {
  // The links come first: see `crawl-pages.ts`.

  /** The address does not lead to a page that we keep. What it had before leaves with `withdraw`. */
  async function storeRefusal(
    work: RunContext,
    address: AddressRow,
    refusal: Refusal,
    links: DiscoveredAddress[] = [],
  ): Promise<void> {
    await frontier.list(work, links)
    if (refusal.withdraw) await clearFragments(db, indexes, address)
    await db.write(async (tx) => {
      const stored = await asStored(tx, address)
      if (!stored) return
      if (refusal.withdraw) {
        await replaceFragments(tx, indexes, address, [])
        await requeueMerged(tx, address, work.runId)
      }
      if (refusal.unasked) await refundCrawls(tx, address.organizationId, 1)
      const { reason, message, httpStatus } = refusal
      const forgotten = { fragments: 0, textHash: null, etag: null, lastModified: null, canonicalUrl: null }
      await transitionAddresses(tx, eq(addresses.id, address.id), 'refused', {
        reason,
        message,
        httpStatus,
        failures: address.failures + 1,
        notFoundCount: refusal.notFoundCount ?? (isThere(httpStatus) ? 0 : stored.notFoundCount),
        nextFetchAt: null,
        updatedAt: new Date(),
        ...(refusal.withdraw ? forgotten : {}),
      })
      await countExcluded(tx, work, reason, { wasIndexed: refusal.withdraw && stored.fragments > 0, failed: 1 })
      await requeueDependents(tx, work, address.url)
    })
  }

  /** The address leads to another one of the site, which is read in its place, or is a list of such. */
  async function storeElsewhere(
    work: RunContext,
    address: AddressRow,
    { reason, address: target, httpStatus, etag = null, lastModified = null }: Elsewhere,
    links: DiscoveredAddress[],
  ): Promise<void> {
    await frontier.list(work, links)
    await clearFragments(db, indexes, address)
    await db.write(async (tx) => {
      const stored = await asStored(tx, address)
      if (!stored) return
      await replaceFragments(tx, indexes, address, [])
      await requeueMerged(tx, address, work.runId)
      await transitionAddresses(tx, eq(addresses.id, address.id), 'canonicalized', {
        reason,
        message: withAddress(reason, target),
        canonicalUrl: target,
        httpStatus,
        fragments: 0,
        textHash: null,
        etag,
        lastModified,
        extractorVersion: extractorVersion.page,
        failures: 0,
        notFoundCount: 0,
        nextFetchAt: null,
        crawledAt: new Date(),
        fetchedAt: new Date(),
        updatedAt: new Date(),
      })
      await countExcluded(tx, work, reason, { wasIndexed: stored.fragments > 0 })
      // A page that named this address as its proper one, and to which it leads back, is read itself.
      if (target) await requeueDependents(tx, work, address.url, eq(addresses.url, target))
    })
  }

  /** Tried again in this run, after `afterMs`. What was stored before stays. */
  async function storeRetry(
    address: AddressRow,
    { reason, message, httpStatus }: { reason: ReasonCode; message: string; httpStatus: number | null },
    afterMs: number,
  ): Promise<void> {
    const again = { attempts: address.attempts + 1, nextFetchAt: new Date(Date.now() + afterMs) }
    const failures = address.failures + 1
    await db.write((tx) =>
      transitionAddresses(tx, eq(addresses.id, address.id), 'postponed', {
        ...again,
        failures,
        reason,
        message,
        httpStatus,
      }),
    )
  }

  /** Its site wants to be left alone for a while, and was not asked: its turn comes later, and it has not failed. */
  async function putBack(address: AddressRow, afterMs: number): Promise<void> {
    await db.write(async (tx) => {
      await transitionAddresses(tx, eq(addresses.id, address.id), 'postponed', {
        nextFetchAt: new Date(Date.now() + afterMs),
      })
      await refundCrawls(tx, address.organizationId, 1)
    })
  }

  return { storeRefusal, storeElsewhere, storeRetry, putBack }
}

/** A page that is refused for what it says was found; a timeout, a broken server and a closed door say neither. */
function isThere(httpStatus: number | null): boolean {
  return httpStatus !== null && httpStatus >= 200 && httpStatus < 300
}
