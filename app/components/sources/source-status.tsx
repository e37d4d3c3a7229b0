import { type AddressStatus, type SourceStatus, statusLabels } from '../../../contract/enumerations'
import { addressLabel } from '../../../contract/texts/address-label'
import type { AddressView } from '../../../contract/views/address'
import type { SourceView } from '../../../contract/views/source'
import { StatusBadge, type Tone } from '../ui/feedback/status-badge'
import { isCancelling } from './progress-line'

const tones: Record<SourceStatus | AddressStatus, Tone> = {
  fail: 'danger',
  new: 'neutral',
  processing: 'running',
  pending: 'running',
  crawling: 'running',
  idle: 'success',
  limit: 'warning',
  'crawl-limit': 'warning',
  'url-limit': 'warning',
}

export function SourceBadge({ source }: { source: Pick<SourceView, 'status' | 'paused' | 'last_run'> }) {
  const { status, paused } = source
  if (isCancelling(source)) return <StatusBadge tone="warning">Cancelling</StatusBadge>
  if (paused) return <StatusBadge tone="warning">Paused</StatusBadge>
  return <StatusBadge tone={tones[status]}>{statusLabels[status]}</StatusBadge>
}

/** An idle address that is not indexed gets a neutral badge: its reason is shown next to it. */
export function AddressBadge({
  address,
}: {
  address: Pick<AddressView, 'status' | 'reason' | 'fragments' | 'ignored'>
}) {
  const label = addressLabel(address)
  const isPlainStatus = label === statusLabels[address.status]
  return <StatusBadge tone={isPlainStatus ? tones[address.status] : 'neutral'}>{label}</StatusBadge>
}
