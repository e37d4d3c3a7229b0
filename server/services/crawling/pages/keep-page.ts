import { eq } from 'drizzle-orm'
import { isNote, withAddress } from '../../../../contract/reasons'
import type { Transaction } from '../../../../db/database'
import { addresses } from '../../../../db/schema/addresses'
import type { AddressRow, RunContext } from '../../runs/run-context'
import { addCounts, countExcluded } from '../../runs/run-stats'
import { transitionAddresses } from '../../runs/transitions'
import { findOwner } from './duplicate-pages'

/** The server answered that nothing changed. A duplicate whose owner lost the text is fetched again. */
export async function keepPage(tx: Transaction, run: RunContext, stored: AddressRow): Promise<void> {
  const page = eq(addresses.id, stored.id)
  const substitute = await substituteOf(tx, stored)
  if (substitute === 'gone') {
    return transitionAddresses(tx, page, 'refetch-required', { etag: null, lastModified: null })
  }
  const unchanged = { httpStatus: 304, failures: 0, notFoundCount: 0, nextFetchAt: null, crawledAt: new Date() }
  await transitionAddresses(tx, page, 'unchanged', { ...unchanged, ...reasonColumns(stored, substitute) })
  if (substitute) await countExcluded(tx, run, substitute.reason, { wasIndexed: false })
  else await addCounts(tx, run, { checked: 1, unchanged: 1 })
}

interface Substitute {
  reason: 'duplicate' | 'canonical' | 'feed'
  url: string | null
}

/** Returns the page whose fragments represent an address without its own: null if it has some, 'gone' if that page lost them. */
async function substituteOf(tx: Transaction, stored: AddressRow): Promise<Substitute | 'gone' | null> {
  const { fragments, canonicalUrl, textHash } = stored
  if (fragments > 0) return null
  if (textHash === null) return { reason: canonicalUrl === null ? 'feed' : 'canonical', url: canonicalUrl }
  if (canonicalUrl === null) return null
  const owner = await findOwner(tx, stored, textHash)
  return owner === null ? 'gone' : { reason: 'duplicate', url: owner.url }
}

/** A failure in between may have replaced the reason. */
function reasonColumns({ reason }: AddressRow, substitute: Substitute | null) {
  if (substitute) {
    const message = withAddress(substitute.reason, substitute.url)
    return { reason: substitute.reason, message, canonicalUrl: substitute.url }
  }
  return isNote(reason) ? {} : { reason: null, message: null }
}
