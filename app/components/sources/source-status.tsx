import { addressLabel } from '../../../contract/texts/pages/address-label'
import { isWeb } from '../../../contract/texts/pages/place-in-file'
import { type AddressStatus, type SourceStatus, statusLabels } from '../../../contract/values/enumerations'
import type { AddressView } from '../../../contract/views/address'
import type { SourceView } from '../../../contract/views/source'
import { StatusBadge, type Tone } from '../ui/feedback/status-badge'
import { isCancelling } from './progress-line'
import { stageOf } from './source-progress'

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

/** A status alone, without what else a source or an address says about itself. */
export function ItemStatus({ status }: { status: SourceStatus | AddressStatus }) {
  return <StatusBadge tone={tones[status]}>{statusLabels[status]}</StatusBadge>
}

/** `canEmbed` says whether fragments without an embedding will get one. */
export function SourceBadge({ source, canEmbed }: { source: SourceView; canEmbed: boolean }) {
  const { status, paused, type } = source
  if (isCancelling(source)) return <StatusBadge tone="warning">Cancelling</StatusBadge>
  if (paused) return <StatusBadge tone="warning">Paused</StatusBadge>
  // A file is read, not crawled.
  if (status === 'crawling' && type === 'file') return <StatusBadge tone="running">Reading</StatusBadge>
  if (status === 'idle' && stageOf(source, canEmbed) === 'indexing')
    return source.indexing?.paused ? (
      <StatusBadge tone="warning">Paused</StatusBadge>
    ) : (
      <StatusBadge tone="running">Indexing</StatusBadge>
    )
  return <ItemStatus status={status} />
}

/** An idle address that is not indexed gets a neutral badge: its reason is shown next to it. */
export function AddressBadge({
  address,
}: {
  address: Pick<AddressView, 'url' | 'status' | 'reason' | 'fragments' | 'ignored'>
}) {
  if (address.status === 'crawling' && !isWeb(address.url)) return <StatusBadge tone="running">Reading</StatusBadge>
  const label = addressLabel(address)
  const isPlainStatus = label === statusLabels[address.status]
  return <StatusBadge tone={isPlainStatus ? tones[address.status] : 'neutral'}>{label}</StatusBadge>
}
