import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import type { AddressView } from '../../../contract/views/address'
import type { SourceView } from '../../../contract/views/source'
import { system } from '../../../server/actor'
import type { App, Overrides } from '../../../server/app'
import { createTestApp, type TestApp } from '../app'
import { settleSearch } from '../database/cluster'
import { keysInOpenSearch, keysInTextIndex } from '../database/indexed-keys'

export interface FileCollection {
  test: TestApp
  orgId: string
  collectionId: string
  /**
   * Uploads a file as a new source, or replaces the file of a source. Resolves to the source's id; its run is pending.
   */
  upload(name: string, content: string | Uint8Array, sourceId?: string): Promise<string>
  source(id: string): Promise<SourceView>
  address(sourceId: string): Promise<AddressView>
  rows(): Promise<StoredRow[]>
}

export interface StoredRow {
  key: number
  id: string
  ordinal: number
  anchor: string
  title: string
  text: string
}

/** Returns all stored fragments in order. */
export function storedRows({ db }: App): Promise<StoredRow[]> {
  return db.read.execute(sql`select key, id, ordinal, anchor, title, text from fragments order by ordinal, key`)
}

/** Returns the keys in the text index. */
export async function indexedKeys(app: App): Promise<number[]> {
  const { cluster, databaseFile } = app.config
  if (!cluster) return keysInTextIndex(databaseFile)
  await settleSearch(app)
  return keysInOpenSearch(cluster.search)
}

export async function uploadFile(
  app: App,
  place: { orgId: string; collectionId: string },
  name: string,
  content: string | Uint8Array,
  sourceId?: string,
): Promise<string> {
  const ref = { organizationId: place.orgId, collectionId: place.collectionId }
  const receive = await app.services.fileSources.receiver(system, { ...ref, sourceId })
  const file = await receive(name, Readable.from([Buffer.from(content)]))
  if (sourceId) await app.services.fileSources.replace(system, { ...ref, sourceId }, {}, file)
  return sourceId ?? (await app.services.fileSources.create(system, ref, { name: '' }, file)).id
}

/** Creates an organization without limits, with a collection for files. */
export async function createFileCollection(overrides: Overrides = {}): Promise<FileCollection> {
  const test = await createTestApp({}, overrides)
  const { app } = test
  const { id: orgId } = await app.services.organizations.create(system, { name: 'Fennel', entity_name: '' })
  const { id: collectionId } = await app.services.collections.create(system, orgId, { name: 'Files', description: '' })
  return {
    test,
    orgId,
    collectionId,
    upload: (name, content, sourceId) => uploadFile(app, { orgId, collectionId }, name, content, sourceId),
    source: (id) => app.services.sources.get(system, { organizationId: orgId, collectionId, sourceId: id }),
    async address(sourceId) {
      const paging = { page: 1, limit: 100 }
      const { docs } = await app.services.addresses.list(system, orgId, collectionId, { ...paging, sourceId })
      const [address] = docs
      if (!address || docs.length > 1) throw new Error(`The source has ${docs.length} addresses.`)
      return address
    },
    rows: () => storedRows(app),
  }
}
