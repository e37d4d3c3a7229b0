import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { ScrollText } from 'lucide-react'
import { auditLimits } from '../../../contract/values/audit'
import { AuditTable } from '../../components/audit/audit-table'
import { SettingsNav } from '../../components/organizations/settings-nav'
import { Card } from '../../components/ui/card'
import { EmptyState } from '../../components/ui/feedback/empty-state'
import { PageHead } from '../../components/ui/page-head'
import { dashboardLoader } from '../../http/session/dashboard.server'
import { product } from '../../product'

export const meta: MetaFunction = () => [{ title: `Audit log · ${product.name}` }]

export function loader(args: LoaderFunctionArgs) {
  return dashboardLoader(args, async ({ services, actor, organization, organizationId }) => ({
    abilities: organization.abilities,
    events: await services.audit.list(actor, organizationId),
  }))
}

export default function Audit() {
  const { abilities, events } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHead
        title="Audit log"
        description={`Who changed what in this organization: the newest ${auditLimits.listed} events of the last ${auditLimits.days} days.`}
      />
      <SettingsNav abilities={abilities} />
      <Card label="Audit log">
        {events.length === 0 ? (
          <EmptyState icon={ScrollText} title="Nothing recorded yet">
            Changes to members, roles, invitations, the plan, keys and agent settings appear here, and what people share
            or delete.
          </EmptyState>
        ) : (
          <AuditTable events={events} />
        )}
      </Card>
    </>
  )
}
