import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData, useSearchParams } from '@remix-run/react'
import { Bot, Eye, Pencil, Plus, Trash2 } from 'lucide-react'
import { defaultPageSizes } from '../../../contract/values/limits'
import { agentSorts } from '../../../contract/values/sorts'
import { AgentStatusBadge } from '../../components/agents/agent-status'
import { DeleteAgent } from '../../components/agents/delete-agent'
import { useShowNotifications } from '../../components/notifications/context'
import { reasons } from '../../components/roles'
import { AllowedLink } from '../../components/ui/allowed'
import { withoutDialog, withQuery } from '../../components/ui/browser/query'
import { LinkButton } from '../../components/ui/button'
import { Card } from '../../components/ui/card'
import { lazyDialog } from '../../components/ui/dialogs/lazy-dialog'
import { EmptyState } from '../../components/ui/feedback/empty-state'
import { PageHead } from '../../components/ui/page-head'
import { Pager } from '../../components/ui/tables/pager'
import { pagingOf, sortOf } from '../../components/ui/tables/paging'
import { ActionsCell, Cell, type Column, NameCell, Table } from '../../components/ui/tables/table'
import { RelativeTime } from '../../components/ui/time'
import { handleAgentAction } from '../../http/actions/agent-actions.server'
import { collectionChoices } from '../../http/api/collection-choices.server'
import { dashboardAction, dashboardLoader, loadErrors, orMessage } from '../../http/session/dashboard.server'
import { paths } from '../../paths'
import { product } from '../../product'

const AgentDialog = lazyDialog(async () => (await import('../../components/agents/agent-dialog')).AgentDialog)

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

const columns: Column[] = [
  { title: 'Name', sort: 'name' },
  { title: 'Status', width: 'w-52', sort: 'status' },
  { title: 'Created', width: 'w-36', sort: '-created_at', extra: true },
  { title: 'Actions', width: 'w-64', hidden: true },
]

export default function Agents() {
  const { agents, choices, paging, sort, mayAdd } = useLoaderData<typeof loader>()
  const answer = useActionData<typeof action>()
  const [search] = useSearchParams()
  useShowNotifications(answer?.notifications)
  const closeTo = withoutDialog(search)
  const opened = agents.docs.find(({ id }) => id === search.get('id'))
  const add = (
    <AllowedLink
      allowed={mayAdd}
      reason={reasons.viewer}
      to={withQuery(search, { dialog: 'create' })}
      variant="primary"
      icon={Plus}
    >
      Add agent
    </AllowedLink>
  )
  return (
    <>
      <PageHead title="Agents">{agents.total > 0 && add}</PageHead>
      <Card label="Agents">
        {agents.total === 0 ? (
          <EmptyState icon={Bot} title="Add your first agent" action={add}>
            An agent answers questions from a collection and names its sources.
          </EmptyState>
        ) : (
          <Table label="Agents" columns={columns} sort={sort}>
            {agents.docs.map((agent) => (
              <tr key={agent.id}>
                <NameCell
                  name={agent.name}
                  to={paths.agent(agent.id)}
                  detail={<span title={agent.description || undefined}>{agent.description || 'No description'}</span>}
                />
                <Cell>
                  <AgentStatusBadge status={agent.status} />
                </Cell>
                <Cell extra className="text-soft">
                  <RelativeTime value={agent.created_at} />
                </Cell>
                <ActionsCell>
                  <LinkButton to={paths.agent(agent.id)} variant="quiet" aria-label={`View ${agent.name}`}>
                    <Eye aria-hidden="true" />
                    View
                  </LinkButton>
                  <AllowedLink
                    allowed={agent.abilities.edit}
                    reason={reasons.administrator}
                    to={withQuery(search, { dialog: 'edit', id: agent.id })}
                    variant="quiet"
                    icon={Pencil}
                    label={`Edit ${agent.name}`}
                  >
                    Edit
                  </AllowedLink>
                  <AllowedLink
                    allowed={agent.abilities.delete}
                    reason={reasons.administrator}
                    to={withQuery(search, { dialog: 'delete', id: agent.id })}
                    variant="quiet-danger"
                    icon={Trash2}
                    label={`Delete ${agent.name}`}
                  >
                    Delete
                  </AllowedLink>
                </ActionsCell>
              </tr>
            ))}
          </Table>
        )}
        <Pager label="agents" paging={paging} total={agents.total} pages={agents.pages} />
      </Card>
      {search.get('dialog') === 'create' && mayAdd && (
        <AgentDialog choices={choices} closeTo={closeTo} lastResult={answer?.result} />
      )}
      {search.get('dialog') === 'edit' && opened?.abilities.edit && (
        <AgentDialog key={opened.id} agent={opened} closeTo={closeTo} lastResult={answer?.result} />
      )}
      {search.get('dialog') === 'delete' && opened?.abilities.delete && (
        <DeleteAgent agent={opened} closeTo={closeTo} />
      )}
    </>
  )
}
