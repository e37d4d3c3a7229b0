import type { Transaction } from '../../../../db/database'
import type { AddressRow } from '../../runs/run-context'
import { refund } from '../../usage/quota'

/** Gives back the crawl of a claimed address that was not fetched, to the month that counted it. */
export function refundCrawl(
  tx: Transaction,
  { organizationId, claimedAt }: Pick<AddressRow, 'organizationId' | 'claimedAt'>,
): Promise<void> {
  return refund(tx, organizationId, 'crawls', 1, claimedAt ?? new Date())
}
