import { type AddressStatus, type SourceStatus, statusLabels } from '../../../contract/enumerations'
import { StatusBadge, type Tone } from '../ui/status-badge'

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

/** Of a source or an address. */
export function CrawlStatus({ status }: { status: SourceStatus | AddressStatus }) {
  return <StatusBadge tone={tones[status]}>{statusLabels[status]}</StatusBadge>
}
