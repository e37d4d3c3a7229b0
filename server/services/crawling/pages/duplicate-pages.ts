import { and, eq, gt, isNotNull, isNull, ne, type SQL } from 'drizzle-orm'
import { withAddress } from '../../../../contract/reasons'
import type { Queries, Transaction } from '../../../../db/database'
import { addresses, fragments, visits } from '../../../../db/schema/addresses'
import { isPreferred } from '../../../engine/crawl/urls/preferred-url'
import { crawlLimits } from '../../../engine/limits'
import { maxFragmentsPerTransaction } from '../../fragments/delete-fragments'
import { type Indexes, replaceFragments } from '../../fragments/fragments'
import type { AddressRow, RunContext } from '../../runs/run-context'
import { hasOpenVisit, isOpen, openVisits } from '../../runs/visits'
import { isSinglePage } from '../../source-rows/source-settings'
import type { Duplicate, Finding } from './decide'
import { findMainLanguage } from './main-language'

type PageRef = Pick<AddressRow, 'id' | 'url' | 'sourceId'>

/**
 * Returns another page of the source with the text that was found; of an unchanged page without fragments, the one with
 * the text that it had. Single-page and file sources never have duplicates.
 */
export async function findDuplicate(
  tx: Transaction,
  run: RunContext,
  address: AddressRow,
  finding: Finding,
): Promise<Duplicate | null> {
  if (finding.kind === 'unchanged') {
    const { fragments, textHash, canonicalUrl } = address
    if (fragments > 0 || textHash === null || canonicalUrl === null) return null
    const owner = await findOwner(tx, address, textHash)
    return owner && { owner, isPreferred: true, ownerOutcome: null }
  }
  if (finding.kind !== 'read' || isSinglePage(run.source)) return null
  const owner = await findOwner(tx, address, finding.textHash)
  if (owner === null) return null
  const mainLanguage = await findMainLanguage(tx, run.source, finding.textLanguage)
  const ofRun = and(eq(visits.runId, run.runId), eq(visits.addressId, owner.id))
  const [visit] = await tx.select({ outcome: visits.outcome }).from(visits).where(ofRun)
  return {
    owner,
    isPreferred: isPreferred(owner, { url: address.url, language: finding.language }, mainLanguage),
    ownerOutcome: visit?.outcome ?? null,
  }
}

/** The other address of the source that has the fragments of this text. */
async function findOwner(tx: Transaction, page: PageRef, textHash: string): Promise<AddressRow | null> {
  const [owner] = await tx
    .select()
    .from(addresses)
    .where(
      and(
        eq(addresses.sourceId, page.sourceId),
        eq(addresses.textHash, textHash),
        ne(addresses.id, page.id),
        gt(addresses.fragments, 0),
        isNotNull(addresses.crawledAt),
      ),
    )
    .limit(1)
  return owner ?? null
}

/**
 * Whether a source has `crawlLimits.duplicateTextStreak` addresses with this text, so that the links of another one
 * are not worth following: filters, calendars and session ids lead to the same page without end.
 */
export async function isDuplicateTrap(queries: Queries, sourceId: string, textHash: string): Promise<boolean> {
  const rows = await queries
    .select({ id: addresses.id })
    .from(addresses)
    .where(and(eq(addresses.sourceId, sourceId), eq(addresses.textHash, textHash)))
    .limit(crawlLimits.duplicateTextStreak)
  return rows.length >= crawlLimits.duplicateTextStreak
}

/** Moves the fragments of the owner, with their vectors, to the page, and merges the owner into it. */
export async function takeOwnership(
  tx: Transaction,
  indexes: Indexes,
  run: RunContext,
  page: AddressRow,
  owner: AddressRow,
): Promise<void> {
  if (await isStoredInParts(tx, owner)) return clearValidators(tx, owner)
  await tx.update(fragments).set({ addressId: page.id }).where(eq(fragments.addressId, owner.id))
  await mergeInto(tx, indexes, run, page, owner)
}

/** Marks the owner, and all that were merged into it, as duplicates of the page; deletes the owner's fragments. */
export async function mergeInto(
  tx: Transaction,
  indexes: Indexes,
  { runId }: RunContext,
  page: AddressRow,
  owner: AddressRow,
): Promise<void> {
  if (await isStoredInParts(tx, owner)) return clearValidators(tx, owner)
  // Also deletes its stored blocks.
  await replaceFragments(tx, indexes, owner, [])
  const duplicate = { reason: 'duplicate', message: withAddress('duplicate', page.url) }
  const merged = { ...(owner.status === 'fail' ? {} : duplicate), canonicalUrl: page.url, fragments: 0 }
  await tx.update(addresses).set(merged).where(eq(addresses.id, owner.id))
  await tx
    .update(addresses)
    .set({ ...duplicate, canonicalUrl: page.url })
    .where(mergedInto(owner))
  const outcome = page.fragments > 0 ? 'withdrawn' : 'replaced'
  await tx
    .update(visits)
    .set({ outcome, ...duplicate })
    .where(and(eq(visits.runId, runId), eq(visits.addressId, owner.id), isNotNull(visits.outcome)))
}

/**
 * Whether a long document is being stored in parts: no other page may take its fragments. At its end it is compared with
 * the others itself.
 */
export async function isStoredInParts(tx: Transaction, address: AddressRow): Promise<boolean> {
  if (address.committedThroughKey !== null) return true
  if (address.fragments <= maxFragmentsPerTransaction) return false
  return (await tx.$count(visits, and(eq(visits.addressId, address.id), isOpen()))) > 0
}

const noValidators = { etag: null, lastModified: null }

/** The next run fetches it unconditionally. */
export async function clearValidators(tx: Transaction, { id }: Pick<AddressRow, 'id'>): Promise<void> {
  await tx.update(addresses).set(noValidators).where(eq(addresses.id, id))
}

/**
 * Fetches the duplicates of a page whose text changed or is gone again, unconditionally. Without a run they wait for the
 * next one.
 */
export async function revisitMerged(tx: Transaction, page: PageRef, runId: string | null): Promise<void> {
  if (runId === null) await tx.update(addresses).set(noValidators).where(mergedInto(page))
  else await revisit(tx, runId, mergedInto(page))
}

/** Visits addresses in the run, unconditionally, also those that it has visited. */
export async function revisit(tx: Transaction, runId: string, where: SQL | undefined): Promise<void> {
  const rows = await tx
    .select({ address: addresses })
    .from(addresses)
    .leftJoin(visits, hasOpenVisit())
    .where(and(where, isNull(visits.runId)))
  await tx.update(addresses).set(noValidators).where(where)
  await openVisits(
    tx,
    runId,
    rows.map(({ address }) => address),
  )
}

/** The duplicates of a page. */
export function mergedInto({ sourceId, url }: PageRef): SQL | undefined {
  return and(eq(addresses.sourceId, sourceId), eq(addresses.canonicalUrl, url), eq(addresses.reason, 'duplicate'))
}
