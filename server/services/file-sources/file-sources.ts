import { and, eq, gt, isNull } from 'drizzle-orm'
import { lengths } from '../../../contract/values/limits'
import type { SourceView } from '../../../contract/views/source'
import type { Database, Transaction } from '../../../db/database'
import { addresses } from '../../../db/schema/addresses'
import { sources } from '../../../db/schema/collections'
import { type Actor, personOf } from '../../actor'
import { AppError } from '../../errors'
import { authorize, notFound } from '../../policy'
import type { Sealer } from '../../sealing'
import { type CollectionRef, findCollection } from '../collections/collections'
import { insertFile } from '../files/file-rows'
import { type Files, invalidFile, type StagedFile, type StoredFile } from '../files/files'
import type { EmbeddingRate } from '../indexing/embedding-rate'
import type { Organizations } from '../organizations/organizations'
import { fullRunColumns } from '../runs/request-run'
import { createRun } from '../runs/runs'
import { sourceTransitions, transitionSource } from '../runs/transitions'
import { findSource, type SourceRef } from '../source-rows/find-source'
import type { SourceRow } from '../source-rows/source-settings'
import { assertUniqueFile } from '../sources/assert-unique-source'
import { sourceView } from '../sources/source-views'
import { assertRoom } from '../sources/sources'
import { assertStorage } from '../usage/plan-limits'
import { storageOf } from '../usage/storage'

interface Deps {
  db: Database
  organizations: Organizations
  sealer: Sealer
  embeddingRate: Pick<EmbeddingRate, 'of'>
  files: Files
}

/** Where an upload goes: to the file of a source, or to a new source of the collection. */
type UploadTarget = CollectionRef & Partial<Pick<SourceRef, 'sourceId'>>

/** Receives an upload as a stream of chunks; see `createFiles().receive`. */
export type Receiver = (name: string, chunks: AsyncIterable<Uint8Array>) => Promise<StagedFile>

export interface OriginalFile extends StoredFile {
  content: AsyncIterable<Uint8Array>
}

/** Manages sources of type file, which are made of uploads. */
export function createFileSources({ db, organizations, sealer, embeddingRate, files }: Deps) {
  /**
   * Call before the first byte of an upload: throws if the actor may not upload or the plan has no room. With a source,
   * the upload replaces that source's file. The receiver checks the plan's storage as bytes arrive.
   */
  async function receiver(actor: Actor, { sourceId, ...ref }: UploadTarget): Promise<Receiver> {
    const { organizationId, collectionId } = ref
    authorize(actor, 'source:edit', organizationId)
    const source = sourceId === undefined ? null : await findSource(db.read, { ...ref, sourceId })
    if (!source) await findCollection(db.read, organizationId, collectionId)
    const plan = await organizations.planOf(db.read, organizationId)
    const used = await storageOf(db.read, organizationId, source?.id)
    return async (name, chunks) => {
      if (source) assertReplaceable(source)
      else await assertRoom(db.read, { actor, organizationId }, plan)
      return files.receive(name, chunks, (bytes) =>
        assertStorage({ actor, organizationId }, plan.storage, used + bytes),
      )
    }
  }

  /** Creates a source of an upload and enqueues its first run. Throws conflict if the collection has the same file. */
  async function create(
    actor: Actor,
    { organizationId, collectionId }: CollectionRef,
    { name }: { name: string },
    file: StagedFile,
  ): Promise<SourceView> {
    authorize(actor, 'source:edit', organizationId)
    await findCollection(db.read, organizationId, collectionId)
    const id = crypto.randomUUID()
    const insert = async (tx: Transaction) => {
      const plan = await organizations.planOf(tx, organizationId)
      await assertUniqueFile(tx, collectionId, file.sha256)
      await assertRoom(tx, { actor, organizationId }, plan)
      assertStorage({ actor, organizationId }, plan.storage, (await storageOf(tx, organizationId)) + file.bytes)
      await tx.insert(sources).values({
        id,
        organizationId,
        collectionId,
        type: 'file',
        name: name || nameOf(file.name),
        status: sourceTransitions.added.to,
        fileName: file.name,
        refreshInterval: 'never',
        createdBy: personOf(actor),
      })
      await insertFile(tx, file, { organizationId, sourceId: id, isWaiting: false })
      await createRun(tx, { id, organizationId }, 'full')
    }
    await files.store(file, () => db.writeAlone(organizationId, insert))
    return view({ organizationId, collectionId, sourceId: id })
  }

  /**
   * Replaces the source's file by an upload and starts a run. Throws conflict during a run or a pause. An indexed file
   * stays the source's current one until the new one has been read.
   */
  async function replace(
    actor: Actor,
    ref: SourceRef,
    { name }: { name?: string },
    file: StagedFile,
  ): Promise<SourceView> {
    const { organizationId, collectionId, sourceId: id } = ref
    authorize(actor, 'source:edit', organizationId)
    assertReplaceable(await findSource(db.read, ref))
    const exchange = async (tx: Transaction) => {
      const isWaiting = await hasText(tx, id)
      const set = {
        ...fullRunColumns,
        ...(isWaiting ? {} : { fileName: file.name }),
        ...(name === undefined ? {} : { name }),
      }
      if (!(await transitionSource(tx, id, 'started', set, isNull(sources.pausedAt)))) throw sourceBusy()
      // A file of a source that was deleted meanwhile would never be removed.
      const [row] = await tx.select({ deletedAt: sources.deletedAt }).from(sources).where(eq(sources.id, id))
      if (!row || row.deletedAt) throw notFound()
      await assertUniqueFile(tx, collectionId, file.sha256, id)
      const { storage } = await organizations.planOf(tx, organizationId)
      assertStorage({ actor, organizationId }, storage, (await storageOf(tx, organizationId, id)) + file.bytes)
      const replacedIds = await insertFile(tx, file, { organizationId, sourceId: id, isWaiting })
      await createRun(tx, { id, organizationId }, 'full')
      return replacedIds
    }
    const replacedIds = await files.store(file, () => db.writeAlone([organizationId, id], exchange))
    await files.removeBytes(replacedIds)
    return view(ref)
  }

  async function view(ref: SourceRef): Promise<SourceView> {
    return sourceView(db.read, await findSource(db.read, ref), { sealer, embeddingRate })
  }

  /** Returns the uploaded file. Throws not_found without one. */
  async function original(actor: Actor, ref: SourceRef): Promise<OriginalFile> {
    authorize(actor, 'source:read', ref.organizationId)
    const source = await findSource(db.read, ref)
    const file = await files.find(source.id)
    if (!file) throw notFound()
    return { ...file, content: await files.read(file) }
  }

  return { receiver, create, replace, original }
}

async function hasText(tx: Transaction, sourceId: string): Promise<boolean> {
  return (await tx.$count(addresses, and(eq(addresses.sourceId, sourceId), gt(addresses.fragments, 0)))) > 0
}

function assertReplaceable({ type, status, pausedAt }: SourceRow): void {
  if (type !== 'file') throw invalidFile('Only a source of type file has a file that can be replaced.')
  if (status === 'processing' || status === 'crawling' || pausedAt) throw sourceBusy()
}

function sourceBusy(): AppError {
  return new AppError('conflict', 'A run of this source is already active. Wait until it ends, or cancel it first.', {
    details: { title: 'Failed to replace the file' },
  })
}

function nameOf(fileName: string): string {
  // Removes half of a surrogate pair at the end.
  return fileName.slice(0, lengths.sourceName).replace(/[\ud800-\udbff]$/, '')
}
