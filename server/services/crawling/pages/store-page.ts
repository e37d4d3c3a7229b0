import { eq } from 'drizzle-orm'
import { isNote, type ReasonCode, withAddress } from '../../../../contract/reasons'
import type { Database, Transaction } from '../../../../db/database'
import { addresses } from '../../../../db/schema/addresses'
import { createCrawlerTrapDetector } from '../../../engine/crawl/urls/crawler-traps'
import type { Fragment, PageBlocks } from '../../../engine/ports'
import { type Indexes, replaceFragments } from '../../fragments/fragments'
import { wantVectors } from '../../indexing/enqueue-embedding'
import { boilerplateOf, storeBlocks } from '../boilerplate/boilerplate'
import type { Frontier } from '../frontier/frontier'
import type { AddressRow, DiscoveredAddress, RunContext } from '../runs/run-context'
import { addCounts, countExcluded } from '../runs/run-stats'
import { transitionAddresses } from '../transitions'
import { asStored } from './claim'
import { findDuplicate, findOwnerUrl, requeueMerged, takeOwnership } from './duplicate-pages'
import { isDuplicateTrap } from './duplicate-trap'
import { countFetched, fetchedColumns } from './page-columns'

/** What is stored of a page that was read. */
export interface ReadPage {
  httpStatus: number
  contentType: string
  bytes: number
  etag: string | null
  lastModified: string | null
  language: string
  title: string
  description: string
  textHash: string
  /** Told although the page is in: where its text was found. */
  note: ReasonCode | null
  unavailableAfter: Date | null
  /** As the page says itself. */
  publishedAt: Date | null
  modifiedAt: Date | null
  fragments: Fragment[]
  kept: PageBlocks
}

/** Stores what was read. */
export function createPageStore({ db, indexes, frontier }: { db: Database; indexes: Indexes; frontier: Frontier }) {
  const streaks = createCrawlerTrapDetector()

  /** Whether its links lead to anything new. */
  async function leadsOn(
    work: RunContext,
    { url, discoveredFrom, sourceId }: AddressRow,
    page: ReadPage,
  ): Promise<boolean> {
    const texts = page.fragments.map(({ text }) => text)
    const isEndless = streaks.isEndless(work.runId, { url, discoveredFrom, texts })
    return !isEndless && !(await isDuplicateTrap(db.read, sourceId, page.textHash))
  }

  // The links come first: an address that is done is not read again, so after a crash in between nobody would find them.

  /** A page was read: its fragments and words are found from now on; its links are listed. */
  async function storePage(
    work: RunContext,
    address: AddressRow,
    page: ReadPage,
    links: DiscoveredAddress[],
  ): Promise<void> {
    await frontier.list(work, (await leadsOn(work, address, page)) ? links : [])
    await db.write(async (tx) => {
      const stored = await asStored(tx, address)
      if (!stored) return
      const rival = await findDuplicate(tx, work, address, page.textHash)
      const twin = rival?.stays ? rival.keeper.url : null
      if (stored.textHash !== page.textHash && stored.fragments > 0) await requeueMerged(tx, address, work.runId)
      if (rival && !twin) await takeOwnership(tx, indexes, address, rival.keeper)
      const added = await replaceFragments(tx, indexes, address, twin ? [] : page.fragments)
      if (!twin && page.fragments.length > 0) {
        await storeBlocks(tx, address, page.kept, boilerplateOf(work.boilerplate, address.id))
      }
      const reason = twin ? 'duplicate' : page.note
      // A shorter way to it was found while it was read: what it links to is seen again from there.
      const isNearer = stored.depth < address.depth && work.source.maxDepth !== null
      await transitionAddresses(tx, eq(addresses.id, address.id), twin ? 'canonicalized' : 'read', {
        reason,
        message: reason && withAddress(reason, twin),
        canonicalUrl: twin,
        httpStatus: page.httpStatus,
        contentType: page.contentType.slice(0, 200),
        bytes: page.bytes,
        etag: isNearer ? null : page.etag,
        lastModified: isNearer ? null : page.lastModified,
        language: page.language,
        metaTitle: page.title,
        metaDescription: page.description,
        unavailableAfter: page.unavailableAfter,
        publishedAt: page.publishedAt,
        modifiedAt: page.modifiedAt,
        fragments: twin ? 0 : page.fragments.length,
        ...fetchedColumns(stored, page.textHash, 'page'),
      })
      await countFetched(tx, work, stored, page, rival, added)
      if (added > 0) await wantVectors(tx, address)
    })
  }

  /** The server says that nothing changed since. */
  async function storeUnchanged(work: RunContext, address: AddressRow): Promise<void> {
    await db.write(async (tx) => {
      const stored = await asStored(tx, address)
      if (!stored) return
      const given = await givenWay(tx, stored)
      if (given === 'gone') {
        await transitionAddresses(tx, eq(addresses.id, address.id), 'asked-in-full', { etag: null, lastModified: null })
        return
      }
      const same = { httpStatus: 304, failures: 0, notFoundCount: 0, nextFetchAt: null, crawledAt: new Date() }
      await transitionAddresses(tx, eq(addresses.id, address.id), 'unchanged', { ...same, ...toldOf(stored, given) })
      if (given) await countExcluded(tx, work, given.reason, { wasIndexed: false })
      else await addCounts(tx, work, { checked: 1, unchanged: 1 })
    })
  }

  return { storePage, storeUnchanged }
}

interface GivenWay {
  reason: 'duplicate' | 'canonical' | 'feed'
  to: string | null
}

/** What is read in place of this address; null where its own text is in, 'gone' where its twin is not any more. */
async function givenWay(tx: Transaction, stored: AddressRow): Promise<GivenWay | 'gone' | null> {
  const { fragments, canonicalUrl, textHash } = stored
  if (fragments > 0) return null
  if (textHash === null) return { reason: canonicalUrl === null ? 'feed' : 'canonical', to: canonicalUrl }
  if (canonicalUrl === null) return null
  const twin = await findOwnerUrl(tx, stored, textHash)
  return twin === null ? 'gone' : { reason: 'duplicate', to: twin }
}

/** What is told of a page that did not change: a failure in between may have told something else. */
function toldOf({ reason }: AddressRow, given: GivenWay | null): Partial<AddressRow> {
  if (given) return { reason: given.reason, message: withAddress(given.reason, given.to), canonicalUrl: given.to }
  return isNote(reason) ? {} : { reason: null, message: null }
}
