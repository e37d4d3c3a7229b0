import type { Usage } from '../../../contract/views/organizations/organization'
import { formatCount, formatMegabytes } from '../ui/format'

interface UsageMeter {
  key: keyof Usage
  label: string
  hint?: string
  /** Whether it starts from zero each month. */
  isMonthly?: boolean
}

export const meters: UsageMeter[] = [
  { key: 'collections', label: 'Collections' },
  { key: 'sources', label: 'Sources' },
  { key: 'urls', label: 'URLs', hint: 'Addresses over the limit are ignored.' },
  { key: 'crawls', label: 'Crawls', hint: 'Monthly, reset at the end of the month.', isMonthly: true },
  { key: 'agents', label: 'Agents' },
  { key: 'threads', label: 'Threads' },
  {
    key: 'messages',
    label: 'Messages',
    hint: 'Monthly. Incoming messages over the limit are not processed.',
    isMonthly: true,
  },
  { key: 'searches', label: 'Searches', hint: 'Monthly. Searches that do not call a model.', isMonthly: true },
  {
    key: 'api_requests',
    label: 'API Requests',
    hint: 'Monthly. Calls under /v1 with an access token or a key.',
    isMonthly: true,
  },
  { key: 'storage', label: 'File Storage', hint: 'For document sources and processed crawled images.' },
]

export function formatUsage(key: keyof Usage, value: number): string {
  return key === 'storage' ? formatMegabytes(value) : formatCount(value)
}
