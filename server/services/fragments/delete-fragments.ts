import { and, asc, eq, gt } from 'drizzle-orm'
import type { Database } from '../../../db/database'
import { fragments } from '../../../db/schema/addresses'
import { type AddressKeys, type Indexes, removeFragments } from './fragments'

/** Fragments of an address that one transaction can take away or exchange as a whole. */
export const manyFragments = 500
/** Fragments that are changed in one transaction where there are more, so that others may write in between. */
export const fragmentsAtOnce = 100

/**
 * Takes fragments of an address away, piece by piece, until so few are left that one transaction can take or exchange
 * them all.
 */
export async function clearFragments(db: Database, indexes: Indexes, address: AddressKeys): Promise<void> {
  const here = eq(fragments.addressId, address.id)
  for (;;) {
    const rows = await db.read
      .select({ key: fragments.key })
      .from(fragments)
      .where(here)
      .limit(manyFragments + fragmentsAtOnce)
    const keys = rows.slice(manyFragments).map(({ key }) => key)
    if (keys.length === 0) return
    await db.write((tx) => removeFragments(tx, indexes, address.collectionId, keys))
  }
}

/** Takes away those fragments of an address that `isGone` names, piece by piece. */
export async function sweepFragments(
  db: Database,
  indexes: Indexes,
  address: AddressKeys,
  isGone: (row: { key: number; ordinal: number }) => boolean,
): Promise<void> {
  for (let after = ''; ; ) {
    const rows = await db.read
      .select({ key: fragments.key, ordinal: fragments.ordinal, hash: fragments.hash })
      .from(fragments)
      .where(and(eq(fragments.addressId, address.id), gt(fragments.hash, after)))
      .orderBy(asc(fragments.hash))
      .limit(manyFragments)
    const last = rows.at(-1)
    if (!last) return
    after = last.hash
    const gone = rows.filter(isGone).map(({ key }) => key)
    for (let start = 0; start < gone.length; start += fragmentsAtOnce) {
      const keys = gone.slice(start, start + fragmentsAtOnce)
      await db.write((tx) => removeFragments(tx, indexes, address.collectionId, keys))
    }
  }
}
