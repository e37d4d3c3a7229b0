import { reasonText } from '../../contract/reasons'
import type { App } from '../../server/app'
import type { FetchedDocument } from '../../server/engine/crawl/fetch/page-outcome'
import type { FileReading, FileRefusal } from '../../server/engine/documents/ports'
import { extractorVersion } from '../../server/engine/ingest/extractor-version'
import type { DocumentSource } from '../../server/services/crawling/documents/documents'
import type { AddressRow, RunContext } from '../../server/services/crawling/runs/run-context'
import { watchRunState } from './watch-run-state'

/**
 * Reads the file of a source, or the one that is to take its place, and stores what came of it; a file that was read
 * before, as this type and under this name, is not read again.
 */
export async function readFile(app: App, work: RunContext, address: AddressRow, signal: AbortSignal): Promise<void> {
  const file = await app.files.findToRead(work.source.id)
  // Somebody took it away meanwhile.
  if (!file) return refuse(app, work, address, 'file-broken')
  const { path, name, type, bytes, sha256, isWaiting } = file
  // Of all that its fragments are made of: a site says the same by an etag.
  const etag = `${extractorVersion.document}-${type}-${sha256}-${name}`
  if (address.etag === etag && address.crawledAt) return app.documents.storeUnchanged(work, address)
  const source = { name, httpStatus: null, contentType: type, bytes, etag, lastModified: null, unavailableAfter: null }
  const read = (cut: AbortSignal) => app.fileReader.read({ path, name, type }, cut)
  const reason = await storeDocument(app, work, address, source, read, signal)
  if (!reason) return
  if (isWaiting) return app.documents.refuseReplacement(work, address, { name, reason })
  return refuse(app, work, address, reason)
}

/** Reads a document of a site that lies on the disk, which it leaves in any case. */
export async function readDownload(
  app: App,
  work: RunContext,
  address: AddressRow,
  { download, type, name, httpStatus, ...visit }: FetchedDocument,
  signal: AbortSignal,
): Promise<void> {
  if (!download) throw new Error('The document was not downloaded.')
  const { contentType, bytes, etag, lastModified } = visit
  const unavailableAfter = visit.unavailableAfter === null ? null : new Date(visit.unavailableAfter)
  const source = { name, httpStatus, contentType, bytes, etag, lastModified, unavailableAfter }
  const { path } = download
  const read = (cut: AbortSignal) => app.fileReader.read({ path, name, type }, cut)
  try {
    const reason = await storeDocument(app, work, address, source, read, signal)
    if (reason) await refuse(app, work, address, reason, httpStatus)
  } finally {
    await download.remove()
  }
}

/**
 * Stores a document while it is read; a run that is held or ended meanwhile does not wait for its end. Resolves to why
 * there is nothing to store.
 */
async function storeDocument(
  app: App,
  work: RunContext,
  address: AddressRow,
  source: DocumentSource,
  read: (signal: AbortSignal) => AsyncIterable<FileReading>,
  signal: AbortSignal,
): Promise<FileRefusal | null> {
  const watch = watchRunState(app, work, signal)
  try {
    return await app.documents.store(work, address, source, read(watch.signal))
  } catch (error) {
    // A run that is held goes on later with what it has, and one that is cancelled takes it away.
    if (watch.isCut()) return null
    throw error
  } finally {
    watch.stop()
  }
}

function refuse(
  app: App,
  work: RunContext,
  address: AddressRow,
  reason: FileRefusal,
  httpStatus: number | null = null,
): Promise<void> {
  const stays = address.fragments > 0 ? ` The text of “${address.url}”, which was read before, stays.` : ''
  const message = `${reasonText(reason)}${stays}`
  return app.crawls.storeRefusal(work, address, { reason, message, httpStatus, withdraw: false })
}
