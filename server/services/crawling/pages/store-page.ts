import { eq } from 'drizzle-orm'
import { type ReasonCode, withAddress } from '../../../../contract/reasons'
import type { Transaction } from '../../../../db/database'
import { addresses } from '../../../../db/schema/addresses'
import type { FetchedPage } from '../../../engine/crawl/fetch/page-outcome'
import { detectLanguage } from '../../../engine/language/detect-language'
import { type Indexes, replaceFragments } from '../../fragments/fragments'
import { enqueueEmbedding } from '../../indexing/enqueue-embedding'
import { boilerplateOf, storeBlocks } from '../../runs/boilerplate'
import type { AddressRow, RunContext } from '../../runs/run-context'
import { transitionAddresses } from '../../runs/transitions'
import { findDuplicate, requeueMerged, takeOwnership } from './duplicate-pages'
import { countFetched, fetchedColumns } from './page-columns'

interface IndexedPage {
  run: RunContext
  /** As claimed. */
  address: AddressRow
  /** As stored now. */
  stored: AddressRow
  page: FetchedPage
}

/** Stores a fetched page: its fragments are searchable from then on, or those of a preferred page with the same text. */
export async function storePage(
  tx: Transaction,
  indexes: Indexes,
  { run, address, stored, page }: IndexedPage,
): Promise<void> {
  const { textHash, bytes, fragments, document } = page
  const textLanguage = () => detectLanguage(fragments.map(({ text }) => text))
  const duplicate = await findDuplicate(tx, run, address, { textHash, language: document.language, textLanguage })
  const owner = duplicate?.isPreferred ? duplicate.owner.url : null
  if (stored.textHash !== page.textHash && stored.fragments > 0) await requeueMerged(tx, address, run.runId)
  if (duplicate && owner === null) await takeOwnership(tx, indexes, address, duplicate.owner)
  const added = await replaceFragments(tx, indexes, address, owner ? [] : page.fragments)
  if (owner === null && page.fragments.length > 0) {
    await storeBlocks(tx, address, page.pageBlocks, boilerplateOf(run.boilerplate, address.id))
  }
  // A shorter path to it was found while it was fetched: its links are to be discovered again from there.
  const isNearer = stored.depth < address.depth && run.source.maxDepth !== null
  await transitionAddresses(tx, eq(addresses.id, address.id), owner ? 'canonicalized' : 'indexed', {
    ...pageColumns(page),
    ...(isNearer ? { etag: null, lastModified: null } : {}),
    ...reasonColumns(page, owner),
    fragments: owner ? 0 : page.fragments.length,
    ...fetchedColumns(stored, page.textHash, 'page'),
  })
  await countFetched(tx, run, stored, { textHash, bytes, fragments: added }, duplicate)
  if (added > 0) await enqueueEmbedding(tx, address)
}

function pageColumns({ document, ...page }: FetchedPage) {
  return {
    httpStatus: page.httpStatus,
    contentType: page.contentType.slice(0, 200),
    bytes: page.bytes,
    etag: page.etag,
    lastModified: page.lastModified,
    language: document.language,
    metaTitle: document.title,
    metaDescription: document.description,
    unavailableAfter: toDate(page.unavailableAfter),
    publishedAt: toDate(document.publishedAt),
    modifiedAt: toDate(document.modifiedAt),
  }
}

function reasonColumns({ document }: FetchedPage, owner: string | null) {
  const reason: ReasonCode | null = owner ? 'duplicate' : document.textFrom === 'data' ? 'read-from-data' : null
  return { reason, message: reason && withAddress(reason, owner), canonicalUrl: owner }
}

function toDate(time: number | null): Date | null {
  return time === null ? null : new Date(time)
}
