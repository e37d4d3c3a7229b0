import { reasonText } from '../../../../contract/reasons'
import type { Database } from '../../../../db/database'
import type { FetchedDocument } from '../../../engine/crawl/fetch/page-outcome'
import type { FileReader, FileReading, FileRefusal } from '../../../engine/documents/ports'
import { extractorVersion } from '../../../engine/ingest/extractor-version'
import type { Files } from '../../files/files'
import type { AddressRow, RunContext } from '../../runs/run-context'
import { interruptible } from '../../runs/run-state'
import type { ApplyChange } from '../pages/apply-change'
import { rejection } from '../pages/decide-change'
import { createDocumentOutcomes } from './document-outcomes'
import type { DocumentSource } from './document-row'
import type { StoreDocument } from './store-document'

interface Deps {
  db: Database
  files: Pick<Files, 'findPendingFile' | 'removeBytes'>
  fileReader: Pick<FileReader, 'read'>
  storeDocument: StoreDocument
  applyChange: ApplyChange
}

export type IngestDocument = ReturnType<typeof createIngestDocument>

/** Reads documents and stores them. */
export function createIngestDocument({ db, files, fileReader, storeDocument, applyChange }: Deps) {
  const outcomes = createDocumentOutcomes({ db, files })

  /** Ingests the file of a source, or its replacement, unless it was read before under this name and type. */
  async function ingestFile(run: RunContext, address: AddressRow, signal: AbortSignal): Promise<void> {
    const file = await files.findPendingFile(run.source.id)
    if (!file) return reject(run, address, 'file-broken')
    const { path, name, type, bytes, sha256, isWaiting } = file
    // Identifies everything that the fragments depend on, as the ETag of a page does.
    const etag = `${extractorVersion.document}-${type}-${sha256}-${name}`
    if (address.etag === etag && address.crawledAt) return outcomes.storeUnchanged(run, address)
    const source = {
      name,
      httpStatus: null,
      contentType: type,
      bytes,
      etag,
      lastModified: null,
      unavailableAfter: null,
    }
    const read = (signal: AbortSignal) => fileReader.read({ path, name, type }, signal)
    const refusal = await store(run, address, source, read, signal)
    if (!refusal) return
    if (isWaiting) return outcomes.rejectReplacement(run, address, { name, reason: refusal })
    return reject(run, address, refusal)
  }

  /** Ingests a downloaded document of a site and removes the download. */
  async function ingestDownload(
    run: RunContext,
    address: AddressRow,
    { download, type, name, ...document }: FetchedDocument,
    signal: AbortSignal,
  ): Promise<void> {
    if (!download) throw new Error('The document was not downloaded.')
    const { path } = download
    const { httpStatus, contentType, bytes, etag, lastModified } = document
    const unavailableAfter = document.unavailableAfter === null ? null : new Date(document.unavailableAfter)
    const source = { name, httpStatus, contentType, bytes, etag, lastModified, unavailableAfter }
    const read = (signal: AbortSignal) => fileReader.read({ path, name, type }, signal)
    try {
      const refusal = await store(run, address, source, read, signal)
      if (refusal) await reject(run, address, refusal, httpStatus)
    } finally {
      await download.remove()
    }
  }

  /** Returns why there is nothing to store. A run that is paused or ended does not wait for the end of a document. */
  async function store(
    run: RunContext,
    address: AddressRow,
    source: DocumentSource,
    read: (signal: AbortSignal) => AsyncIterable<FileReading>,
    signal: AbortSignal,
  ): Promise<FileRefusal | null> {
    const refusal = await interruptible(db, run, signal, (interrupt) =>
      storeDocument(run, address, source, read(interrupt)),
    )
    return refusal === 'interrupted' ? null : refusal
  }

  function reject(
    run: RunContext,
    address: AddressRow,
    reason: FileRefusal,
    httpStatus: number | null = null,
  ): Promise<void> {
    const stays = address.fragments > 0 ? ` The text of “${address.url}” from an earlier run stays.` : ''
    const message = `${reasonText(reason)}${stays}`
    return applyChange(run, address, rejection({ reason, message, httpStatus }))
  }

  return { ingestFile, ingestDownload }
}
