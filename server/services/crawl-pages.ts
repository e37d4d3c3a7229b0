import { eq } from 'drizzle-orm'
import { isNote, type ReasonCode } from '../../contract/reasons'
import type { Database } from '../../db/database'
import { addresses } from '../../db/schema/addresses'
import type { Fragment, KeptBlocks } from '../engine/ports'
import { stillClaimed, withAddress } from './claimed-address'
import { isTrap } from './crawl-traps'
import type { ClaimedAddress, CrawlWork, FoundAddress } from './crawl-work'
import { type Indexes, replaceFragments } from './fragments'
import type { Frontier } from './frontier'
import { readColumns, readCounts } from './read-columns'
import { addCounts } from './run-counts'
import { shareAt, storeBlocks } from './site-shares'
import { moveAddresses } from './states'
import { readTwins, twinOf } from './twins'
import { wantVectors } from './vectors-wanted'

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
  kept: KeptBlocks
}

/** Stores what was read. */
export function createPageStore({ db, indexes, frontier }: { db: Database; indexes: Indexes; frontier: Frontier }) {
  // The links come first: an address that is done is not read again, so after a crash in between nobody would find them.

  /** A page was read: its fragments and words are found from now on; its links are listed. */
  async function storePage(
    work: CrawlWork,
    address: ClaimedAddress,
    page: ReadPage,
    links: FoundAddress[],
  ): Promise<void> {
    const leadsOn = !(await isTrap(db.read, address.sourceId, page.textHash))
    await frontier.list(work, leadsOn ? links : [])
    await db.write(async (tx) => {
      if (!(await stillClaimed(tx, address))) return
      // Whoever names one address wants that one.
      const twin = work.source.type === 'url' ? null : await twinOf(tx, address, page.textHash)
      const added = await replaceFragments(tx, indexes, address, twin ? [] : page.fragments)
      if (!twin && page.fragments.length > 0) {
        await storeBlocks(tx, address, page.kept, shareAt(work.share, address.id))
      }
      const changed = address.textHash !== page.textHash
      if (changed && address.fragments > 0) await readTwins(tx, address, work.runId)
      const reason = twin ? 'duplicate' : page.note
      await moveAddresses(tx, eq(addresses.id, address.id), twin ? 'elsewhere' : 'read', {
        reason,
        message: reason && withAddress(reason, twin),
        canonicalOf: twin,
        httpStatus: page.httpStatus,
        contentType: page.contentType.slice(0, 200),
        bytes: page.bytes,
        etag: page.etag,
        lastModified: page.lastModified,
        language: page.language,
        metaTitle: page.title,
        metaDescription: page.description,
        unavailableAfter: page.unavailableAfter,
        publishedAt: page.publishedAt,
        modifiedAt: page.modifiedAt,
        fragments: twin ? 0 : page.fragments.length,
        ...readColumns(address, page.textHash),
      })
      await addCounts(tx, work, { ...readCounts(address, page, twin), fragments: added })
      if (added > 0) await wantVectors(tx, address)
    })
  }

  /** The server says that nothing changed since. */
  async function storeUnchanged(work: CrawlWork, address: ClaimedAddress): Promise<void> {
    await db.write(async (tx) => {
      if (!(await stillClaimed(tx, address))) return
      if (address.reason === 'duplicate' && !(await twinOf(tx, address, address.textHash ?? ''))) {
        // The page that it gave way to has gone meanwhile.
        await moveAddresses(tx, eq(addresses.id, address.id), 'released', { etag: null, lastModified: null })
        return
      }
      const same = { httpStatus: 304, failures: 0, missing: 0, nextFetchAt: null, crawledAt: new Date() }
      const isNoted = isNote(address.reason) || address.reason === 'duplicate'
      const hadNote = isNoted ? {} : { reason: null, message: null }
      await moveAddresses(tx, eq(addresses.id, address.id), 'unchanged', { ...same, ...hadNote })
      await addCounts(tx, work, { checked: 1, unchanged: 1 })
    })
  }

  return { storePage, storeUnchanged }
}
