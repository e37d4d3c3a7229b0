import { eq } from 'drizzle-orm'
import { type ReasonCode, reasonText, withAddress } from '../../../../contract/reasons'
import type { Transaction } from '../../../../db/database'
import { addresses } from '../../../../db/schema/addresses'
import { addressBlocks } from '../../../../db/schema/blocks'
import type { FileFacts, FileReading } from '../../../engine/documents/ports'
import type { Duplicate } from '../pages/duplicate-pages'
import { countFetched, fetchedColumns } from '../pages/page-columns'
import type { AddressRow, RunContext } from '../runs/run-context'
import { transitionAddresses } from '../transitions'
import type { DocumentSource } from './documents'

export interface ReadDocument extends DocumentSource {
  facts: FileFacts | null
  /** What is missing of it. */
  note: Extract<FileReading, { kind: 'note' }> | null
  textHash: string
}

/** The address, as it is stored, says what was read of it, and nothing stays of what it was before. */
export async function storeDocumentRow(
  tx: Transaction,
  work: RunContext,
  address: AddressRow,
  { facts, note, name, contentType, ...document }: ReadDocument,
  { rival, fragments }: { rival: Duplicate | null; fragments: number },
): Promise<void> {
  const twin = rival?.stays ? rival.keeper.url : null
  // A document is not cut again by what the pages of its site share.
  await tx.delete(addressBlocks).where(eq(addressBlocks.addressId, address.id))
  await transitionAddresses(tx, eq(addresses.id, address.id), twin ? 'canonicalized' : 'read', {
    ...document,
    ...(work.source.type === 'file' ? { url: name, discoveredFrom: name } : {}),
    ...told(twin, note),
    canonicalUrl: twin,
    contentType: contentType.slice(0, 200),
    language: facts?.language ?? '',
    metaTitle: facts?.title || name,
    metaDescription: '',
    publishedAt: dateOf(facts?.publishedAt),
    modifiedAt: dateOf(facts?.modifiedAt),
    fragments: twin ? 0 : fragments,
    readDone: null,
    readTotal: null,
    committedThroughKey: null,
    ...fetchedColumns(address, document.textHash, 'document'),
  })
  await countFetched(tx, work, address, document, rival)
}

/** Why it is not in, or why it is in with a part alone. */
function told(twin: string | null, note: ReadDocument['note']): { reason: ReasonCode | null; message: string | null } {
  if (twin !== null) return { reason: 'duplicate', message: withAddress('duplicate', twin) }
  return { reason: note?.reason ?? null, message: note && reasonText(note.reason, { pages: note.pages }) }
}

function dateOf(milliseconds: number | null | undefined): Date | null {
  const date = new Date(milliseconds ?? Number.NaN)
  return Number.isNaN(date.getTime()) ? null : date
}
