import { eq } from 'drizzle-orm'
import type { Database } from '../../../../db/database'
import { addresses } from '../../../../db/schema/addresses'
import type { FileFacts, FileReading, FileRefusal } from '../../../engine/documents/ports'
import type { Fragment } from '../../../engine/ports/extractor'
import { promoteReplacement } from '../../files/file-rows'
import type { Files } from '../../files/files'
import { fragmentBatchSize, maxFragmentsPerTransaction } from '../../fragments/delete-fragments'
import { type Indexes, replaceFragments } from '../../fragments/fragments'
import { enqueueEmbedding } from '../../indexing/enqueue-embedding'
import type { AddressRow, RunContext } from '../../runs/run-context'
import { addCounts } from '../../runs/run-stats'
import { findDuplicate, requeueMerged, takeOwnership } from '../pages/duplicate-pages'
import { changeFiles } from './document-outcomes'
import { rollbackDocument, type StagedDocument, stageDocument } from './document-parts'
import { type DocumentSource, type ReadDocument, storeDocumentRow, textOf } from './document-row'
import { finishDocument } from './finish-document'

interface Deps {
  db: Database
  indexes: Indexes
  files: Pick<Files, 'removeBytes'>
}

const progressIntervalMs = 1_000

export type StoreDocument = ReturnType<typeof createStoreDocument>

/**
 * Stores documents of any length as they are read. A short one is exchanged in one transaction, as a page is. A long one
 * is stored in parts: its new fragments are searchable at the end, and those that are gone are deleted then. Interrupted
 * anywhere, it is read again with the same result.
 */
export function createStoreDocument({ db, indexes, files }: Deps) {
  /**
   * Stores the document of a claimed address. Returns why there is nothing to store, and then the address is as before;
   * null when it is stored, or not claimed any more. Throws what `readings` throws; the address is still claimed then.
   */
  async function storeDocument(
    run: RunContext,
    address: AddressRow,
    source: DocumentSource,
    readings: AsyncIterable<FileReading>,
  ): Promise<FileRefusal | null> {
    const storeProgress = createProgress(address)
    const isLong = address.committedThroughKey !== null || address.fragments > maxFragmentsPerTransaction
    let staged: StagedDocument | null = isLong ? await stageDocument({ db, indexes }, run, address) : null
    let facts: FileFacts | null = null
    let note: ReadDocument['note'] = null
    let buffered: Fragment[] = []
    for await (const reading of readings) {
      switch (reading.kind) {
        case 'facts':
          facts = reading.facts
          break
        case 'note':
          note = reading
          break
        case 'progress':
          await storeProgress(reading)
          break
        case 'fragments':
          buffered.push(...reading.fragments)
          if (buffered.length > maxFragmentsPerTransaction)
            staged ??= await stageDocument({ db, indexes }, run, address)
          if (!staged || buffered.length < fragmentBatchSize) break
          if (!(await staged.add(buffered))) return null
          buffered = []
          break
        case 'refused':
          await rollbackDocument({ db, indexes }, address)
          return reading.reason
        default: {
          const document = { ...source, facts, note, textHash: reading.textHash }
          if (!staged) await storeAtOnce(run, address, document, buffered)
          else if (await staged.add(buffered)) await commitParts(run, address, document, staged)
        }
      }
    }
    return null
  }

  function createProgress({ id }: AddressRow) {
    let storedAt = Number.NEGATIVE_INFINITY
    return async ({ done, total }: { done: number; total: number }): Promise<void> => {
      if (!(total > 0) || performance.now() - storedAt < progressIntervalMs) return
      storedAt = performance.now()
      const progress = { readDone: Math.floor(Math.min(done, total)), readTotal: Math.ceil(total) }
      await db.writeOne((tx) => tx.update(addresses).set(progress).where(eq(addresses.id, id)))
    }
  }

  async function storeAtOnce(
    run: RunContext,
    address: AddressRow,
    document: ReadDocument,
    fragments: Fragment[],
  ): Promise<void> {
    await changeFiles({ db, files }, address, async (tx, stored) => {
      if (stored.textHash !== document.textHash && stored.fragments > 0) await requeueMerged(tx, address, run.runId)
      const duplicate = await findDuplicate(tx, run, address, textOf(document))
      if (duplicate && !duplicate.isPreferred) await takeOwnership(tx, indexes, address, duplicate.owner)
      const added = await replaceFragments(tx, indexes, address, duplicate?.isPreferred ? [] : fragments)
      await addCounts(tx, run, { fragments: added })
      if (added > 0) await enqueueEmbedding(tx, address)
      await storeDocumentRow(tx, run, stored, document, { duplicate, fragments: fragments.length })
      return promoteReplacement(tx, run.source)
    })
  }

  async function commitParts(
    run: RunContext,
    address: AddressRow,
    document: ReadDocument,
    staged: StagedDocument,
  ): Promise<void> {
    if (run.source.type === 'file') await adoptFile(run, address, document)
    await finishDocument({ db, indexes }, run, address, document, staged)
  }

  /** Parts cannot be rolled back once the commit starts: from here on the new file is the source's, also after a crash. */
  async function adoptFile(run: RunContext, address: AddressRow, { name }: ReadDocument): Promise<void> {
    await changeFiles({ db, files }, address, async (tx) => {
      const renamed = { url: name, discoveredFrom: name, etag: null }
      await tx.update(addresses).set(renamed).where(eq(addresses.id, address.id))
      return promoteReplacement(tx, run.source)
    })
  }

  return storeDocument
}
