import { and, eq, isNotNull, or, type SQL } from 'drizzle-orm'
import type { Queries, Transaction } from '../../../../db/database'
import { addresses } from '../../../../db/schema/addresses'
import { isExcluded } from '../frontier/admission'
import type { RunContext } from '../runs/run-context'
import { requeue } from './duplicate-pages'

/** Addresses that name one another as their proper one. */
const longestChain = 5

/** Whether a page may give way to the address that it names: not where that one leads nowhere, or back to it. */
export async function canFollowCanonical(
  queries: Queries,
  { source }: RunContext,
  page: string,
  named: string,
): Promise<boolean> {
  let next = named
  for (let hops = 0; hops < longestChain; hops++) {
    const [row] = await queries
      .select({ status: addresses.status, canonicalUrl: addresses.canonicalUrl })
      .from(addresses)
      .where(and(eq(addresses.sourceId, source.id), eq(addresses.url, next)))
    if (!row || row.status === 'pending' || row.status === 'crawling') return true
    if (row.status === 'fail' || row.canonicalUrl === page) return false
    if (row.canonicalUrl === null) return true
    next = row.canonicalUrl
  }
  return false
}

/**
 * Whether an address that a redirect leads to is looked at by itself: it has a text, or is left out for a reason of its
 * own. What leads elsewhere or was never read is not known by its row.
 */
export async function isKnown(queries: Queries, { source }: RunContext, url: string): Promise<boolean> {
  const hasFate = or(isNotNull(addresses.textHash), isNotNull(addresses.ignoredAt), isExcluded())
  const rows = await queries
    .select({ id: addresses.id })
    .from(addresses)
    .where(and(eq(addresses.sourceId, source.id), eq(addresses.url, url), hasFate))
  return rows.length > 0
}

/** Pages that gave way to this address as their proper one are read themselves when it cannot be read. */
export async function requeueDependents(
  tx: Transaction,
  { source, runId }: RunContext,
  url: string,
  which?: SQL,
): Promise<void> {
  const behind = and(
    which,
    eq(addresses.sourceId, source.id),
    eq(addresses.canonicalUrl, url),
    eq(addresses.reason, 'canonical'),
  )
  await requeue(tx, { runId }, 'canonical', behind, { etag: null, lastModified: null })
}
