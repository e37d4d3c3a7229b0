import { agentEditSchema, agentSchema, linkSchema } from '../../../contract/chat/agent'
import { toast } from '../../components/notifications/notification'
import { paths } from '../../paths'
import { redirectWith } from '../cookies/notifications.server'
import { submitForm } from '../forms/form.server'
import { redirectWithError } from '../forms/redirect-with-error.server'
import type { DashboardCall } from '../session/dashboard.server'
import { currentPage } from '../session/return-address.server'

/** Handles the dialogs of agents, on the list and on an agent's pages. Null for an intent of another kind. */
export function handleAgentAction(call: DashboardCall, form: FormData, id: string) {
  const { services, actor, organizationId, url, context } = call
  const back = currentPage(url)
  switch (form.get('intent')) {
    case 'create-agent':
      return submitForm(context, form, agentSchema, 'Failed to create agent', async (input) => {
        const agent = await services.agents.create(actor, organizationId, input)
        return redirectWith(context, paths.agent(agent.id), toast('success', 'Agent created successfully'))
      })
    case 'edit-agent':
      return submitForm(context, form, agentEditSchema, 'Failed to update agent.', async (input) => {
        await services.agents.update(actor, { organizationId, agentId: id }, input)
        return redirectWith(context, back, toast('success', 'Agent edited successfully'))
      })
    case 'archive-agent':
    case 'restore-agent': {
      const archived = form.get('intent') === 'archive-agent'
      return redirectWithError('Failed to update agent.', call, async () => {
        await services.agents.update(actor, { organizationId, agentId: id }, { archived })
        return redirectWith(context, back, toast('success', archived ? 'Agent archived' : 'Agent restored'))
      })
    }
    case 'delete-agent':
      return redirectWithError('Failed to delete agent', call, async () => {
        await services.agents.remove(actor, { organizationId, agentId: id })
        return redirectWith(context, paths.agents(), toast('success', 'Agent deleted successfully'))
      })
    case 'link-collection':
      return redirectWithError('Failed to link collection to agent.', call, async () => {
        const input = linkSchema.parse({ collectionId: form.get('collectionId') || null })
        await services.agents.link(actor, { organizationId, agentId: id }, input)
        return redirectWith(context, back, toast('success', 'Collection linked successfully'))
      })
    default:
      return null
  }
}
