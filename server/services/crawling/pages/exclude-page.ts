import { eq } from 'drizzle-orm'
import { withAddress } from '../../../../contract/reasons'
import type { Transaction } from '../../../../db/database'
import { addresses } from '../../../../db/schema/addresses'
import { extractorVersion } from '../../../engine/ingest/extractor-version'
import { type Indexes, replaceFragments } from '../../fragments/fragments'
import type { AddressRow, RunContext } from '../../runs/run-context'
import { countExcluded } from '../../runs/run-stats'
import { transitionAddresses } from '../../runs/transitions'
import { refundCrawl } from '../frontier/refund-crawl'
import { requeueDependents } from './canonicals'
import type { ChangeOf } from './decide-change'
import { requeueMerged } from './duplicate-pages'

/** Another address replaces the page, or only its links count. It loses its text. */
export async function canonicalizePage(
  tx: Transaction,
  indexes: Indexes,
  run: RunContext,
  stored: AddressRow,
  { reason, target, httpStatus, etag, lastModified }: ChangeOf<'canonicalize'>,
): Promise<void> {
  await replaceFragments(tx, indexes, stored, [])
  await requeueMerged(tx, stored, run.runId)
  const now = new Date()
  await transitionAddresses(tx, eq(addresses.id, stored.id), 'canonicalized', {
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
    crawledAt: now,
    fetchedAt: now,
    updatedAt: now,
  })
  await countExcluded(tx, run, reason, { wasIndexed: stored.fragments > 0 })
  // Where the target names this page as canonical, the two lead in a circle: the target is fetched as it is.
  if (target) await requeueDependents(tx, run, stored.url, eq(addresses.url, target))
}

/** The page has nothing to index. It keeps the text of an earlier run unless `withdraw`. */
export async function rejectPage(
  tx: Transaction,
  indexes: Indexes,
  run: RunContext,
  stored: AddressRow,
  { reason, message, httpStatus, withdraw, notFoundCount, isFetched }: ChangeOf<'reject'>,
): Promise<void> {
  if (withdraw) {
    await replaceFragments(tx, indexes, stored, [])
    await requeueMerged(tx, stored, run.runId)
  }
  if (!isFetched) await refundCrawl(tx, stored)
  const withdrawn = { fragments: 0, textHash: null, etag: null, lastModified: null, canonicalUrl: null }
  await transitionAddresses(tx, eq(addresses.id, stored.id), 'rejected', {
    reason,
    message,
    httpStatus,
    failures: stored.failures + 1,
    notFoundCount: notFoundCount ?? (isSuccess(httpStatus) ? 0 : stored.notFoundCount),
    nextFetchAt: null,
    updatedAt: new Date(),
    ...(withdraw ? withdrawn : {}),
  })
  await countExcluded(tx, run, reason, { wasIndexed: withdraw && stored.fragments > 0, failed: 1 })
  await requeueDependents(tx, run, stored.url)
}

/** A page that was rejected for its content exists; a timeout or server error says nothing about that. */
function isSuccess(httpStatus: number | null): boolean {
  return httpStatus !== null && httpStatus >= 200 && httpStatus < 300
}
