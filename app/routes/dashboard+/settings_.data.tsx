import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { useShowNotifications } from '../../components/notifications/context'
import { EraseVisitorCard } from '../../components/organizations/erase-visitor-card'
import { RetentionCard } from '../../components/organizations/retention-card'
import { SettingsNav } from '../../components/organizations/settings-nav'
import { PageHead } from '../../components/ui/page-head'
import { handleDataAction } from '../../http/actions/data-actions.server'
import { dashboardAction, dashboardLoader } from '../../http/session/dashboard.server'
import { product } from '../../product'

export const meta: MetaFunction = () => [{ title: `Data · ${product.name}` }]

export function loader(args: LoaderFunctionArgs) {
  return dashboardLoader(args, async ({ organization }) => ({ organization }))
}

export function action(args: ActionFunctionArgs) {
  return dashboardAction(args, async (call, form) => handleDataAction(call, form))
}

export { clientAction } from '../../components/ui/browser/client-action'

export default function Data() {
  const { organization } = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  useShowNotifications(actionData?.notifications)
  // The page has two forms. Only the one that was sent shows the result.
  const resultOf = (intent: string) =>
    actionData?.result.initialValue?.intent === intent ? actionData.result : undefined
  return (
    <>
      <PageHead title="Data" description="How long it is kept, and what to do when a visitor asks to be forgotten." />
      <SettingsNav abilities={organization.abilities} />
      <div className="grid max-w-3xl gap-5">
        <RetentionCard organization={organization} lastResult={resultOf('save-retention')} />
        <EraseVisitorCard mayErase={organization.abilities.deleteThreads} lastResult={resultOf('erase-visitor')} />
      </div>
    </>
  )
}
