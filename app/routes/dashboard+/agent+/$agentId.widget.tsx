import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { CreateKeychain } from '../../../components/keys/create-keychain'
import { Card } from '../../../components/ui/card'
import { NotAvailable } from '../../../components/ui/feedback/not-available'
import { WidgetCheck } from '../../../components/widget/widget-check'
import { WidgetIntegrity } from '../../../components/widget/widget-integrity'
import { WidgetSettings } from '../../../components/widget/widget-settings'
import { checkWidgetForm } from '../../../http/actions/widget-check-action.server'
import { dashboardAction, dashboardLoader, requireParam } from '../../../http/session/dashboard.server'

export function loader(args: LoaderFunctionArgs) {
  return dashboardLoader(args, async ({ services, actor, organizationId, context }) => {
    const ref = { organizationId, agentId: requireParam(args.params.agentId) }
    const { id, abilities, logo, suggestions } = await services.agents.get(actor, ref)
    const keychain = abilities.settings ? await services.keychains.get(actor, ref) : null
    const { publicUrl, widgetHashes } = context.settings
    return {
      agent: { id, logo, suggestions },
      mayEdit: abilities.settings,
      publicKey: keychain?.public_key ?? null,
      publicUrl,
      integrity: widgetHashes()['widget.js'] ?? null,
    }
  })
}

export function action(args: ActionFunctionArgs) {
  return dashboardAction(args, async (call, form) =>
    form.get('intent') === 'check-widget' ? checkWidgetForm(call, form, requireParam(args.params.agentId)) : null,
  )
}

export { clientAction } from '../../../components/ui/browser/client-action'

export default function Widget() {
  const { agent, mayEdit, publicKey, publicUrl, integrity } = useLoaderData<typeof loader>()
  const checked = useActionData<typeof action>() ?? undefined
  if (!mayEdit) {
    return (
      <Card label="Widget">
        <NotAvailable>Only administrators of your organization can put an agent on a website.</NotAvailable>
      </Card>
    )
  }
  if (publicKey === null) {
    return (
      <Card label="Widget">
        <CreateKeychain agentId={agent.id} mayCreate page="widget">
          The widget needs the public key of this agent.
        </CreateKeychain>
      </Card>
    )
  }
  return (
    <WidgetSettings agent={agent} publicKey={publicKey} publicUrl={publicUrl}>
      <WidgetCheck agentId={agent.id} checked={checked} />
      {integrity !== null && <WidgetIntegrity integrity={integrity} />}
    </WidgetSettings>
  )
}
