import { and, eq, inArray, isNull, lte, or, type SQL } from 'drizzle-orm'
import { addresses, fragments } from '../../../db/schema/addresses'
import { sources } from '../../../db/schema/collections'
import { withoutIndex } from '../../../db/sql'

/**
 * Condition on fragments joined with their address: excludes those of a document that is still being stored in place of
 * another one. It may be rejected until its end, and must not be cited under the name of the other.
 */
export function isCommitted(): SQL | undefined {
  const { committedThroughKey } = addresses
  return or(isNull(committedThroughKey), eq(addresses.fragments, 0), lte(fragments.key, committedThroughKey))
}

/** Joins the source of a fragment, unless it is being deleted. */
export function isOfSource(): SQL | undefined {
  return and(eq(sources.id, fragments.sourceId), isNull(sources.deletedAt))
}

/** Condition on fragments joined with address and source: those of these keys that a search may return. */
export function isSearchable(collectionId: string, keys: number[]): SQL | undefined {
  return and(inArray(fragments.key, keys), eq(withoutIndex(fragments.collectionId), collectionId), isCommitted())
}
