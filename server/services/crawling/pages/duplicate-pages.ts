import { and, eq, gt, isNotNull, ne, type SQL } from 'drizzle-orm'
import { type ReasonCode, withAddress } from '../../../../contract/reasons'
import type { Transaction } from '../../../../db/database'
import { addresses, fragments } from '../../../../db/schema/addresses'
import { isPreferred } from '../../../engine/crawl/urls/preferred-url'
import { maxFragmentsPerTransaction } from '../../fragments/delete-fragments'
import { type Indexes, replaceFragments } from '../../fragments/fragments'
import type { AddressRow, RunContext } from '../../runs/run-context'
import { uncountExcluded } from '../../runs/run-stats'
import { transitionAddresses } from '../../runs/transitions'
import { findMainLanguage } from './main-language'

type PageRef = Pick<AddressRow, 'id' | 'url' | 'sourceId'>

/** Another address of the source with the same text. */
export interface Duplicate {
  /** The address that has the fragments. */
  owner: AddressRow
  /** Whether the owner is preferred, so that it keeps the text. */
  isPreferred: boolean
}

/** The text of a fetched page or document. */
export interface PageText {
  textHash: string
  /** As the page declares it. */
  language: string
  /** Detects the language of the text; '' if it is uncertain. */
  textLanguage(): string
}

/** Returns another page of the source with the same text. Single-page and file sources never have duplicates. */
export async function findDuplicate(
  tx: Transaction,
  { source }: RunContext,
  page: PageRef,
  { textHash, language, textLanguage }: PageText,
): Promise<Duplicate | null> {
  const owner = source.type === 'url' || source.type === 'file' ? null : await findOwner(tx, page, textHash)
  if (owner === null) return null
  const mainLanguage = await findMainLanguage(tx, source, textLanguage)
  return { owner, isPreferred: isPreferred(owner, { url: page.url, language }, mainLanguage) }
}

/** The other address of the source that has the fragments of this text. */
export async function findOwner(tx: Transaction, page: PageRef, textHash: string): Promise<AddressRow | null> {
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

/** Moves the fragments of the owner, with their vectors, to the page, and merges the owner into it. */
export async function takeOwnership(
  tx: Transaction,
  indexes: Indexes,
  page: PageRef,
  owner: AddressRow,
): Promise<void> {
  if (isStoredInParts(owner)) return clearValidators(tx, owner)
  await tx.update(fragments).set({ addressId: page.id }).where(eq(fragments.addressId, owner.id))
  await mergeInto(tx, indexes, page, owner)
}

/** Marks the owner, and all that were merged into it, as duplicates of the page; deletes the owner's fragments. */
export async function mergeInto(tx: Transaction, indexes: Indexes, page: PageRef, owner: AddressRow): Promise<void> {
  if (isStoredInParts(owner)) return clearValidators(tx, owner)
  // Also deletes its stored blocks.
  await replaceFragments(tx, indexes, owner, [])
  const duplicate = { reason: 'duplicate', message: withAddress('duplicate', page.url) }
  // For an owner that waits for its turn in a run that may end before.
  const before = { statusBefore: 'idle' as const, reasonBefore: duplicate.reason, messageBefore: duplicate.message }
  const merged = { ...(owner.status === 'fail' ? {} : duplicate), canonicalUrl: page.url, fragments: 0, ...before }
  await tx.update(addresses).set(merged).where(eq(addresses.id, owner.id))
  await tx
    .update(addresses)
    .set({ ...duplicate, ...before, canonicalUrl: page.url })
    .where(mergedInto(owner))
}

/**
 * Whether a long document is being stored in parts: no other page may take its fragments. At its end it is compared with
 * the others itself.
 */
export function isStoredInParts({ status, fragments, committedThroughKey }: AddressRow): boolean {
  const isInRun = status === 'pending' || status === 'crawling'
  return committedThroughKey !== null || (isInRun && fragments > maxFragmentsPerTransaction)
}

const noValidators = { etag: null, lastModified: null }

/** The next run fetches it unconditionally. */
export async function clearValidators(tx: Transaction, { id }: PageRef): Promise<void> {
  await tx.update(addresses).set(noValidators).where(eq(addresses.id, id))
}

/**
 * Requeues the duplicates of a page whose text changed or is gone, unconditionally. Without a run they wait for the next
 * one.
 */
export async function requeueMerged(tx: Transaction, page: PageRef, runId: string | null): Promise<void> {
  if (runId === null) await tx.update(addresses).set(noValidators).where(mergedInto(page))
  else await requeue(tx, { runId }, 'duplicate', mergedInto(page))
}

/** Requeues addresses that are excluded for `reason` in the run, also those that it visited already. */
export async function requeue(
  tx: Transaction,
  { runId }: { runId: string },
  reason: ReasonCode,
  where: SQL | undefined,
): Promise<void> {
  const visited = await tx.$count(addresses, and(where, eq(addresses.runId, runId), eq(addresses.status, 'idle')))
  if (visited > 0) await uncountExcluded(tx, { runId }, reason, visited)
  await transitionAddresses(tx, where, 'requeued', { ...noValidators, runId, nextFetchAt: null, attempts: 0 })
}

/** The duplicates of a page. */
export function mergedInto({ sourceId, url }: PageRef): SQL | undefined {
  return and(eq(addresses.sourceId, sourceId), eq(addresses.canonicalUrl, url), eq(addresses.reason, 'duplicate'))
}
