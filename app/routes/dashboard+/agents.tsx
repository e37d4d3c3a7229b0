import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { Bot } from 'lucide-react'
import { defaultPageSizes } from '../../../contract/values/limits'
import { agentSorts } from '../../../contract/values/sorts'
import { AgentStatusBadge } from '../../components/agents/agent-status'
import { DeleteAgent } from '../../components/agents/delete-agent'
import { NamedList } from '../../components/named/named-list'
import { useShowNotifications } from '../../components/notifications/context'
import { reasons } from '../../components/roles'
import { lazyComponent } from '../../components/ui/lazy-component'
import { pagingOf, sortOf } from '../../components/ui/tables/paging'
import { Cell } from '../../components/ui/tables/table'
import { handleAgentAction } from '../../http/actions/agent-actions.server'
import { collectionChoices } from '../../http/api/collection-choices.server'
import { dashboardAction, dashboardLoader, loadErrors, orMessage } from '../../http/session/dashboard.server'
import { paths } from '../../paths'
import { product } from '../../product'

const AgentDialog = lazyComponent(async () => (await import('../../components/agents/agent-dialog')).AgentDialog)

export const meta: MetaFunction = () => [{ title: `Agents · ${product.name}` }]

export function loader(args: LoaderFunctionArgs) {
  return dashboardLoader(args, async ({ services, actor, organization, organizationId, url }) => {
    const paging = pagingOf(args.request, defaultPageSizes.agents)
    const sort = sortOf(args.request, agentSorts)
    const agents = await orMessage(services.agents.list(actor, organizationId, { ...paging, sort }), loadErrors.agents)
    const mayAdd = organization.abilities.addAgent
    const choices =
      mayAdd && url.searchParams.get('dialog') === 'create'
        ? await collectionChoices({ services, actor, organizationId, url })
        : undefined
    return { paging, sort, agents, choices, mayAdd }
  })
}

export function action(args: ActionFunctionArgs) {
  return dashboardAction(args, async (visitor, form) => handleAgentAction(visitor, form, String(form.get('id') ?? '')))
}

export { clientAction } from '../../components/ui/browser/client-action'

export default function Agents() {
  const { agents, choices, paging, sort, mayAdd } = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  useShowNotifications(actionData?.notifications)
  return (
    <NamedList
      title="Agents"
      icon={Bot}
      rows={agents}
      paging={paging}
      sort={sort}
      add={{ label: 'Add agent', isAllowed: mayAdd }}
      empty={{
        title: 'Add your first agent',
        text: 'An agent answers questions from a collection and names its sources.',
      }}
      column={{ title: 'Status', width: 'w-52', sort: 'status' }}
      cell={({ status }) => (
        <Cell>
          <AgentStatusBadge status={status} />
        </Cell>
      )}
      pathOf={paths.agent}
      reason={reasons.administrator}
      dialog={(name, agent, closeTo) => {
        const shared = { closeTo, lastResult: actionData?.result }
        if (name === 'create') return mayAdd && <AgentDialog choices={choices} {...shared} />
        if (name === 'edit') return agent?.abilities.edit && <AgentDialog key={agent.id} agent={agent} {...shared} />
        return name === 'delete' && agent?.abilities.delete && <DeleteAgent agent={agent} closeTo={closeTo} />
      }}
    />
  )
}
