import { setImmediate as breathe } from 'node:timers/promises'
import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import type { Database, Transaction } from '../../../../db/database'
import { addresses } from '../../../../db/schema/addresses'
import { addressBlocks, siteBlocks } from '../../../../db/schema/blocks'
import { sources } from '../../../../db/schema/collections'
import { boilerplateSignature, hashesIn } from '../../../engine/chunking/boilerplate'
import { createRepetitionCount, type Repetition } from '../../../engine/chunking/count-repeated-blocks'
import { normalizeAddress } from '../../../engine/crawl/urls/urls'
import type { Boilerplate, Extractor, PageBlocks } from '../../../engine/ports'
import { type AddressKeys, type Indexes, replaceFragments } from '../../fragments/fragments'
import { wantVectors } from '../../indexing/enqueue-embedding'
import { latestRun } from '../runs/runs'

/** Rows of hashes that are held at once; a few hundred bytes each. */
const rowsAtOnce = 200

/** What the pages of a source share with it, as far as it is known. */
export interface SourceBoilerplate {
  /** Hashes of the content of most pages. */
  repeated: ReadonlySet<string>
  /** What an address keeps for all, of that and of what stands around several. */
  kept: ReadonlyMap<string, ReadonlySet<string>>
  /** The address that is nearest to the start. */
  home: string | null
}

type SiteBlock = Omit<typeof siteBlocks.$inferSelect, 'sourceId'>

interface Deps {
  db: Database
  indexes: Indexes
  extractor: Pick<Extractor, 'rechunk'>
}

/**
 * What stands on most pages of a source leaves the pages, and is kept once with the page nearest to the start that has it;
 * so is what stands around several. It is told by counting when a run ends; only pages that have another share than they
 * were cut with are cut again, from what was kept of them.
 */
export function createBoilerplate({ db, indexes, extractor }: Deps) {
  /** As the last run left it: pages that are read now are cut with it. */
  async function known(sourceId: string): Promise<SourceBoilerplate> {
    const rows = await storedRows(sourceId)
    const [home] = await db.read
      .select({ id: addressBlocks.addressId })
      .from(addressBlocks)
      .where(and(eq(addressBlocks.sourceId, sourceId), eq(addressBlocks.isEntryPage, true)))
    return knownBy(rows, home?.id ?? null)
  }

  /** What of one page of a source is the site's, whether it was read before or not. */
  async function shareOfPage(sourceId: string, page: string): Promise<Boilerplate> {
    const url = normalizeAddress(page) ?? page
    const [address] = await db.read
      .select({ id: addresses.id })
      .from(addresses)
      .where(and(eq(addresses.sourceId, sourceId), eq(addresses.url, url)))
    return boilerplateOf(await known(sourceId), address?.id ?? url)
  }

  /** Whether a run works on the source, which may change what its pages share. */
  async function standing(sourceId: string): Promise<'at-rest' | 'at-work' | 'gone'> {
    const [source] = await db.read.select().from(sources).where(eq(sources.id, sourceId))
    if (!source || source.deletedAt) return 'gone'
    const run = await latestRun(db.read, sourceId)
    return run && !run.finishedAt && !source.pausedAt ? 'at-work' : 'at-rest'
  }

  /** Counts anew, and cuts again what that changes. Answers how many fragments that added. A restart may begin again. */
  async function settle(sourceId: string, signal: AbortSignal): Promise<number> {
    const { rows, home } = await count(sourceId, signal)
    await store(sourceId, rows)
    const share = knownBy(rows, home)
    let added = 0
    for await (const row of rowsOf(sourceId, signal)) {
      const own = boilerplateOf(share, row.id)
      if (boilerplateSignature(row.hashes, own) !== row.share) added += await cutAgain(row, own)
    }
    return added
  }

  async function count(sourceId: string, signal: AbortSignal): Promise<{ rows: SiteBlock[]; home: string | null }> {
    const counted = createRepetitionCount()
    let home: { id: string; rank: string } | null = null
    for await (const row of rowsOf(sourceId, signal)) {
      const { id, rank } = row
      if (home === null || rank < home.rank) home = { id, rank }
      counted.sketch({ id, rank, ...hashesIn(row.hashes) })
    }
    for await (const { id, rank, hashes } of rowsOf(sourceId, signal)) counted.count({ id, rank, ...hashesIn(hashes) })
    return { rows: rowsFor(counted.result()), home: home?.id ?? null }
  }

  /** All that is cut of a source, piece by piece. */
  async function* rowsOf(sourceId: string, signal: AbortSignal) {
    for (let last = ''; ; ) {
      signal.throwIfAborted()
      const rows = await db.read
        .select({
          id: addressBlocks.addressId,
          hashes: addressBlocks.hashes,
          share: addressBlocks.boilerplateSignature,
          depth: addresses.depth,
          url: addresses.url,
          sourceId: addresses.sourceId,
          collectionId: addresses.collectionId,
          organizationId: addresses.organizationId,
        })
        .from(addressBlocks)
        .innerJoin(addresses, eq(addresses.id, addressBlocks.addressId))
        .where(and(eq(addressBlocks.sourceId, sourceId), gt(addressBlocks.addressId, last), gt(addresses.fragments, 0)))
        .orderBy(asc(addressBlocks.addressId))
        .limit(rowsAtOnce)
      for (const { depth, url, ...row } of rows) yield { ...row, rank: rankOf(depth, url) }
      const end = rows.at(-1)
      if (!end) return
      last = end.id
      await breathe()
    }
  }

  /** Writes what is another than it was. */
  async function store(sourceId: string, rows: SiteBlock[]): Promise<void> {
    const before = new Map((await storedRows(sourceId)).map((row) => [row.hash, row]))
    const changed = rows.filter((row) => !isSame(row, before.get(row.hash)))
    const wanted = new Set(rows.map(({ hash }) => hash))
    const stale = [...before.keys()].filter((hash) => !wanted.has(hash))
    for (const { hash } of changed) if (before.has(hash)) stale.push(hash)
    if (changed.length + stale.length === 0) return
    await db.write(async (tx) => {
      for (let start = 0; start < stale.length; start += rowsAtOnce) {
        const some = stale.slice(start, start + rowsAtOnce)
        await tx.delete(siteBlocks).where(and(eq(siteBlocks.sourceId, sourceId), inArray(siteBlocks.hash, some)))
      }
      for (let start = 0; start < changed.length; start += rowsAtOnce) {
        const some = changed.slice(start, start + rowsAtOnce)
        await tx.insert(siteBlocks).values(some.map((row) => ({ sourceId, ...row })))
      }
    })
  }

  function storedRows(sourceId: string) {
    return db.read.select().from(siteBlocks).where(eq(siteBlocks.sourceId, sourceId))
  }

  async function cutAgain(row: AddressKeys & { hashes: Uint8Array }, share: Boilerplate): Promise<number> {
    const [kept] = await db.read
      .select({ blocks: addressBlocks.blocks })
      .from(addressBlocks)
      .where(eq(addressBlocks.addressId, row.id))
    const fragments = kept ? await extractor.rechunk(kept.blocks, share) : 'failed'
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
        .set({ boilerplateSignature: boilerplateSignature(row.hashes, share), isEntryPage: share.isEntryPage })
        .where(eq(addressBlocks.addressId, row.id))
      if (added > 0) await wantVectors(tx, row)
      return added
    })
  }

  return { known, shareOfPage, standing, settle }
}

export type BoilerplateService = ReturnType<typeof createBoilerplate>

function isSame(row: SiteBlock, other: SiteBlock | undefined): boolean {
  return row.addressId === other?.addressId && row.isRepeated === other.isRepeated
}

function rowsFor({ repeated, around }: Repetition): SiteBlock[] {
  return [
    ...[...repeated].map(([hash, addressId]) => ({ hash, addressId, isRepeated: true })),
    ...[...around].map(([hash, addressId]) => ({ hash, addressId, isRepeated: false })),
  ]
}

function knownBy(rows: SiteBlock[], home: string | null): SourceBoilerplate {
  const kept = new Map<string, Set<string>>()
  for (const { hash, addressId } of rows) kept.set(addressId, (kept.get(addressId) ?? new Set()).add(hash))
  return { repeated: new Set(rows.flatMap(({ hash, isRepeated }) => (isRepeated ? [hash] : []))), kept, home }
}

/** The share of one page. */
export function boilerplateOf({ repeated, kept, home }: SourceBoilerplate, addressId: string): Boilerplate {
  return { repeated, kept: kept.get(addressId) ?? new Set(), isEntryPage: home === addressId }
}

/** Pages nearer to the start come first, then those with shorter addresses. */
function rankOf(depth: number, url: string): string {
  return `${String(depth).padStart(4, '0')} ${String(url.length).padStart(5, '0')} ${url}`
}

/** Keeps what an address was cut from, in the transaction of its fragments. */
export async function storeBlocks(
  tx: Transaction,
  { id: addressId, sourceId }: Pick<AddressKeys, 'id' | 'sourceId'>,
  { blocks, hashes }: PageBlocks,
  share: Boilerplate,
): Promise<void> {
  const cut = {
    blocks,
    hashes,
    boilerplateSignature: boilerplateSignature(hashes, share),
    isEntryPage: share.isEntryPage,
  }
  await tx
    .insert(addressBlocks)
    .values({ addressId, sourceId, ...cut })
    .onConflictDoUpdate({ target: addressBlocks.addressId, set: cut })
}
