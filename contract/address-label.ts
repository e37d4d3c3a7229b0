import { statusLabels } from './enumerations'
import type { AddressView } from './views/address'

/** What a person reads of an address's status: one at rest that is not in, for a reason that is said, is no success. */
export function addressLabel({
  status,
  reason,
  fragments,
  ignored,
}: Pick<AddressView, 'status' | 'reason' | 'fragments' | 'ignored'>): string {
  if (ignored) return 'Ignored'
  return status === 'idle' && reason !== null && fragments === 0 ? 'Left out' : statusLabels[status]
}
