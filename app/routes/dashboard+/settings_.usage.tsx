import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { invalidState } from '../../../contract/texts/invalid-state'
import { userTypes } from '../../../contract/values/enumerations'
import { SettingsNav } from '../../components/organizations/settings-nav'
import { PageHead } from '../../components/ui/page-head'
import { startOfNextMonth } from '../../components/usage/next-month'
import { UsageCard } from '../../components/usage/usage-card'
import { dashboardLoader, loadErrors, orMessage } from '../../http/session/dashboard.server'
import { orInvalidState } from '../../http/session/page.server'
import { product } from '../../product'

export const meta: MetaFunction = () => [{ title: `Plan and usage · ${product.name}` }]

export function loader(args: LoaderFunctionArgs) {
  return dashboardLoader(args, async ({ services, actor, user, organization, organizationId }) => ({
    organization,
    usage: await orMessage(
      orInvalidState(services.organizations.usage(actor, organizationId), invalidState.usage),
      loadErrors.usage,
    ),
    history: await orMessage(services.organizations.usageHistory(actor, organizationId), loadErrors.usage),
    resetsAt: startOfNextMonth(new Date()).toISOString(),
    isStaff: user.type === userTypes.staff,
  }))
}

export default function PlanAndUsage() {
  const { organization, usage, history, resetsAt, isStaff } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHead
        title="Plan and usage"
        description={`${organization.plan.display_name}. The operator of this server assigns plans.`}
      />
      <SettingsNav abilities={organization.abilities} />
      <UsageCard usage={usage} organization={organization} history={history} resetsAt={resetsAt} isStaff={isStaff} />
    </>
  )
}
