import { and, eq, gt, isNotNull, ne, type SQL } from 'drizzle-orm'
import { type ReasonCode, withAddress } from '../../../../contract/reasons'
import type { Transaction } from '../../../../db/database'
import { addresses, fragments } from '../../../../db/schema/addresses'
import { isPreferred } from '../../../engine/crawl/urls/preferred-url'
import { manyFragments } from '../../fragments/delete-fragments'
import { type Indexes, replaceFragments } from '../../fragments/fragments'
import type { RunContext } from '../runs/run-context'
import { uncountExcluded } from '../runs/run-stats'
import { transitionAddresses } from '../transitions'

type AddressRow = typeof addresses.$inferSelect
type Place = Pick<AddressRow, 'id' | 'url' | 'sourceId'>

/** Another address of the source that has the same text and keeps it; null where this one is the first. */
export async function findOwnerUrl(tx: Transaction, address: Place, textHash: string): Promise<string | null> {
  return (await keeperOf(tx, address, textHash))?.url ?? null
}

/** Another address that keeps the text of one that was read. `stays`: it goes on to, for its address comes first. */
export interface Duplicate {
  keeper: AddressRow
  stays: boolean
}

/** Null where nobody else has the text, or where one address, or a file, is wanted for itself. */
export async function findDuplicate(
  tx: Transaction,
  { source }: RunContext,
  address: Place,
  textHash: string,
): Promise<Duplicate | null> {
  const keeper = source.type === 'url' || source.type === 'file' ? null : await keeperOf(tx, address, textHash)
  return keeper && { keeper, stays: isPreferred(keeper.url, address.url) }
}

async function keeperOf(tx: Transaction, address: Place, textHash: string): Promise<AddressRow | null> {
  const [twin] = await tx
    .select()
    .from(addresses)
    .where(
      and(
        eq(addresses.sourceId, address.sourceId),
        eq(addresses.textHash, textHash),
        ne(addresses.id, address.id),
        gt(addresses.fragments, 0),
        isNotNull(addresses.crawledAt),
      ),
    )
    .limit(1)
  return twin ?? null
}

/**
 * The address keeps the text from now on that another one kept: that one gives way to it, and so do those that gave way
 * to that one. Fragments change hands as they are, with their vectors.
 */
export async function takeOwnership(
  tx: Transaction,
  indexes: Indexes,
  address: Place,
  keeper: AddressRow,
): Promise<void> {
  if (isStoredInParts(keeper)) return clearValidators(tx, keeper)
  await tx.update(fragments).set({ addressId: address.id }).where(eq(fragments.addressId, keeper.id))
  await mergeInto(tx, indexes, address, keeper)
}

/** Likewise, where the address has fragments of its own. */
export async function mergeInto(tx: Transaction, indexes: Indexes, address: Place, keeper: AddressRow): Promise<void> {
  if (isStoredInParts(keeper)) return clearValidators(tx, keeper)
  // What it was cut from goes, too.
  await replaceFragments(tx, indexes, keeper, [])
  const told = { reason: 'duplicate', message: withAddress('duplicate', address.url) }
  // One that still waits for its turn stands so, too, should the run end before.
  const stands = { statusBefore: 'idle' as const, reasonBefore: told.reason, messageBefore: told.message }
  const given = { ...(keeper.status === 'fail' ? {} : told), canonicalUrl: address.url, fragments: 0, ...stands }
  await tx.update(addresses).set(given).where(eq(addresses.id, keeper.id))
  await tx
    .update(addresses)
    .set({ ...told, ...stands, canonicalUrl: address.url })
    .where(mergedInto(keeper))
}

/**
 * A long document on its way is stored piece by piece, which nobody may take from it; at its end it gives way where its
 * text is still the same.
 */
export function isStoredInParts({ status, fragments, committedThroughKey }: AddressRow): boolean {
  const isUnderWay = status === 'pending' || status === 'crawling'
  return committedThroughKey !== null || (isUnderWay && fragments > manyFragments)
}

/** It is read in full the next time. */
export async function clearValidators(tx: Transaction, { id }: Place): Promise<void> {
  await tx.update(addresses).set({ etag: null, lastModified: null }).where(eq(addresses.id, id))
}

/**
 * Pages that gave way to this one, which had the same text, are read themselves, in full: it is another now, or gone.
 * Without a run they wait for the next one.
 */
export async function requeueMerged(tx: Transaction, address: Place, runId: string | null): Promise<void> {
  const twins = mergedInto(address)
  const unseen = { etag: null, lastModified: null }
  if (runId === null) await tx.update(addresses).set(unseen).where(twins)
  else await requeue(tx, { runId }, 'duplicate', twins, unseen)
}

/** Puts addresses that are out for this reason on the list of the run, also those that it has looked at. */
export async function requeue(
  tx: Transaction,
  { runId }: { runId: string },
  reason: ReasonCode,
  which: SQL | undefined,
  unseen: { etag: null; lastModified: null },
): Promise<void> {
  const seen = await tx.$count(addresses, and(which, eq(addresses.runId, runId), eq(addresses.status, 'idle')))
  if (seen > 0) await uncountExcluded(tx, { runId }, reason, seen)
  await transitionAddresses(tx, which, 'due', { ...unseen, runId, nextFetchAt: null, attempts: 0 })
}

/** Those that point to this address, because it keeps the text that they have, too. */
export function mergedInto({ sourceId, url }: Place): SQL | undefined {
  return and(eq(addresses.sourceId, sourceId), eq(addresses.canonicalUrl, url), eq(addresses.reason, 'duplicate'))
}
