import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { agentSettingsFormSchema } from '../../../../contract/agent'
import { NotAvailable } from '../../../components/agents/not-available'
import { SettingsForm } from '../../../components/agents/settings-form'
import { useShowNotifications } from '../../../components/notifications/context'
import { toast } from '../../../components/notifications/notification'
import { Card } from '../../../components/ui/card'
import { submitForm } from '../../../http/actions/form.server'
import { readForm } from '../../../http/api/body.server'
import { redirectWith } from '../../../http/cookies/notifications.server'
import { dashboardAction, dashboardLoader, requireParam } from '../../../http/session/dashboard.server'
import { paths } from '../../../paths'

export function loader(args: LoaderFunctionArgs) {
  return dashboardLoader(args, async ({ services, actor, organizationId }) => {
    const agent = await services.agents.get(actor, { organizationId, agentId: requireParam(args.params.agentId) })
    return { agent: agent.abilities.settings ? agent : null }
  })
}

export function action(args: ActionFunctionArgs) {
  return dashboardAction(args, async ({ services, actor, organizationId, context }) => {
    const id = requireParam(args.params.agentId)
    const form = await readForm(args.request)
    return submitForm(context, form, agentSettingsFormSchema, 'Failed to save agent settings', async (settings) => {
      const key = form.has('remove_key') && !settings.provider_key ? null : settings.provider_key
      await services.agents.saveSettings(actor, { organizationId, agentId: id }, { ...settings, provider_key: key })
      return redirectWith(context, paths.agentSettings(id), toast('success', 'Agent edited successfully'))
    })
  })
}

export default function AgentSettings() {
  const { agent } = useLoaderData<typeof loader>()
  const answer = useActionData<typeof action>()
  useShowNotifications(answer?.notifications)
  if (!agent) {
    return (
      <Card label="Agent Settings">
        <NotAvailable>
          Only administrators of your organization can see and change the settings of an agent.
        </NotAvailable>
      </Card>
    )
  }
  // A new form after each save, so that it shows the stored values.
  return <SettingsForm key={JSON.stringify(agent)} agent={agent} lastResult={answer?.result} />
}
