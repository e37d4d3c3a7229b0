import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node'
import { useActionData, useLoaderData, useSearchParams } from '@remix-run/react'
import { CallExamples } from '../../../components/keys/call-examples'
import { CreateKeychain } from '../../../components/keys/create-keychain'
import { KeychainForm } from '../../../components/keys/keychain-form'
import { KeysCard } from '../../../components/keys/keys-card'
import { RefusedOrigins } from '../../../components/keys/refused-origins'
import { RegenerateDialog } from '../../../components/keys/regenerate-dialog'
import { useShowNotifications } from '../../../components/notifications/context'
import { withoutDialog } from '../../../components/ui/browser/query'
import { Card } from '../../../components/ui/card'
import { NotAvailable } from '../../../components/ui/feedback/not-available'
import { handleKeychainAction } from '../../../http/actions/keychain-actions.server'
import { dashboardAction, dashboardLoader, requireParam } from '../../../http/session/dashboard.server'

export function loader(args: LoaderFunctionArgs) {
  return dashboardLoader(args, async ({ services, actor, organizationId, context }) => {
    const ref = { organizationId, agentId: requireParam(args.params.agentId) }
    const agent = await services.agents.get(actor, ref)
    if (!agent.abilities.settings) return { agent: null, keychain: null, publicUrl: '' }
    const keychain = await services.keychains.get(actor, ref)
    return { agent: { id: agent.id }, keychain, publicUrl: context.settings.publicUrl }
  })
}

export function action(args: ActionFunctionArgs) {
  return dashboardAction(args, async (call, form) =>
    handleKeychainAction(call, form, requireParam(args.params.agentId)),
  )
}

export { clientAction } from '../../../components/ui/browser/client-action'

export default function ApiSettings() {
  const { agent, keychain, publicUrl } = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  const [search] = useSearchParams()
  useShowNotifications(actionData?.notifications)
  if (!agent) {
    return (
      <Card label="API Settings">
        <NotAvailable>Only administrators of your organization can see and change the keys of an agent.</NotAvailable>
      </Card>
    )
  }
  if (!keychain) {
    return (
      <Card label="API Settings">
        <CreateKeychain agentId={agent.id} mayCreate>
          Websites and programs use this agent with its keys: a public key for web pages, and a private key for servers.
        </CreateKeychain>
      </Card>
    )
  }
  const isRegenerating = search.get('dialog') === 'regenerate'
  const result = actionData?.result
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <KeysCard keychain={keychain} />
      {keychain.refused_origins.length > 0 && <RefusedOrigins origins={keychain.refused_origins} />}
      <KeychainForm
        key={[keychain.allowed_origins, keychain.allowed_ips, keychain.rate_limit, keychain.daily_messages].join('|')}
        keychain={keychain}
        lastResult={isRegenerating ? undefined : result}
      />
      <CallExamples keychain={keychain} publicUrl={publicUrl} />
      {isRegenerating && <RegenerateDialog closeTo={withoutDialog(search)} lastResult={result} />}
    </div>
  )
}
