import type { LoaderFunctionArgs } from '@remix-run/node'
import { useLoaderData, useSearchParams } from '@remix-run/react'
import { widgetAttributes } from '../../../../contract/texts/widget-snippet'
import { CreateKeychain } from '../../../components/keys/create-keychain'
import { Card, CardHead } from '../../../components/ui/card'
import { WidgetPreview } from '../../../components/widget/widget-preview'
import { dashboardLoader, requireParam } from '../../../http/session/dashboard.server'

export function loader(args: LoaderFunctionArgs) {
  return dashboardLoader(args, async ({ services, actor, organizationId }) => {
    const ref = { organizationId, agentId: requireParam(args.params.agentId) }
    const { abilities } = await services.agents.get(actor, ref)
    const publicKey = await services.keychains.publicKey(actor, ref)
    return { agentId: ref.agentId, mayCreate: abilities.settings, publicKey }
  })
}

export default function ChatWidget() {
  const { agentId, mayCreate, publicKey } = useLoaderData<typeof loader>()
  const [search] = useSearchParams()
  if (publicKey === null) {
    return (
      <Card label="Chat Widget">
        <CreateKeychain agentId={agentId} mayCreate={mayCreate} page="demo-widget">
          The widget needs the public key of this agent.
        </CreateKeychain>
      </Card>
    )
  }
  const attributes = widgetAttributes((name) => search.get(name) ?? (name === 'mode' ? 'inline' : null))
  return (
    <Card label="Chat Widget">
      <CardHead title="Chat Widget" />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4">
        <p className="text-soft">
          This is the widget as visitors see it. Answers count as visitor messages, and toward the limits of the public
          key. Pages of this server can always use the key.
        </p>
        <noscript>The widget needs JavaScript.</noscript>
        <WidgetPreview key={search.toString()} publicKey={publicKey} attributes={attributes} />
      </div>
    </Card>
  )
}
