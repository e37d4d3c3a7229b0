import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { agentSettingsFormSchema } from '../../../../contract/chat/agent'
import { SettingsForm } from '../../../components/agents/settings-form'
import { useShowNotifications } from '../../../components/notifications/context'
import { toast } from '../../../components/notifications/notification'
import { Card } from '../../../components/ui/card'
import { NotAvailable } from '../../../components/ui/feedback/not-available'
import { testConnection } from '../../../http/actions/connection-actions.server'
import { suggestQuestions } from '../../../http/actions/suggest-questions.server'
import { redirectWith } from '../../../http/cookies/notifications.server'
import { submitForm } from '../../../http/forms/form.server'
import { dashboardAction, dashboardLoader, requireParam } from '../../../http/session/dashboard.server'
import { paths } from '../../../paths'

export function loader(args: LoaderFunctionArgs) {
  return dashboardLoader(args, async ({ services, actor, organizationId, context }) => {
    const agent = await services.agents.get(actor, { organizationId, agentId: requireParam(args.params.agentId) })
    return agent.abilities.settings
      ? { agent, providers: context.settings.providers }
      : { agent: null, providers: null }
  })
}

export function action(args: ActionFunctionArgs) {
  return dashboardAction(args, async (call, form) => {
    const { services, actor, organizationId, context } = call
    const id = requireParam(args.params.agentId)
    const ref = { organizationId, agentId: id }
    if (form.get('intent') === 'test-connection')
      return testConnection(call, form, (input) => services.connectionTests.testAgent(actor, ref, input))
    if (form.get('intent') === 'suggest-questions')
      return suggestQuestions(context, () => services.suggestQuestions(actor, ref, 'model'))
    return submitForm(context, form, agentSettingsFormSchema, 'Failed to save agent settings', async (settings) => {
      const key = form.has('remove_key') && !settings.provider_key ? null : settings.provider_key
      await services.agents.saveSettings(actor, ref, { ...settings, provider_key: key })
      return redirectWith(context, paths.agentSettings(id), toast('success', 'Agent edited successfully'))
    })
  })
}

export { clientAction } from '../../../components/ui/browser/client-action'

export default function AgentSettings() {
  const { agent, providers } = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  const sent = actionData && 'result' in actionData ? actionData : undefined
  useShowNotifications(sent?.notifications)
  if (!agent) {
    return (
      <Card label="Agent Settings">
        <NotAvailable>
          Only administrators of your organization can see and change the settings of an agent.
        </NotAvailable>
      </Card>
    )
  }
  // A new form after each save, so that it shows the stored values. Proposals change while the collection is crawled.
  return (
    <SettingsForm
      key={JSON.stringify({ ...agent, suggestions: [] })}
      agent={agent}
      providers={providers}
      lastResult={sent?.result}
      tested={sent && 'connection' in sent ? sent.connection : undefined}
    />
  )
}
