import { largerPlanCommand } from '../../../contract/texts/larger-plan'
import type { OrganizationView, Usage } from '../../../contract/views/organizations/organization'
import { Card, CardHead } from '../ui/card'
import { Meter } from '../ui/feedback/meter'
import { formatUsage, meters } from './meters'

interface UsageCardProps {
  usage: Usage
  organization: OrganizationView
  /** The last months, oldest first. */
  history?: Usage[]
  /** ISO time at which the monthly meters start from zero. */
  resetsAt: string
  /** Shows the command that assigns a larger plan when a limit is reached. */
  isStaff: boolean
}

export function UsageCard({ usage, organization, history = [], resetsAt, isStaff }: UsageCardProps) {
  const { plan } = organization
  const isLimitReached = meters.some(({ key }) => plan[key] > 0 && usage[key] >= plan[key])
  return (
    <Card id="usage" label="Usage">
      <CardHead title="Usage">
        <span className="text-meta text-soft">Monthly meters reset on {formatDay(resetsAt)}</span>
      </CardHead>
      {/* The gaps between the tiles show the colour of the lines. */}
      <ul className="grid grid-cols-2 gap-px bg-line lg:grid-cols-5">
        {meters.map(({ key, label, hint, isMonthly }) => (
          <Meter
            key={key}
            label={label}
            hint={hint}
            used={usage[key]}
            limit={plan[key]}
            trend={history.map((month) => month[key])}
            period={isMonthly ? ' this month' : ''}
            format={(value) => formatUsage(key, value)}
          />
        ))}
      </ul>
      {isStaff && isLimitReached && (
        <p className="border-t border-line px-4 py-3 text-meta text-soft">
          A limit is reached. To assign a larger plan:{' '}
          <code className="wrap-anywhere">{largerPlanCommand(organization.id)}</code>
        </p>
      )}
    </Card>
  )
}

/** 'December 1'. The months of the meters are in UTC. */
function formatDay(iso: string): string {
  return new Intl.DateTimeFormat('en', { month: 'long', day: 'numeric', timeZone: 'UTC' }).format(new Date(iso))
}
