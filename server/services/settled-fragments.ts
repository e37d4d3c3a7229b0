import { eq, isNull, lte, or, type SQL } from 'drizzle-orm'
import { addresses, fragments } from '../../db/schema/addresses'

/**
 * Holds for what is told of a document, where its address is joined. What is stored of one that is to take the place of
 * another waits for its end: it may be refused until then, and is not to be cited under the name of the other.
 */
export function isSettled(): SQL | undefined {
  const { wholeUntil } = addresses
  return or(isNull(wholeUntil), eq(addresses.fragments, 0), lte(fragments.key, wholeUntil))
}
