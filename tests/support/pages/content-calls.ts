import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { modelChanges, sources } from '../../../db/schema/collections'
import { system } from '../../../server/actor'
import type { ApiIds } from '../api/api-endpoint'
import type { ApiWorld } from '../api/api-world'
import { writeTinyModel } from '../embedding/tiny-model'
import type { PageCall } from './page-call'

const collection = {
  file: 'dashboard+/collection+/$collectionId',
  path: '/dashboard/collection/{collection}',
} as const
const address = {
  file: 'dashboard+/collection+/$collectionId_.address.$addressId',
  path: '/dashboard/collection/{collection}/address/{address}',
} as const
const list = { method: 'POST', file: 'dashboard+/collections', path: '/dashboard/collections', may: 'member' } as const
const ofCollection = { method: 'POST', ...collection, may: 'member' } as const
const onSource = {
  ...ofCollection,
  spends: 'source',
  fields: ({ source }: ApiIds) => ({ id: source }),
} as const
const onModelChange = {
  ...ofCollection,
  spends: 'collection',
  prepare: async ({ app }: ApiWorld, { organization, collection: collectionId }: ApiIds) =>
    app.db.write((tx) =>
      tx
        .insert(modelChanges)
        .values({ organizationId: organization, collectionId, model: 'tiny' })
        .onConflictDoNothing(),
    ),
} as const
const renamed = (id: string, unique: string) => ({ id, name: `Docs ${unique}`, description: '' })
const form = (name: string) => ({
  file: `dashboard+/collection+/$collectionId_.${name}`,
  path: `/dashboard/collection/{collection}/${name}`,
})
// Nobody may connect there, so nothing is found.
const unreachable = 'http://127.0.0.1:22/'

/** Collections with their sources and addresses. */
export const contentCalls: PageCall[] = [
  { method: 'GET', file: 'dashboard+/collections', path: '/dashboard/collections', may: 'viewer' },
  { ...list, intent: 'create-collection', fields: (_, unique) => ({ name: `Docs ${unique}`, description: '' }) },
  { ...list, intent: 'edit-collection', fields: ({ collection: id }, unique) => renamed(id, unique) },
  {
    ...list,
    intent: 'delete-collection',
    spends: 'collection',
    fields: ({ collection: id }) => ({ id }),
  },

  { method: 'GET', ...collection, may: 'viewer' },
  {
    ...ofCollection,
    intent: 'create-collection',
    ignoresPath: true,
    fields: (_, unique) => ({ name: unique, description: '' }),
  },
  { ...ofCollection, intent: 'edit-collection', fields: ({ collection: id }, unique) => renamed(id, unique) },
  { ...ofCollection, intent: 'delete-collection', spends: 'collection' },
  {
    ...ofCollection,
    intent: 'change-model',
    spends: 'collection',
    fields: () => ({ model: 'tiny' }),
    prepare: async ({ app }) => void writeTinyModel(join(app.config.embedding.modelsFolder, 'tiny')),
  },
  { ...onModelChange, intent: 'pause-model-change' },
  {
    ...onModelChange,
    intent: 'resume-model-change',
    prepare: ({ app }, { organization, collection: collectionId }) =>
      app.db.write((tx) =>
        tx
          .insert(modelChanges)
          .values({ organizationId: organization, collectionId, model: 'tiny', phase: 'paused' })
          .onConflictDoNothing(),
      ),
  },
  { ...onModelChange, intent: 'cancel-model-change' },
  {
    ...ofCollection,
    intent: 'add-source',
    fields: (_, unique) => ({ type: 'url', name: '', url: `https://lamps.example/${unique}` }),
  },
  {
    ...ofCollection,
    intent: 'edit-source',
    fields: ({ source }, unique) => ({ id: source, name: `Lamps ${unique}` }),
  },
  { ...onSource, intent: 'delete-source' },
  { ...onSource, intent: 'cancel-source' },
  { ...onSource, intent: 'pause-source' },
  {
    ...onSource,
    intent: 'resume-source',
    prepare: ({ app }, { organization, collection: collectionId, source }) =>
      app.services.runControl.pause(system, { organizationId: organization, collectionId, sourceId: source }),
  },
  {
    ...onSource,
    intent: 'refresh-source',
    prepare: async ({ app }, { source }) => {
      const isIt = eq(sources.id, source)
      await app.db.write((tx) => tx.update(sources).set({ status: 'idle' }).where(isIt))
    },
  },
  { ...ofCollection, intent: 'retry-address', spends: 'address', fields: ({ address: id }) => ({ id }) },
  { ...ofCollection, intent: 'ignore-address', spends: 'address', fields: ({ address: id }) => ({ id }) },

  { method: 'GET', ...address, may: 'viewer' },
  {
    method: 'POST',
    ...address,
    may: 'member',
    intent: 'retry-address',
    spends: 'address',
    fields: ({ address: id }) => ({ id }),
  },
  {
    method: 'POST',
    ...address,
    may: 'member',
    intent: 'ignore-address',
    spends: 'address',
    fields: ({ address: id }) => ({ id }),
  },

  {
    method: 'GET',
    file: 'dashboard+/collection+/$collectionId_.source.$sourceId',
    path: '/dashboard/collection/{collection}/source/{source}',
    may: 'viewer',
  },
  {
    method: 'GET',
    file: 'dashboard+/collection+/$collectionId_.source.$sourceId_.file',
    path: '/dashboard/collection/{collection}/source/{upload}/file',
    may: 'viewer',
  },
  { method: 'GET', ...form('progress'), may: 'viewer' },
  { method: 'GET', ...form('preview'), may: 'everybody', status: 302 },
  {
    method: 'POST',
    ...form('preview'),
    may: 'member',
    fields: () => ({ type: 'url', name: '', url: unreachable }),
    status: 200,
    storesNothing: true,
  },
  { method: 'GET', ...form('page-preview'), may: 'everybody', status: 302 },
  {
    method: 'POST',
    ...form('page-preview'),
    may: 'member',
    fields: () => ({ page: unreachable }),
    status: 200,
    storesNothing: true,
  },
  { method: 'GET', ...form('upload'), may: 'everybody', status: 302 },
  {
    method: 'POST',
    ...form('upload'),
    may: 'member',
    streamsBody: true,
    fields: () => ({ type: 'file', name: '' }),
    upload: { name: 'prices.csv', content: (unique) => `lamp,price\nStorm ${unique},12\n` },
    status: 201,
  },
]
