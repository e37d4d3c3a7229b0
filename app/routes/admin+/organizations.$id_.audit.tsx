import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { ScrollText } from 'lucide-react'
import { auditLimits } from '../../../contract/values/audit'
import { AuditTable } from '../../components/audit/audit-table'
import { Card } from '../../components/ui/card'
import { EmptyState } from '../../components/ui/feedback/empty-state'
import { PageHead } from '../../components/ui/page-head'
import { adminDetail } from '../../http/session/admin.server'
import { paths } from '../../paths'
import { product } from '../../product'

export const meta: MetaFunction = () => [{ title: `Audit log · Admin Panel · ${product.name}` }]

export function loader(args: LoaderFunctionArgs) {
  return adminDetail(args, 'organization', async ({ services, actor }, id) => services.admin.auditLog(actor, id))
}

export default function OrganizationAudit() {
  const { organization, events } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHead
        title="Audit log"
        description={`The newest ${auditLimits.listed} events of the last ${auditLimits.days} days, as administrators of the organization see them.`}
        back={{ to: paths.adminDetail('organizations', organization.id), label: organization.name }}
      />
      <Card label="Audit log">
        {events.length === 0 ? (
          <EmptyState icon={ScrollText} title="Nothing recorded yet" />
        ) : (
          <AuditTable events={events} />
        )}
      </Card>
    </>
  )
}
