import { eq, inArray, or, type SQL } from 'drizzle-orm'
import { addresses } from '../../../../db/schema/addresses'

/** Reasons of addresses that the rules of their source exclude; they are stored to be shown. */
export const exclusionReasons = ['excluded', 'over-depth', 'too-deep', 'trap', 'other-host']

/** Addresses that their source excludes, or that are over a limit. */
export function isExcluded(): SQL | undefined {
  return or(eq(addresses.status, 'limit'), inArray(addresses.reason, exclusionReasons))
}
