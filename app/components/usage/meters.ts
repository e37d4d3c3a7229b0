import { planLimitLabels } from '../../../contract/texts/plan-limits'
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
  { key: 'collections', label: planLimitLabels.collections },
  { key: 'sources', label: planLimitLabels.sources },
  { key: 'urls', label: planLimitLabels.urls, hint: 'Addresses over the limit are ignored.' },
  { key: 'crawls', label: planLimitLabels.crawls, hint: 'Monthly, reset at the end of the month.', isMonthly: true },
  { key: 'agents', label: planLimitLabels.agents },
  { key: 'threads', label: planLimitLabels.threads },
  {
    key: 'messages',
    label: planLimitLabels.messages,
    hint: 'Monthly. Incoming messages over the limit are not processed.',
    isMonthly: true,
  },
  {
    key: 'searches',
    label: planLimitLabels.searches,
    hint: 'Monthly. Searches that do not call a model.',
    isMonthly: true,
  },
  {
    key: 'api_requests',
    label: planLimitLabels.api_requests,
    hint: 'Monthly. Calls under /v1 with an access token or a key.',
    isMonthly: true,
  },
  { key: 'storage', label: planLimitLabels.storage, hint: 'For document sources and processed crawled images.' },
]

export function formatUsage(key: keyof Usage, value: number): string {
  return key === 'storage' ? formatMegabytes(value) : formatCount(value)
}
