import { and, eq, inArray, isNull, lte, or, type SQL } from 'drizzle-orm'
import { addresses, fragments } from '../../../db/schema/addresses'
import { sources } from '../../../db/schema/collections'
import { withoutIndex } from '../../../db/sql'

/**
 * Holds for what is told of a document, where its address is joined. What is stored of one that is to take the place of
 * another waits for its end: it may be refused until then, and is not to be cited under the name of the other.
 */
export function isSettled(): SQL | undefined {
  const { committedThroughKey } = addresses
  return or(isNull(committedThroughKey), eq(addresses.fragments, 0), lte(fragments.key, committedThroughKey))
}

/** How the source of a fragment is joined: what is being swept away is found no more. */
export function isOfSource(): SQL | undefined {
  return and(eq(sources.id, fragments.sourceId), isNull(sources.deletedAt))
}

/** Holds for those of these fragments that a search may find, where address and source are joined. */
export function isFound(collectionId: string, keys: number[]): SQL | undefined {
  return and(inArray(fragments.key, keys), eq(withoutIndex(fragments.collectionId), collectionId), isSettled())
}
