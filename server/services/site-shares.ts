import { setImmediate as breathe } from 'node:timers/promises'
import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../db/database'
import { addresses } from '../../db/schema/addresses'
import { addressBlocks, siteBlocks } from '../../db/schema/blocks'
import type { Extractor, KeptBlocks, SiteShare } from '../engine/ports'
import { createRepetitionCount, fewestRepeats } from '../engine/repetition'
import { hashesIn, shareOf } from '../engine/site-blocks'
import { type AddressKeys, type Indexes, replaceFragments } from './fragments'
import { wantVectors } from './vectors-wanted'

/** Rows of hashes that are held at once; a few hundred bytes each. */
const rowsAtOnce = 200

/** What the pages of a source share with it, as far as it is known. */
export interface KnownShare extends Omit<SiteShare, 'isHome'> {
  /** The address that the site's own fragments stand with. */
  home: string | null
}

interface Deps {
  db: Database
  indexes: Indexes
  extractor: Pick<Extractor, 'cut'>
}

/**
 * What stands on most pages of a source leaves the pages, and is kept once with the one that is nearest to the start.
 * It is told by counting when a run ends; only pages that have another share than they were cut with are cut again, from
 * what was kept of them.
 */
export function createSiteShares({ db, indexes, extractor }: Deps) {
  /** As the last run left it: pages that are read now are cut with it. */
  async function known(sourceId: string): Promise<KnownShare> {
    const rows = await db.read.select().from(siteBlocks).where(eq(siteBlocks.sourceId, sourceId))
    const [home] = await db.read
      .select({ id: addressBlocks.addressId })
      .from(addressBlocks)
      .where(and(eq(addressBlocks.sourceId, sourceId), eq(addressBlocks.isHome, true)))
    const isSmall = (await db.read.$count(addressBlocks, eq(addressBlocks.sourceId, sourceId))) < fewestRepeats
    return { repeated: new Set(rows.map(({ hash }) => hash)), isSmall, home: home?.id ?? null }
  }

  /** Counts anew, and cuts again what that changes. Answers how many fragments that added. A restart may begin again. */
  async function settle(sourceId: string, signal: AbortSignal): Promise<number> {
    const share = await count(sourceId, signal)
    await store(sourceId, share.repeated)
    let added = 0
    for await (const row of rowsOf(sourceId, signal)) {
      const own = { ...share, isHome: row.id === share.home }
      if (shareOf(row.hashes, own) !== row.share) added += await cutAgain(row, own)
    }
    return added
  }

  async function count(sourceId: string, signal: AbortSignal): Promise<KnownShare> {
    const pages = createRepetitionCount()
    for await (const { hashes } of rowsOf(sourceId, signal)) pages.sketch(hashesIn(hashes))
    const isSmall = pages.pages() < fewestRepeats
    if (!isSmall) for await (const { hashes } of rowsOf(sourceId, signal)) pages.count(hashesIn(hashes))
    return { repeated: pages.repeated(), isSmall, home: await nearestTo(sourceId) }
  }

  /** All that is cut of a source, piece by piece. */
  async function* rowsOf(sourceId: string, signal: AbortSignal) {
    for (let last = ''; ; ) {
      signal.throwIfAborted()
      const rows = await db.read
        .select({
          id: addressBlocks.addressId,
          hashes: addressBlocks.hashes,
          share: addressBlocks.share,
          sourceId: addresses.sourceId,
          collectionId: addresses.collectionId,
          organizationId: addresses.organizationId,
        })
        .from(addressBlocks)
        .innerJoin(addresses, eq(addresses.id, addressBlocks.addressId))
        .where(and(eq(addressBlocks.sourceId, sourceId), gt(addressBlocks.addressId, last), gt(addresses.fragments, 0)))
        .orderBy(asc(addressBlocks.addressId))
        .limit(rowsAtOnce)
      for (const row of rows) yield row
      const end = rows.at(-1)
      if (!end) return
      last = end.id
      await breathe()
    }
  }

  async function nearestTo(sourceId: string): Promise<string | null> {
    const [nearest] = await db.read
      .select({ id: addresses.id })
      .from(addressBlocks)
      .innerJoin(addresses, eq(addresses.id, addressBlocks.addressId))
      .where(and(eq(addressBlocks.sourceId, sourceId), gt(addresses.fragments, 0)))
      .orderBy(asc(addresses.depth), sql`length(${addresses.url})`, asc(addresses.id))
      .limit(1)
    return nearest?.id ?? null
  }

  async function store(sourceId: string, repeated: ReadonlySet<string>): Promise<void> {
    const stored = new Set((await known(sourceId)).repeated)
    const added = [...repeated].filter((hash) => !stored.has(hash))
    const gone = [...stored].filter((hash) => !repeated.has(hash))
    await db.write(async (tx) => {
      for (const hashes of pieces(added)) {
        await tx.insert(siteBlocks).values(hashes.map((hash) => ({ sourceId, hash })))
      }
      for (const hashes of pieces(gone)) {
        await tx.delete(siteBlocks).where(and(eq(siteBlocks.sourceId, sourceId), inArray(siteBlocks.hash, hashes)))
      }
    })
  }

  async function cutAgain(row: AddressKeys & { hashes: Uint8Array }, share: SiteShare): Promise<number> {
    const [kept] = await db.read
      .select({ blocks: addressBlocks.blocks })
      .from(addressBlocks)
      .where(eq(addressBlocks.addressId, row.id))
    const fragments = kept ? await extractor.cut(kept.blocks, share) : 'failed'
    if (typeof fragments === 'string') return 0
    return db.write(async (tx) => {
      // A page that was read meanwhile, or withdrawn, was cut by whoever did that.
      const [now] = await tx
        .select({ hashes: addressBlocks.hashes })
        .from(addressBlocks)
        .where(eq(addressBlocks.addressId, row.id))
      if (!now || Buffer.compare(now.hashes, row.hashes) !== 0) return 0
      const added = await replaceFragments(tx, indexes, row, fragments)
      await tx.update(addresses).set({ fragments: fragments.length }).where(eq(addresses.id, row.id))
      await tx
        .update(addressBlocks)
        .set({ share: shareOf(row.hashes, share), isHome: share.isHome })
        .where(eq(addressBlocks.addressId, row.id))
      if (added > 0) await wantVectors(tx, row)
      return added
    })
  }

  return { known, settle }
}

export type SiteShares = ReturnType<typeof createSiteShares>

/** The share of one page. */
export function shareAt({ home, ...share }: KnownShare, addressId: string): SiteShare {
  return { ...share, isHome: home === addressId }
}

/** Keeps what an address was cut from, in the transaction of its fragments. */
export async function storeBlocks(
  tx: Transaction,
  { id: addressId, sourceId }: Pick<AddressKeys, 'id' | 'sourceId'>,
  { blocks, hashes }: KeptBlocks,
  share: SiteShare,
): Promise<void> {
  const cut = { blocks, hashes, share: shareOf(hashes, share), isHome: share.isHome }
  await tx
    .insert(addressBlocks)
    .values({ addressId, sourceId, ...cut })
    .onConflictDoUpdate({ target: addressBlocks.addressId, set: cut })
}

/** Few enough that no statement is long. */
function pieces(hashes: string[]): string[][] {
  return Array.from({ length: Math.ceil(hashes.length / 100) }, (_, at) => hashes.slice(at * 100, at * 100 + 100))
}
