import { and, asc, eq, gt } from 'drizzle-orm'
import type { Database } from '../../../db/database'
import { fragments } from '../../../db/schema/addresses'
import { type AddressKeys, type Indexes, removeFragments } from './fragments'

/** Fragments of an address that one transaction may delete or replace. */
export const maxFragmentsPerTransaction = 500
/** Fragments per transaction for an address with more, so that other writers get a turn. */
export const fragmentBatchSize = 100

/** Deletes fragments of an address in batches, until one transaction can delete or replace those that remain. */
export async function clearFragments(db: Database, indexes: Indexes, address: AddressKeys): Promise<void> {
  const ofAddress = eq(fragments.addressId, address.id)
  for (;;) {
    const rows = await db.read
      .select({ key: fragments.key })
      .from(fragments)
      .where(ofAddress)
      .limit(maxFragmentsPerTransaction + fragmentBatchSize)
    const keys = rows.slice(maxFragmentsPerTransaction).map(({ key }) => key)
    if (keys.length === 0) return
    await db.write((tx) => removeFragments(tx, indexes, address.collectionId, keys))
  }
}

/** Deletes the fragments of an address that `isObsolete` selects, in batches. */
export async function deleteFragments(
  db: Database,
  indexes: Indexes,
  address: AddressKeys,
  isObsolete: (row: { key: number; ordinal: number }) => boolean,
): Promise<void> {
  for (let after = ''; ; ) {
    const rows = await db.read
      .select({ key: fragments.key, ordinal: fragments.ordinal, hash: fragments.hash })
      .from(fragments)
      .where(and(eq(fragments.addressId, address.id), gt(fragments.hash, after)))
      .orderBy(asc(fragments.hash))
      .limit(maxFragmentsPerTransaction)
    const last = rows.at(-1)
    if (!last) return
    after = last.hash
    const obsolete = rows.filter(isObsolete).map(({ key }) => key)
    for (let start = 0; start < obsolete.length; start += fragmentBatchSize) {
      const keys = obsolete.slice(start, start + fragmentBatchSize)
      await db.write((tx) => removeFragments(tx, indexes, address.collectionId, keys))
    }
  }
}
