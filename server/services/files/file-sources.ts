import { and, eq, gt, isNull } from 'drizzle-orm'
import { lengths } from '../../../contract/limits'
import type { SourceView } from '../../../contract/views/source'
import type { Database, Transaction } from '../../../db/database'
import { addresses } from '../../../db/schema/addresses'
import { sources } from '../../../db/schema/collections'
import { type Actor, personOf } from '../../actor'
import { AppError } from '../../errors'
import { authorize, notFound } from '../../policy'
import { findCollection } from '../collections/collections'
import { insertFile } from '../crawling/documents/file-rows'
import { atRest } from '../crawling/runs/run-control'
import { createRun } from '../crawling/runs/runs'
import { sourceTransitions, transitionSource } from '../crawling/transitions'
import type { Organizations } from '../organizations/organizations'
import { assertUniqueFile } from '../sources/assert-unique-source'
import { findSource } from '../sources/find-source'
import type { SourceRow } from '../sources/source-settings'
import { assertRoom, type Sources } from '../sources/sources'
import { assertStorage, storageOf } from '../usage/storage'
import { type Files, type StagedFile, type StoredFile, wrongFile } from './files'

interface Deps {
  db: Database
  organizations: Organizations
  sources: Pick<Sources, 'get'>
  files: Files
}

/** Takes an upload in, piece by piece; see `createFiles().receive`. */
export type Receiver = (name: string, pieces: AsyncIterable<Uint8Array>) => Promise<StagedFile>

/** Sources that are made of an uploaded file. */
export function createFileSources({ db, organizations, sources: { get }, files }: Deps) {
  /**
   * Asked before the first byte of an upload: throws where the actor may not, or the plan has no room for it. With
   * `sourceId` the upload is to replace that source's file. What it returns checks the plan's storage as bytes come.
   */
  async function receiver(
    actor: Actor,
    organizationId: string,
    collectionId: string,
    sourceId: string | null = null,
  ): Promise<Receiver> {
    authorize(actor, 'source:edit', organizationId)
    await findCollection(db.read, organizationId, collectionId)
    const plan = await organizations.planOf(db.read, organizationId)
    const source = sourceId === null ? null : await findSource(db.read, organizationId, collectionId, sourceId)
    const used = await storageOf(db.read, organizationId, source?.id)
    return async (name, pieces) => {
      if (source) assertReplaceable(source)
      else await assertRoom(db.read, plan, organizationId)
      return files.receive(name, pieces, (bytes) => assertStorage(plan.storage, used + bytes))
    }
  }

  /** Makes a source of an upload, with status processing, and puts its first run in line. Throws conflict for bytes that the collection has. */
  async function create(
    actor: Actor,
    organizationId: string,
    collectionId: string,
    { name }: { name: string },
    file: StagedFile,
  ): Promise<SourceView> {
    authorize(actor, 'source:edit', organizationId)
    await findCollection(db.read, organizationId, collectionId)
    const id = crypto.randomUUID()
    const insert = async (tx: Transaction) => {
      const plan = await organizations.planOf(tx, organizationId)
      await assertUniqueFile(tx, collectionId, file.sha256)
      await assertRoom(tx, plan, organizationId)
      assertStorage(plan.storage, (await storageOf(tx, organizationId)) + file.bytes)
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
    await files.keep(file, () => db.write(insert))
    return get(actor, organizationId, collectionId, id)
  }

  /**
   * Has an upload take the place of the source's file and starts a run; a conflict while one is under way or held. A file
   * of which something was read stays the source's until the new one was read, too.
   */
  async function replace(
    actor: Actor,
    organizationId: string,
    collectionId: string,
    id: string,
    { name }: { name?: string },
    file: StagedFile,
  ): Promise<SourceView> {
    authorize(actor, 'source:edit', organizationId)
    assertReplaceable(await findSource(db.read, organizationId, collectionId, id))
    const exchange = async (tx: Transaction) => {
      const isWaiting = await hasText(tx, id)
      const set = { ...atRest, ...(isWaiting ? {} : { fileName: file.name }), ...(name === undefined ? {} : { name }) }
      if (!(await transitionSource(tx, id, 'refreshed', set, isNull(sources.pausedAt)))) throw atWork()
      // A source that was deleted meanwhile is not brought back: its bytes would be nobody's.
      const [row] = await tx.select({ deletedAt: sources.deletedAt }).from(sources).where(eq(sources.id, id))
      if (!row || row.deletedAt) throw notFound()
      await assertUniqueFile(tx, collectionId, file.sha256, id)
      const { storage } = await organizations.planOf(tx, organizationId)
      assertStorage(storage, (await storageOf(tx, organizationId, id)) + file.bytes)
      const gone = await insertFile(tx, file, { organizationId, sourceId: id, isWaiting })
      await createRun(tx, { id, organizationId }, 'full')
      return gone
    }
    const gone = await files.keep(file, () => db.write(exchange))
    await files.removeBytes(gone)
    return get(actor, organizationId, collectionId, id)
  }

  /** The file as it was uploaded, for members. */
  async function original(actor: Actor, organizationId: string, collectionId: string, id: string): Promise<StoredFile> {
    authorize(actor, 'source:read', organizationId)
    const source = await findSource(db.read, organizationId, collectionId, id)
    const file = await files.find(source.id)
    if (!file) throw notFound()
    return file
  }

  return { receiver, create, replace, original }
}

async function hasText(tx: Transaction, sourceId: string): Promise<boolean> {
  return (await tx.$count(addresses, and(eq(addresses.sourceId, sourceId), gt(addresses.fragments, 0)))) > 0
}

function assertReplaceable({ type, status, pausedAt }: SourceRow): void {
  if (type !== 'file') throw wrongFile('Only a source of type file has a file that can be replaced.')
  if (status === 'processing' || status === 'crawling' || pausedAt) throw atWork()
}

function atWork(): AppError {
  return new AppError('conflict', 'This source is being read already. Wait until it is done, or cancel it first.', {
    details: { title: 'Failed to replace the file' },
  })
}

function nameOf(fileName: string): string {
  // No half of a character at its end.
  return fileName.slice(0, lengths.sourceName).replace(/[\ud800-\udbff]$/, '')
}
