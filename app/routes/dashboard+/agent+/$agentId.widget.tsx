import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { CreateKeychain } from '../../../components/keys/create-keychain'
import { Card } from '../../../components/ui/card'
import { NotAvailable } from '../../../components/ui/feedback/not-available'
import { EmbedDoctor } from '../../../components/widget/embed-doctor'
import { WidgetIntegrity } from '../../../components/widget/widget-integrity'
import { WidgetSnippetForm } from '../../../components/widget/widget-snippet-form'
import { diagnoseForm } from '../../../http/actions/diagnosis-action.server'
import { dashboardAction, dashboardLoader, requireParam } from '../../../http/session/dashboard.server'

export function loader(args: LoaderFunctionArgs) {
  return dashboardLoader(args, async ({ services, actor, organizationId, context }) => {
    const ref = { organizationId, agentId: requireParam(args.params.agentId) }
    const { abilities } = await services.agents.get(actor, ref)
    const keychain = abilities.settings ? await services.keychains.get(actor, ref) : null
    const { publicUrl, widgetHashes } = context.settings
    return {
      agentId: ref.agentId,
      mayEdit: abilities.settings,
      keys: keychain && { publicKey: keychain.public_key, allowedOrigins: keychain.allowed_origins },
      publicUrl,
      integrity: widgetHashes()['widget.js'] ?? null,
    }
  })
}

export function action(args: ActionFunctionArgs) {
  return dashboardAction(args, async (call, form) =>
    form.get('intent') === 'diagnose' ? diagnoseForm(call, form, requireParam(args.params.agentId)) : null,
  )
}

export { clientAction } from '../../../components/ui/browser/client-action'

export default function Widget() {
  const { agentId, mayEdit, keys, publicUrl, integrity } = useLoaderData<typeof loader>()
  const sent = useActionData<typeof action>() ?? undefined
  if (!mayEdit) {
    return (
      <Card label="Widget">
        <NotAvailable>Only administrators of your organization can put an agent on a website.</NotAvailable>
      </Card>
    )
  }
  if (keys === null) {
    return (
      <Card label="Widget">
        <CreateKeychain agentId={agentId} mayCreate page="widget">
          The widget needs the public key of this agent.
        </CreateKeychain>
      </Card>
    )
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <WidgetSnippetForm agentId={agentId} publicKey={keys.publicKey} publicUrl={publicUrl} />
      <EmbedDoctor
        key={sent ? JSON.stringify(sent) : ''}
        agentId={agentId}
        allowedOrigins={keys.allowedOrigins}
        sent={sent}
      />
      {integrity !== null && <WidgetIntegrity integrity={integrity} />}
    </div>
  )
}
