import { and, eq } from 'drizzle-orm'
import type { Queries, Transaction } from '../../../db/database'
import { addressBlocks, addresses, siteBlocks } from '../../../db/schema/addresses'
import { boilerplateSignature } from '../../engine/chunking/page-blocks'
import { normalizeAddress } from '../../engine/crawl/urls/urls'
import type { Boilerplate, PageBlocks } from '../../engine/ports/extractor'
import type { AddressKeys } from '../fragments/fragments'

/** The text that the pages of a source share. */
export interface SourceBoilerplate {
  /** Hashes of the content blocks on most pages. */
  repeated: ReadonlySet<string>
  /** Hashes, by address, of the blocks that it keeps for the source. */
  retained: ReadonlyMap<string, ReadonlySet<string>>
  /** The address nearest to the start; null without one. */
  entryPageId: string | null
}

export type SiteBlock = Omit<typeof siteBlocks.$inferSelect, 'sourceId'>

/** The boilerplate of a source as its last run detected it. */
export async function loadBoilerplate(queries: Queries, sourceId: string): Promise<SourceBoilerplate> {
  const blocks = await storedBlocks(queries, sourceId)
  const [entryPage] = await queries
    .select({ id: addressBlocks.addressId })
    .from(addressBlocks)
    .where(and(eq(addressBlocks.sourceId, sourceId), eq(addressBlocks.isEntryPage, true)))
  return sourceBoilerplate(blocks, entryPage?.id ?? null)
}

/** The boilerplate of one page of a source, whether the source knows the page or not. */
export async function loadPageBoilerplate(queries: Queries, sourceId: string, page: string): Promise<Boilerplate> {
  const url = normalizeAddress(page) ?? page
  const [address] = await queries
    .select({ id: addresses.id })
    .from(addresses)
    .where(and(eq(addresses.sourceId, sourceId), eq(addresses.url, url)))
  return boilerplateOf(await loadBoilerplate(queries, sourceId), address?.id ?? url)
}

export function storedBlocks(queries: Queries, sourceId: string) {
  return queries.select().from(siteBlocks).where(eq(siteBlocks.sourceId, sourceId))
}

export function sourceBoilerplate(blocks: SiteBlock[], entryPageId: string | null): SourceBoilerplate {
  const repeated = new Set<string>()
  const retained = new Map<string, Set<string>>()
  for (const { hash, addressId, isRepeated } of blocks) {
    if (isRepeated) repeated.add(hash)
    retained.set(addressId, (retained.get(addressId) ?? new Set()).add(hash))
  }
  return { repeated, retained, entryPageId }
}

export function boilerplateOf({ repeated, retained, entryPageId }: SourceBoilerplate, addressId: string): Boilerplate {
  return { repeated, retained: retained.get(addressId) ?? new Set(), isEntryPage: entryPageId === addressId }
}

/** Stores the blocks of a page, in the transaction of its fragments, and the boilerplate that was removed from them. */
export async function storeBlocks(
  tx: Transaction,
  { id: addressId, sourceId }: Pick<AddressKeys, 'id' | 'sourceId'>,
  { blocks, hashes }: PageBlocks,
  boilerplate: Boilerplate,
): Promise<void> {
  const { isEntryPage } = boilerplate
  const row = { blocks, hashes, boilerplateSignature: boilerplateSignature(hashes, boilerplate), isEntryPage }
  await tx
    .insert(addressBlocks)
    .values({ addressId, sourceId, ...row })
    .onConflictDoUpdate({ target: addressBlocks.addressId, set: row })
}
