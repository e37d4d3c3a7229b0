import type { OrganizationView, Usage } from '../../../contract/views/organization'
import { Meter } from '../ui/feedback/meter'
import { formatCount, formatMegabytes } from '../ui/format'

const meters: { key: keyof Usage; label: string; hint?: string }[] = [
  { key: 'collections', label: 'Collections' },
  { key: 'sources', label: 'Sources' },
  { key: 'urls', label: 'URLs', hint: 'Addresses over the limit are ignored.' },
  { key: 'crawls', label: 'Crawls', hint: 'Monthly, reset at the end of the month.' },
  { key: 'agents', label: 'Agents' },
  { key: 'threads', label: 'Threads' },
  { key: 'messages', label: 'Messages', hint: 'Monthly. Incoming messages over the limit are not processed.' },
  { key: 'searches', label: 'Searches', hint: 'Monthly. Searches without an answer of a model.' },
  { key: 'api_requests', label: 'API Requests', hint: 'Monthly. Calls under /v1 with an access token or a key.' },
  { key: 'storage', label: 'File Storage', hint: 'For document sources and processed crawled images.' },
]

interface UsageMetersProps {
  usage: Usage
  organization: OrganizationView
  /** Shows the command that assigns a larger plan when a limit is reached. */
  isStaff: boolean
}

export function UsageMeters({ usage, organization, isStaff }: UsageMetersProps) {
  const { plan } = organization
  const isLimitReached = meters.some(({ key }) => plan[key] > 0 && usage[key] >= plan[key])
  return (
    <>
      <div className="grid gap-x-6 gap-y-5 p-5 sm:grid-cols-2 xl:grid-cols-4">
        {meters.map(({ key, label, hint }) => (
          <Meter
            key={key}
            label={label}
            hint={hint}
            used={usage[key]}
            limit={plan[key]}
            format={key === 'storage' ? formatMegabytes : formatCount}
          />
        ))}
      </div>
      {isStaff && isLimitReached && (
        <p className="px-5 pb-5 text-small text-soft">
          A limit is reached. To assign a larger plan:{' '}
          <code className="break-all">sitelore plans assign &lt;plan&gt; --organization {organization.id}</code>
        </p>
      )}
    </>
  )
}
