import { addresses, fragments } from '../../db/schema/addresses'
import { collections, sources } from '../../db/schema/collections'
import { organizations } from '../../db/schema/organizations'
import type { App } from '../../server/app'

export interface Place {
  organizationId: string
  collectionId: string
}

/** A collection with one source of one page, in an organization that may be there already. */
export async function addCollection(app: App, { organizationId, collectionId }: Place): Promise<void> {
  await app.db.write(async (tx) => {
    await tx.insert(organizations).values({ id: organizationId, name: 'Fennel', plan: 'free' }).onConflictDoNothing()
    await tx.insert(collections).values({ id: collectionId, organizationId, name: 'Lamps' })
  })
  await addSource(app, { organizationId, collectionId })
}

/** Gives a collection one source of one page. */
export async function addSource({ db }: App, { organizationId, collectionId }: Place): Promise<void> {
  const collection = { organizationId, collectionId, sourceId: `source-${collectionId}` }
  const url = `https://${collectionId}.example/`
  await db.write(async (tx) => {
    await tx
      .insert(sources)
      .values({ ...collection, id: collection.sourceId, type: 'url', name: 'Care', status: 'idle' })
    await tx.insert(addresses).values({ ...collection, id: `address-${collectionId}`, url, status: 'idle' })
  })
}

/** Puts texts on that page, each a fragment of its own without words or a vector; the same text has the same hash. */
export async function addTexts({ db }: App, { organizationId, collectionId }: Place, texts: string[]): Promise<void> {
  const collection = {
    organizationId,
    collectionId,
    sourceId: `source-${collectionId}`,
    addressId: `address-${collectionId}`,
  }
  await db.write(async (tx) => {
    const rows = texts.map((text, ordinal) => {
      return { ...collection, ordinal, title: 'Care', headings: '', text, hash: `hash of ${text}`, tokens: 3 }
    })
    await tx.insert(fragments).values(rows)
  })
}
