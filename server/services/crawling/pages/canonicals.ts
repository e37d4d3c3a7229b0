import { and, count, eq, isNotNull, ne, or, type SQL } from 'drizzle-orm'
import type { Queries, Transaction } from '../../../../db/database'
import { addresses, visits } from '../../../../db/schema/addresses'
import type { AddressRow, RunContext } from '../../runs/run-context'
import { hasOpenVisit } from '../../runs/visits'
import { isExcluded } from '../frontier/exclusions'
import type { Finding } from './decide'
import { revisit } from './duplicate-pages'

const maxChainLength = 5

/**
 * Whether the canonical URL that a page names can stand for it: it must not have failed or lead back. An unchanged page
 * names the same one as before.
 */
export async function canStandFor(
  queries: Queries,
  { source }: RunContext,
  { url, textHash, canonicalUrl }: AddressRow,
  finding: Finding,
): Promise<boolean> {
  const known = finding.kind === 'unchanged' && textHash === null ? canonicalUrl : null
  let next = finding.kind === 'alias' ? finding.canonical : known
  if (next === null) return false
  for (let hops = 0; hops < maxChainLength; hops++) {
    const [row] = await queries
      .select({ status: addresses.status, canonicalUrl: addresses.canonicalUrl, openVisit: visits.runId })
      .from(addresses)
      .leftJoin(visits, hasOpenVisit())
      .where(and(eq(addresses.sourceId, source.id), eq(addresses.url, next)))
    if (!row || row.openVisit !== null) return true
    if (row.status === 'fail' || row.canonicalUrl === url) return false
    if (row.canonicalUrl === null) return true
    next = row.canonicalUrl
  }
  return false
}

/**
 * Whether the source decides about the target of a redirect by itself: it has a text, or is excluded or ignored. An
 * address that only leads to another one, or was never fetched, is not known.
 */
export async function isKnown(queries: Queries, { source }: RunContext, url: string): Promise<boolean> {
  const isDecided = or(isNotNull(addresses.textHash), isNotNull(addresses.ignoredAt), isExcluded())
  const rows = await queries
    .select({ id: addresses.id })
    .from(addresses)
    .where(and(eq(addresses.sourceId, source.id), eq(addresses.url, url), isDecided))
  return rows.length > 0
}

/** Counts the other addresses of a source that redirect to this URL. */
export async function countRedirectsTo(
  queries: Queries,
  { id, sourceId }: Pick<AddressRow, 'id' | 'sourceId'>,
  url: string,
): Promise<number> {
  const redirects = and(
    eq(addresses.sourceId, sourceId),
    eq(addresses.canonicalUrl, url),
    eq(addresses.reason, 'redirected'),
    ne(addresses.id, id),
  )
  const [row] = await queries.select({ count: count() }).from(addresses).where(redirects)
  return row?.count ?? 0
}

/** Fetches the pages again that named this URL as canonical, because it has no text to stand for them. */
export async function revisitDependents(
  tx: Transaction,
  { source, runId }: RunContext,
  url: string,
  where?: SQL,
): Promise<void> {
  const dependents = and(
    where,
    eq(addresses.sourceId, source.id),
    eq(addresses.canonicalUrl, url),
    eq(addresses.reason, 'canonical'),
  )
  await revisit(tx, runId, dependents)
}
