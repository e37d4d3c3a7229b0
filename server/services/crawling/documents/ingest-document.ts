import { reasonText } from '../../../../contract/reasons'
import { type FetchedDocument, refused } from '../../../engine/crawl/fetch/page-outcome'
import type { FileReader, FileRefusal, FileToRead } from '../../../engine/documents/ports'
import { extractorVersion } from '../../../engine/ingest/extractor-version'
import type { Files } from '../../files/files'
import type { RunContext } from '../../runs/run-context'
import { interruptible } from '../../runs/run-state'
import type { Visit } from '../frontier/frontier'
import type { ApplyVisit } from '../pages/apply-visit'
import type { DocumentSource } from '../pages/read-text'
import type { StoreDocument } from './store-document'

interface Deps {
  files: Pick<Files, 'findPendingFile' | 'openLocal'>
  fileReader: Pick<FileReader, 'read'>
  storeDocument: StoreDocument
  applyVisit: ApplyVisit
}

export type IngestDocument = ReturnType<typeof createIngestDocument>

/** Reads documents and stores them. */
export function createIngestDocument({ files, fileReader, storeDocument, applyVisit }: Deps) {
  /** Ingests the file of a source, or its replacement, unless it was read before under this name and type. */
  async function ingestFile(run: RunContext, visit: Visit, signal: AbortSignal): Promise<void> {
    const file = await files.findPendingFile(run.source.id)
    if (!file) return reject(run, visit, 'file-broken')
    const { name, type, bytes, sha256, isWaiting } = file
    // Identifies everything that the fragments depend on.
    const identity = `${extractorVersion.document}-${type}-${sha256}-${name}`
    const { address } = visit
    if (address.fileIdentity === identity && address.crawledAt) return applyVisit(run, visit, { kind: 'same-file' })
    const source: DocumentSource = {
      ...{ name, contentType: type, bytes, file: { identity } },
      ...{ httpStatus: null, etag: null, lastModified: null, unavailableAfter: null },
    }
    const local = await files.openLocal(file)
    const refusal = await store(run, visit, source, { path: local.path, name, type }, signal).finally(local.release)
    if (!refusal) return
    if (!isWaiting) return reject(run, visit, refusal)
    const message = `“${name}” was rejected. ${reasonText(refusal)} “${address.url}” stays as it is.`
    await applyVisit(run, visit, { kind: 'bad-replacement', reason: refusal, message })
  }

  /** Ingests a downloaded document of a site and removes the download. */
  async function ingestDownload(
    run: RunContext,
    visit: Visit,
    { download, type, ...document }: FetchedDocument,
    signal: AbortSignal,
  ): Promise<void> {
    if (!download) throw new Error('The document was not downloaded.')
    const { name, httpStatus } = document
    try {
      const file = { path: download.path, name, type }
      const refusal = await store(run, visit, { ...document, file: null }, file, signal)
      if (refusal) await reject(run, visit, refusal, httpStatus)
    } finally {
      await download.remove()
    }
  }

  /** Returns why there is nothing to store. A run that is paused or ended does not wait for the end of a document. */
  async function store(
    run: RunContext,
    visit: Visit,
    source: DocumentSource,
    file: FileToRead,
    signal: AbortSignal,
  ): Promise<FileRefusal | null> {
    const refusal = await interruptible(run, signal, (interrupt) =>
      storeDocument(run, visit, source, fileReader.read(file, interrupt)),
    )
    return refusal === 'interrupted' ? null : refusal
  }

  function reject(run: RunContext, visit: Visit, reason: FileRefusal, httpStatus: number | null = null): Promise<void> {
    const { fragments, url } = visit.address
    const stays = fragments > 0 ? ` The text of “${url}” from an earlier run stays.` : ''
    return applyVisit(run, visit, { ...refused(reason), message: `${reasonText(reason)}${stays}`, httpStatus })
  }

  return { ingestFile, ingestDownload }
}
