import { statusLabels } from '../../values/enumerations'
import type { AddressView } from '../../views/address'

/** Returns the label of an address's status. An idle address with a reason is not indexed, so it is not a success. */
export function addressLabel({
  status,
  reason,
  fragments,
  ignored,
}: Pick<AddressView, 'status' | 'reason' | 'fragments' | 'ignored'>): string {
  if (ignored) return 'Ignored'
  return status === 'idle' && reason !== null && fragments === 0 ? 'Skipped' : statusLabels[status]
}
