import { and, eq } from 'drizzle-orm'
import type { Transaction } from '../../../../db/database'
import { addressBlocks, addresses, visits } from '../../../../db/schema/addresses'
import { runs } from '../../../../db/schema/collections'
import { createAdmission } from '../../../engine/crawl/urls/admission'
import { createCrawlerTrapDetector } from '../../../engine/crawl/urls/crawler-traps'
import type { Fragment, PageBlocks } from '../../../engine/ports/extractor'
import type { Telemetry } from '../../../engine/ports/telemetry'
import { dropReplacement, promoteReplacement } from '../../files/file-rows'
import type { Files } from '../../files/files'
import { clearFragments } from '../../fragments/delete-fragments'
import { type Indexes, replaceFragments } from '../../fragments/fragments'
import { enqueueEmbedding } from '../../indexing/enqueue-embedding'
import { boilerplateOf, storeBlocks } from '../../runs/boilerplate'
import type { RunContext } from '../../runs/run-context'
import { addCounts } from '../../runs/run-stats'
import { waitingColumns } from '../../runs/visits'
import { type Frontier, findClaimed, refundCrawl, type Visit } from '../frontier/frontier'
import { canStandFor, revisitDependents } from './canonicals'
import { type Change, decide, type Ending, type Finding, findingThatCounts, type Postponement } from './decide'
import { findDuplicate, isDuplicateTrap, revisitMerged, takeOwnership } from './duplicate-pages'

interface Deps {
  indexes: Indexes
  files: Pick<Files, 'removeBytes'>
  frontier: Pick<Frontier, 'enqueue'>
  retryDelaysMs: readonly number[]
  telemetry: Pick<Telemetry, 'pageVisited'>
}

/** What was read at an address. */
export interface Reading {
  fragments: Fragment[]
  /** Blocks from which a page is chunked again when the boilerplate of its site changes; null for a document. */
  pageBlocks: PageBlocks | null
}

const nothing: Reading = { fragments: [], pageBlocks: null }

export type ApplyVisit = ReturnType<typeof createApplyVisit>

/** Decides what a visit changes, and stores that in one transaction. */
export function createApplyVisit({ indexes, files, frontier, retryDelaysMs, telemetry }: Deps) {
  const traps = createCrawlerTrapDetector()

  return async (run: RunContext, visit: Visit, finding: Finding, reading = nothing): Promise<void> => {
    const { address } = visit
    const hasCanonical = await canStandFor(run.db.read, run, address, finding)
    const counted = findingThatCounts({ finding, hasCanonical })
    const isTrap = await leadsToTrap(run, visit, counted, reading)
    const visited = { source: run.source, visit, finding, hasCanonical, isTrap, retryDelaysMs, now: new Date() }
    const expected = decide({ ...visited, address, duplicate: null })
    if (expected.kind === 'end') {
      // Links first: a stored address is not fetched again, so that a crash in between would lose them.
      await frontier.enqueue(run, expected.links)
      if (expected.text === 'delete') await clearFragments(run.db, indexes, address)
    }
    let ended: Ending['visit'] | null = null
    const removedFiles = await run.db.write(async (tx) => {
      const stored = await findClaimed(tx, run, visit)
      if (!stored) return []
      const duplicate = await findDuplicate(tx, run, stored.address, counted)
      const change = decide({ ...visited, address: stored.address, duplicate })
      ended = change.kind === 'end' ? change.visit : null
      return storeChange(tx, indexes, run, stored, change, reading)
    })
    if (ended) telemetry.pageVisited(ended)
    await files.removeBytes(removedFiles)
  }

  async function leadsToTrap(
    { db, runId, source }: RunContext,
    { address }: Visit,
    finding: Finding,
    { fragments }: Reading,
  ): Promise<boolean> {
    const { url, discoveredFrom, sourceId } = address
    if (finding.kind !== 'read' || finding.from !== 'page' || createAdmission(source).isLinksOnly(url)) return false
    const texts = fragments.map(({ text }) => text)
    return (
      traps.isEndless(runId, { url, discoveredFrom, texts }) || isDuplicateTrap(db.read, sourceId, finding.textHash)
    )
  }
}

/** Returns the ids of files whose bytes are to be removed. */
async function storeChange(
  tx: Transaction,
  indexes: Indexes,
  run: RunContext,
  stored: Visit,
  change: Change,
  { fragments, pageBlocks }: Reading,
): Promise<string[]> {
  switch (change.kind) {
    case 'postpone':
      await postpone(tx, run, stored, change)
      return []
    case 'refetch':
      await revisitAtOnce(tx, stored)
      return []
    case 'end':
      return endVisit(tx, indexes, run, stored, change, async () => {
        const { address } = stored
        const isOwner = change.address.canonicalUrl === null
        if (change.takesFrom) await takeOwnership(tx, indexes, run, address, change.takesFrom.owner)
        const added = await replaceFragments(tx, indexes, address, isOwner ? fragments : [])
        const blocks = isOwner && fragments.length > 0 ? pageBlocks : null
        if (blocks) await storeBlocks(tx, address, blocks, boilerplateOf(run.boilerplate, address.id))
        else await tx.delete(addressBlocks).where(eq(addressBlocks.addressId, address.id))
        return { added, fragments: isOwner ? fragments.length : 0 }
      })
  }
}

/**
 * Ends a visit. `storeText` stores the text that was read, and returns how many fragments the address has then, and how
 * many of them are new. Returns the ids of files whose bytes are to be removed.
 */
export async function endVisit(
  tx: Transaction,
  indexes: Indexes,
  run: RunContext,
  { address, ...visit }: Visit,
  { address: columns, text, replacement, isFetched, visit: ended }: Ending,
  storeText: () => Promise<{ added: number; fragments: number }>,
): Promise<string[]> {
  const losesText =
    text === 'delete' || (text === 'store' && columns.textHash !== address.textHash && address.fragments > 0)
  if (losesText) await revisitMerged(tx, address, run.runId)
  let fragments = address.fragments
  if (text !== 'keep') {
    const stored = text === 'store' ? await storeText() : { added: 0, fragments: 0 }
    if (text === 'delete') await replaceFragments(tx, indexes, address, [])
    fragments = stored.fragments
    if (stored.added > 0) {
      await addCounts(tx, run, { fragments: stored.added })
      await enqueueEmbedding(tx, address)
    }
  }
  await tx
    .update(addresses)
    .set({ ...columns, ...(text === 'keep' ? {} : { fragments, committedThroughKey: null }) })
    .where(eq(addresses.id, address.id))
  await tx
    .update(visits)
    .set({ ...ended, readDone: null, readTotal: null })
    .where(isVisit(visit))
  if (!isFetched) await refundCrawl(tx, run, visit)
  await revisitThoseThatNamed(tx, run, address.url, columns)
  if (replacement === 'promote') return promoteReplacement(tx, run.source.id)
  if (replacement === 'keep') return []
  const { reason, message } = ended
  await tx.update(runs).set({ reason, message }).where(eq(runs.id, run.runId))
  return dropReplacement(tx, run.source.id)
}

/** Pages that named this one as canonical are fetched as they are, because it has no text to stand for them. */
async function revisitThoseThatNamed(
  tx: Transaction,
  run: RunContext,
  url: string,
  { status, canonicalUrl, textHash }: Ending['address'],
): Promise<void> {
  if (status === 'fail') return revisitDependents(tx, run, url)
  // Where the target names this page as canonical, the two lead in a circle.
  if (canonicalUrl && textHash === null) await revisitDependents(tx, run, url, eq(addresses.url, canonicalUrl))
}

async function postpone(
  tx: Transaction,
  run: RunContext,
  visit: Visit,
  { afterMs, attempt }: Postponement,
): Promise<void> {
  const dueAt = new Date(Date.now() + afterMs)
  const failed = attempt ? { ...attempt, attempts: visit.attempts + 1 } : {}
  await tx
    .update(visits)
    .set({ ...failed, ...waitingColumns, dueAt })
    .where(isVisit(visit))
  if (!attempt) await refundCrawl(tx, run, visit)
}

/** The address is visited again at once, unconditionally. */
export async function revisitAtOnce(
  tx: Transaction,
  visit: Visit,
  columns: Partial<typeof addresses.$inferInsert> = {},
): Promise<void> {
  const unconditional = { etag: null, lastModified: null, ...columns }
  await tx.update(addresses).set(unconditional).where(eq(addresses.id, visit.addressId))
  await tx.update(visits).set(waitingColumns).where(isVisit(visit))
}

function isVisit({ runId, addressId }: Pick<Visit, 'runId' | 'addressId'>) {
  return and(eq(visits.runId, runId), eq(visits.addressId, addressId))
}
