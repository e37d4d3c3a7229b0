import { eq } from 'drizzle-orm'
import { reasonText, withAddress } from '../../../../contract/reasons'
import type { Transaction } from '../../../../db/database'
import { addresses } from '../../../../db/schema/addresses'
import { addressBlocks } from '../../../../db/schema/blocks'
import type { FileFacts, FileReading } from '../../../engine/documents/ports'
import type { AddressRow, RunContext } from '../../runs/run-context'
import { transitionAddresses } from '../../runs/transitions'
import type { Duplicate, PageText } from '../pages/duplicate-pages'
import { countFetched, fetchedColumns } from '../pages/page-columns'

/** What is known of a document before it is read. */
export interface DocumentSource {
  /** Title of a document without one. */
  name: string
  httpStatus: number | null
  contentType: string
  bytes: number
  etag: string | null
  lastModified: string | null
  /** When its site asks to remove it from the index. */
  unavailableAfter: Date | null
}

export interface ReadDocument extends DocumentSource {
  facts: FileFacts | null
  /** What is missing of the document. */
  note: Extract<FileReading, { kind: 'note' }> | null
  textHash: string
}

/** The reader tells the language of a document by its text. */
export function textOf({ textHash, facts }: ReadDocument): PageText {
  const language = facts?.language ?? ''
  return { textHash, language, textLanguage: () => language }
}

/** Stores the row of a document whose fragments are stored. */
export async function storeDocumentRow(
  tx: Transaction,
  run: RunContext,
  stored: AddressRow,
  { facts, note, name, contentType, ...document }: ReadDocument,
  { duplicate, fragments }: { duplicate: Duplicate | null; fragments: number },
): Promise<void> {
  const owner = duplicate?.isPreferred ? duplicate.owner.url : null
  // Documents have no boilerplate, so that their blocks are not kept.
  await tx.delete(addressBlocks).where(eq(addressBlocks.addressId, stored.id))
  await transitionAddresses(tx, eq(addresses.id, stored.id), owner ? 'canonicalized' : 'indexed', {
    ...document,
    ...(run.source.type === 'file' ? { url: name, discoveredFrom: name } : {}),
    ...reasonColumns(owner, note),
    canonicalUrl: owner,
    contentType: contentType.slice(0, 200),
    language: facts?.language ?? '',
    metaTitle: facts?.title || name,
    metaDescription: '',
    publishedAt: toDate(facts?.publishedAt),
    modifiedAt: toDate(facts?.modifiedAt),
    fragments: owner ? 0 : fragments,
    readDone: null,
    readTotal: null,
    committedThroughKey: null,
    ...fetchedColumns(stored, document.textHash, 'document'),
  })
  await countFetched(tx, run, stored, { textHash: document.textHash, bytes: document.bytes }, duplicate)
}

function reasonColumns(owner: string | null, note: ReadDocument['note']) {
  if (owner !== null) return { reason: 'duplicate', message: withAddress('duplicate', owner) }
  return { reason: note?.reason ?? null, message: note && reasonText(note.reason, { pages: note.pages }) }
}

/** Null also for a time outside the range of dates. */
function toDate(time: number | null | undefined): Date | null {
  const date = new Date(time ?? Number.NaN)
  return Number.isNaN(date.getTime()) ? null : date
}
