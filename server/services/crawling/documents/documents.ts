import { and, eq, ne } from 'drizzle-orm'
import type { Database } from '../../../../db/database'
import { addresses } from '../../../../db/schema/addresses'
import type { FileFacts, FileReading, FileRefusal } from '../../../engine/documents/ports'
import type { Fragment } from '../../../engine/ports'
import type { Files } from '../../files/files'
import { fragmentsAtOnce, manyFragments } from '../../fragments/delete-fragments'
import { type Indexes, replaceFragments } from '../../fragments/fragments'
import { wantVectors } from '../../indexing/enqueue-embedding'
import type { Frontier } from '../frontier/frontier'
import { findDuplicate, requeueMerged, takeOwnership } from '../pages/duplicate-pages'
import type { AddressRow, RunContext } from '../runs/run-context'
import { addCounts } from '../runs/run-stats'
import { changeFiles, createDocumentOutcomes } from './document-outcomes'
import { type DocumentParts, discardStaged, stageDocument } from './document-parts'
import { type ReadDocument, storeDocumentRow } from './document-row'
import { promoteReplacement } from './file-rows'
import { finishDocument } from './finish-document'

/** What is known of a document before it is read. */
export interface DocumentSource {
  /** Titles a document that has no title of its own. */
  name: string
  httpStatus: number | null
  contentType: string
  bytes: number
  etag: string | null
  lastModified: string | null
  /** When its owner wants it to be left out. */
  unavailableAfter: Date | null
}

interface Deps {
  db: Database
  indexes: Indexes
  frontier: Pick<Frontier, 'list'>
  files: Pick<Files, 'removeBytes'>
}

const progressMs = 1_000

/**
 * Documents of any length, stored as they are read. A short one is exchanged as a whole, as a page is. A long one comes
 * in pieces: what is there already stays, what is new is found at once, and what is gone goes at the end. Cut off
 * anywhere, it is read again and ends the same.
 */
export function createDocuments({ db, indexes, frontier, files }: Deps) {
  /**
   * Puts the one address of a source of type file on the list of its run. It is called as the file is; one that has text
   * keeps its name until the file that is to take its place was read.
   */
  async function list(work: RunContext, name: string): Promise<void> {
    const here = eq(addresses.sourceId, work.source.id)
    const unread = and(here, eq(addresses.fragments, 0), ne(addresses.url, name))
    await db.write((tx) => tx.update(addresses).set({ url: name, discoveredFrom: name }).where(unread))
    const [known] = await db.read.select({ url: addresses.url }).from(addresses).where(here)
    const url = known?.url ?? name
    await frontier.list(work, [{ url, depth: 0, discoveredFrom: url }])
  }

  /**
   * Stores what comes of a claimed address. Resolves to why there is nothing to store, and then the address has what it
   * had before; null where it is stored, or nobody wants it any more. Throws what `readings` throws: the address is
   * claimed then as before.
   */
  async function store(
    work: RunContext,
    address: AddressRow,
    source: DocumentSource,
    readings: AsyncIterable<FileReading>,
  ): Promise<FileRefusal | null> {
    const tellProgress = createProgress(address)
    // What has many fragments, or was cut off, cannot be exchanged as a whole.
    const isLarge = address.committedThroughKey !== null || address.fragments > manyFragments
    let pieces: DocumentParts | null = isLarge ? await stageDocument({ db, indexes }, work, address) : null
    let facts: FileFacts | null = null
    let note: ReadDocument['note'] = null
    let waiting: Fragment[] = []
    for await (const reading of readings) {
      switch (reading.kind) {
        case 'facts':
          facts = reading.facts
          break
        case 'note':
          note = reading
          break
        case 'progress':
          await tellProgress(reading)
          break
        case 'fragments':
          waiting.push(...reading.fragments)
          if (waiting.length > manyFragments) pieces ??= await stageDocument({ db, indexes }, work, address)
          if (!pieces || waiting.length < fragmentsAtOnce) break
          if (!(await pieces.add(waiting))) return null
          waiting = []
          break
        case 'refused':
          await discardStaged({ db, indexes }, address)
          return reading.reason
        default: {
          const document = { ...source, facts, note, textHash: reading.textHash }
          if (!pieces) await storeWhole(work, address, document, waiting)
          else if (await pieces.add(waiting)) await endPieces(work, address, document, pieces)
        }
      }
    }
    return null
  }

  /** At most once in a second. */
  function createProgress({ id }: AddressRow) {
    let told = Number.NEGATIVE_INFINITY
    return async ({ done, total }: { done: number; total: number }): Promise<void> => {
      if (!(total > 0) || performance.now() - told < progressMs) return
      told = performance.now()
      const set = { readDone: Math.floor(Math.min(done, total)), readTotal: Math.ceil(total) }
      await db.writeOne((tx) => tx.update(addresses).set(set).where(eq(addresses.id, id)))
    }
  }

  async function storeWhole(
    work: RunContext,
    address: AddressRow,
    document: ReadDocument,
    wanted: Fragment[],
  ): Promise<void> {
    await changeFiles({ db, files }, address, async (tx, stored) => {
      if (stored.textHash !== document.textHash && stored.fragments > 0) await requeueMerged(tx, address, work.runId)
      const rival = await findDuplicate(tx, work, address, document.textHash)
      if (rival && !rival.stays) await takeOwnership(tx, indexes, address, rival.keeper)
      const added = await replaceFragments(tx, indexes, address, rival?.stays ? [] : wanted)
      await addCounts(tx, work, { fragments: added })
      if (added > 0) await wantVectors(tx, address)
      await storeDocumentRow(tx, work, stored, document, { rival, fragments: wanted.length })
      return promoteReplacement(tx, work.source)
    })
  }

  async function endPieces(
    work: RunContext,
    address: AddressRow,
    document: ReadDocument,
    pieces: DocumentParts,
  ): Promise<void> {
    await begin(work, address, document)
    await finishDocument({ db, indexes }, work, address, document, pieces)
  }

  /**
   * What is exchanged piece by piece goes no way back: from here on the file is the new one, and where that is cut off
   * it is read again.
   */
  async function begin(work: RunContext, address: AddressRow, { name }: ReadDocument): Promise<void> {
    if (work.source.type !== 'file') return
    await changeFiles({ db, files }, address, async (tx) => {
      const called = { url: name, discoveredFrom: name, etag: null }
      await tx.update(addresses).set(called).where(eq(addresses.id, address.id))
      return promoteReplacement(tx, work.source)
    })
  }

  return { list, store, ...createDocumentOutcomes({ db, files }) }
}
