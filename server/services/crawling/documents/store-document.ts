import { and, eq } from 'drizzle-orm'
import { visits } from '../../../../db/schema/addresses'
import type { FileReading, FileRefusal } from '../../../engine/documents/ports'
import type { Fragment } from '../../../engine/ports/extractor'
import type { Files } from '../../files/files'
import { fragmentBatchSize, maxFragmentsPerTransaction } from '../../fragments/delete-fragments'
import type { Indexes } from '../../fragments/fragments'
import type { RunContext } from '../../runs/run-context'
import type { Visit } from '../frontier/frontier'
import type { ApplyVisit } from '../pages/apply-visit'
import { type DocumentFacts, type DocumentSource, textOfDocument } from '../pages/read-text'
import { rollbackDocument, type StagedDocument, stageDocument } from './document-parts'
import { finishDocument } from './finish-document'

interface Deps {
  indexes: Indexes
  files: Pick<Files, 'removeBytes'>
  applyVisit: ApplyVisit
}

const progressIntervalMs = 1_000

export type StoreDocument = ReturnType<typeof createStoreDocument>

/**
 * Stores documents of any length as they are read. A short one is stored in one transaction, as a page is. A long one is
 * stored in parts: its new fragments are searchable at the end, and those that are gone are deleted then. Interrupted
 * anywhere, it is read again with the same result.
 */
export function createStoreDocument({ indexes, files, applyVisit }: Deps) {
  /**
   * Stores the document of a claimed visit. Returns why there is nothing to store, and then the address is as before;
   * null when it is stored, or not claimed any more. Throws what `readings` throws; the visit is still claimed then.
   */
  return async (
    run: RunContext,
    visit: Visit,
    source: DocumentSource,
    readings: AsyncIterable<FileReading>,
  ): Promise<FileRefusal | null> => {
    const { address } = visit
    const storeProgress = createProgress(run, visit)
    const isLong = address.committedThroughKey !== null || address.fragments > maxFragmentsPerTransaction
    let staged: StagedDocument | null = isLong ? await stageDocument(indexes, run, visit) : null
    const known: Omit<DocumentFacts, 'textHash'> = { facts: null, note: null }
    let buffered: Fragment[] = []
    for await (const reading of readings) {
      switch (reading.kind) {
        case 'facts':
          known.facts = reading.facts
          break
        case 'note':
          known.note = reading
          break
        case 'progress':
          await storeProgress(reading)
          break
        case 'fragments':
          buffered.push(...reading.fragments)
          if (buffered.length > maxFragmentsPerTransaction) staged ??= await stageDocument(indexes, run, visit)
          if (!staged || buffered.length < fragmentBatchSize) break
          if (!(await staged.add(buffered))) return null
          buffered = []
          break
        case 'refused':
          await rollbackDocument({ db: run.db, indexes }, address)
          return reading.reason
        default: {
          const text = textOfDocument(source, { ...known, textHash: reading.textHash })
          if (!staged) await applyVisit(run, visit, text, { fragments: buffered, pageBlocks: null })
          else if (await staged.add(buffered)) await finishDocument({ indexes, files }, run, visit, text, staged)
        }
      }
    }
    return null
  }
}

function createProgress({ db }: RunContext, { runId, addressId }: Visit) {
  let storedAt = Number.NEGATIVE_INFINITY
  const isVisit = and(eq(visits.runId, runId), eq(visits.addressId, addressId))
  return async ({ done, total }: { done: number; total: number }): Promise<void> => {
    if (!(total > 0) || performance.now() - storedAt < progressIntervalMs) return
    storedAt = performance.now()
    const progress = { readDone: Math.floor(Math.min(done, total)), readTotal: Math.ceil(total) }
    await db.write((tx) => tx.update(visits).set(progress).where(isVisit))
  }
}
