import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import type { Database, Queries } from '../../../../db/database'
import { addressBlocks, addresses, siteBlocks } from '../../../../db/schema/addresses'
import { sources } from '../../../../db/schema/collections'
import { createRepetitionCount, type Repetition } from '../../../engine/chunking/count-repeated-blocks'
import { boilerplateSignature, hashesIn } from '../../../engine/chunking/page-blocks'
import type { Boilerplate, Extractor } from '../../../engine/ports/extractor'
import { RetryLater } from '../../../errors'
import { type AddressKeys, type Indexes, replaceFragments } from '../../fragments/fragments'
import { enqueueEmbedding } from '../../indexing/enqueue-embedding'
import { boilerplateOf, type SiteBlock, sourceBoilerplate, storedBlocks } from '../../runs/boilerplate'
import { latestRun } from '../../runs/runs'
import type { SourceRow } from '../../source-rows/source-settings'

const batchSize = 200
const retryMs = 10_000

interface Deps {
  db: Database
  indexes: Indexes
  extractor: Pick<Extractor, 'rechunk'>
}

export type DetectBoilerplate = ReturnType<typeof createDetectBoilerplate>

/**
 * Finds the text that most pages of a source repeat, removes it from them, and keeps it once, with the page nearest to
 * the start that has it; likewise text around several pages. Pages are chunked again from their stored blocks.
 */
export function createDetectBoilerplate({ db, indexes, extractor }: Deps) {
  /**
   * Counts the blocks of all pages and chunks those again whose boilerplate changed. Returns the number of new fragments.
   * Safe to interrupt and repeat. A run gives its own `writer`.
   */
  async function detect(sourceId: string, signal: AbortSignal, writer: Database = db): Promise<number> {
    const { blocks, entryPageId } = await count(sourceId, signal)
    await store(writer, sourceId, blocks)
    const boilerplate = sourceBoilerplate(blocks, entryPageId)
    let added = 0
    for await (const page of pagesOf(sourceId, signal)) {
      const own = boilerplateOf(boilerplate, page.id)
      if (boilerplateSignature(page.hashes, own) !== page.signature) added += await rechunk(writer, page, own)
    }
    return added
  }

  async function count(
    sourceId: string,
    signal: AbortSignal,
  ): Promise<{ blocks: SiteBlock[]; entryPageId: string | null }> {
    const counter = createRepetitionCount()
    let entryPage: { id: string; rank: string } | null = null
    for await (const { id, rank, hashes } of pagesOf(sourceId, signal)) {
      if (entryPage === null || rank < entryPage.rank) entryPage = { id, rank }
      counter.sketch({ id, rank, ...hashesIn(hashes) })
    }
    for await (const { id, rank, hashes } of pagesOf(sourceId, signal)) counter.count({ id, rank, ...hashesIn(hashes) })
    return { blocks: siteBlocksOf(counter.result()), entryPageId: entryPage?.id ?? null }
  }

  async function* pagesOf(sourceId: string, signal: AbortSignal) {
    for (let last = ''; ; ) {
      signal.throwIfAborted()
      const rows = await db.read
        .select({
          id: addressBlocks.addressId,
          hashes: addressBlocks.hashes,
          signature: addressBlocks.boilerplateSignature,
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
        .limit(batchSize)
      for (const { depth, url, ...row } of rows) yield { ...row, rank: rankOf(depth, url) }
      const end = rows.at(-1)
      if (!end) return
      last = end.id
      await yieldToEventLoop()
    }
  }

  /** Writes only the blocks that changed. */
  async function store({ write }: Database, sourceId: string, blocks: SiteBlock[]): Promise<void> {
    const before = new Map((await storedBlocks(db.read, sourceId)).map((block) => [block.hash, block]))
    const changed = blocks.filter((block) => !isSame(block, before.get(block.hash)))
    const current = new Set(blocks.map(({ hash }) => hash))
    const stale = [...before.keys()].filter((hash) => !current.has(hash))
    for (const { hash } of changed) if (before.has(hash)) stale.push(hash)
    if (changed.length + stale.length === 0) return
    await write(async (tx) => {
      for (let start = 0; start < stale.length; start += batchSize) {
        const hashes = stale.slice(start, start + batchSize)
        await tx.delete(siteBlocks).where(and(eq(siteBlocks.sourceId, sourceId), inArray(siteBlocks.hash, hashes)))
      }
      for (let start = 0; start < changed.length; start += batchSize) {
        const batch = changed.slice(start, start + batchSize)
        await tx.insert(siteBlocks).values(batch.map((block) => ({ sourceId, ...block })))
      }
    })
  }

  async function rechunk(
    { write }: Database,
    page: AddressKeys & { hashes: Uint8Array },
    boilerplate: Boilerplate,
  ): Promise<number> {
    const stored = eq(addressBlocks.addressId, page.id)
    const [row] = await db.read.select({ blocks: addressBlocks.blocks }).from(addressBlocks).where(stored)
    const fragments = row ? await extractor.rechunk(row.blocks, boilerplate) : 'failed'
    if (typeof fragments === 'string') return 0
    return write(async (tx) => {
      // A page that was fetched or excluded meanwhile has other fragments by now.
      const [now] = await tx.select({ hashes: addressBlocks.hashes }).from(addressBlocks).where(stored)
      if (!now || Buffer.compare(now.hashes, page.hashes) !== 0) return 0
      const added = await replaceFragments(tx, indexes, page, fragments)
      await tx.update(addresses).set({ fragments: fragments.length }).where(eq(addresses.id, page.id))
      await tx
        .update(addressBlocks)
        .set({
          boilerplateSignature: boilerplateSignature(page.hashes, boilerplate),
          isEntryPage: boilerplate.isEntryPage,
        })
        .where(stored)
      if (added > 0) await enqueueEmbedding(tx, page)
      return added
    })
  }

  /** For a source without a running run; throws RetryLater while there is one. */
  async function detectAtRest(sourceId: string, signal: AbortSignal): Promise<void> {
    const state = await crawlState(db.read, sourceId)
    if (state === 'deleted') return
    if (state === 'crawling') throw new RetryLater(retryMs)
    try {
      await detect(sourceId, signal)
    } catch (error) {
      // Rows of a source that was deleted meanwhile cannot be written.
      if (signal.aborted || (await crawlState(db.read, sourceId)) !== 'deleted') throw error
    }
  }

  return { detect, detectAtRest }
}

/** Files have none. */
export function hasBoilerplate({ type }: Pick<SourceRow, 'type'>): boolean {
  return type !== 'file'
}

async function crawlState(queries: Queries, sourceId: string): Promise<'at-rest' | 'crawling' | 'deleted'> {
  const [source] = await queries.select().from(sources).where(eq(sources.id, sourceId))
  if (!source || source.deletedAt) return 'deleted'
  const run = await latestRun(queries, sourceId)
  return run && !run.finishedAt && !source.pausedAt ? 'crawling' : 'at-rest'
}

function isSame(block: SiteBlock, second: SiteBlock | undefined): boolean {
  return block.addressId === second?.addressId && block.isRepeated === second.isRepeated
}

function siteBlocksOf({ repeated, around }: Repetition): SiteBlock[] {
  return [
    ...[...repeated].map(([hash, addressId]) => ({ hash, addressId, isRepeated: true })),
    ...[...around].map(([hash, addressId]) => ({ hash, addressId, isRepeated: false })),
  ]
}

/** Orders pages by distance from the start, then by length of the URL. */
function rankOf(depth: number, url: string): string {
  return `${String(depth).padStart(4, '0')} ${String(url.length).padStart(5, '0')} ${url}`
}
