import { roleLabels } from '../../../contract/values/enumerations'
import type { AdminOrganization } from '../../../contract/views/admin'
import type { Plan, UsageRecord } from '../../../contract/views/organizations/organization'
import { paths } from '../../paths'
import { labelOf } from '../onboarding/labels'
import { Card, CardHead } from '../ui/card'
import { formatBytes, formatCount } from '../ui/format'
import { Cell, type Column, NameCell, Table } from '../ui/tables/table'
import { CreatedCell, createdColumn } from './admin-cells'
import { Facts, timeOr } from './facts'

const memberColumns: Column[] = [{ title: 'E-mail' }, { title: 'Role', width: 'w-36' }, createdColumn]

interface MembersCardProps {
  /** Those who joined first. */
  members: AdminOrganization['user_connections']
  total: number
}

export function MembersCard({ members, total }: MembersCardProps) {
  return (
    <Card label="Members">
      <CardHead title="Members" count={formatCount(total)} />
      {members.length === 0 ? (
        <p className="p-5 text-soft">No members.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        <section className="max-h-96 overflow-y-auto" tabIndex={0} aria-label="Members by time">
          <Table label="Members" columns={memberColumns}>
            {members.map(({ user_id: id, user, role, created_at: createdAt }) => (
              <tr key={id}>
                <NameCell name={user.email} to={paths.adminDetail('users', id)} />
                <Cell>{roleLabels[role]}</Cell>
                <CreatedCell time={createdAt} />
              </tr>
            ))}
          </Table>
        </section>
      )}
      {total > members.length && members.length > 0 && (
        <p className="border-t border-line px-4 py-3 text-meta text-soft">
          The {formatCount(members.length)} members who joined first.
        </p>
      )}
    </Card>
  )
}

type Counter = keyof Omit<Plan, 'name' | 'display_name'>

const counters: [Counter, string][] = [
  ['collections', 'Collections'],
  ['sources', 'Sources'],
  ['urls', 'URLs'],
  ['storage', 'Storage (bytes)'],
  ['agents', 'Agents'],
  ['threads', 'Threads'],
  ['crawls', 'Crawls'],
  ['searches', 'Searches'],
  ['messages', 'Messages'],
  ['api_requests', 'API requests'],
]

/** Shown where a service embeds. */
const embeddedTokens = ['embedding_tokens', 'Embedded tokens'] as const

/** What the organization used in each month. The table scrolls where its twelve numbers have no room. */
export function UsageCard({ records }: { records: UsageRecord[] }) {
  const hasService = records.some((record) => record.embedding_tokens > 0)
  const columns = [...counters, ...(hasService ? [embeddedTokens] : [])]
  return (
    <Card label="Usage">
      <CardHead title="Usage" />
      {records.length === 0 ? (
        <p className="p-5 text-soft">No usage records.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        <section className="max-h-96 overflow-auto" tabIndex={0} aria-label="Usage by month">
          <table className="w-full border-collapse text-right text-meta tabular-nums">
            <caption className="sr-only">Usage</caption>
            <thead className="sticky top-0 bg-sunken text-soft">
              <tr>
                <th scope="col" className="px-4 py-2 text-left font-medium">
                  Year/Month
                </th>
                {columns.map(([key, label]) => (
                  <th key={key} scope="col" className="whitespace-nowrap px-2 py-2 font-medium last:pr-4">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {records.map((record) => (
                <tr key={`${record.year}/${record.month}`} className="border-t border-line">
                  <th scope="row" className="px-4 py-2 text-left font-normal">
                    {record.year}/{String(record.month).padStart(2, '0')}
                  </th>
                  {columns.map(([key]) => (
                    <td key={key} className="px-2 py-2 last:pr-4">
                      {formatCount(record[key])}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Card>
  )
}

export function OnboardingCard({ onboarding }: { onboarding: AdminOrganization['onboarding'] }) {
  return (
    <Card label="Onboarding">
      <CardHead title="Onboarding" />
      {onboarding === null ? (
        <p className="p-5 text-soft">Not onboarded yet.</p>
      ) : (
        <Facts
          facts={[
            ['Sector', answerOf(onboarding.sector)],
            ['Size', onboarding.size],
            ["Admin's position", answerOf(onboarding.position)],
            ['Source', answerOf(onboarding.source)],
            ['Goals', onboarding.goals.map(answerOf).join(', ')],
            ['Onboarded at', timeOr(onboarding.created_at, '')],
          ]}
        />
      )}
    </Card>
  )
}

/** 'Other' answers are stored with the person's own words: 'other:boats'. */
function answerOf(key: string): string {
  return key.startsWith('other:') ? `Other: ${key.slice('other:'.length)}` : labelOf(key)
}

const totals: [Counter, string][] = counters.slice(0, 6)
const monthly: [Counter, string][] = counters.slice(6)

export function PlanCard({ plan }: { plan: Plan }) {
  return (
    <Card label="Plan Details">
      <CardHead title="Plan Details" count={plan.display_name} />
      <h3 className="px-5 pt-4 font-semibold">Total limits</h3>
      <Facts facts={totals.map(([key, label]) => [label.replace(' (bytes)', ''), limitOf(plan, key)])} />
      <h3 className="border-t border-line px-5 pt-4 font-semibold">Monthly limits</h3>
      <Facts facts={monthly.map(([key, label]) => [label, limitOf(plan, key)])} />
    </Card>
  )
}

function limitOf(plan: Plan, key: Counter): string {
  const limit = plan[key]
  if (!limit) return 'Unlimited'
  return key === 'storage' ? `${formatCount(limit)} bytes (${formatBytes(limit)})` : formatCount(limit)
}
