import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Outlet, useActionData, useLoaderData, useLocation, useSearchParams } from '@remix-run/react'
import { Archive, ArchiveRestore, Link2 } from 'lucide-react'
import { agentStatuses } from '../../../../contract/values/enumerations'
import { AgentDescription } from '../../../components/agents/agent-description'
import { AgentMenu, AgentNav } from '../../../components/agents/agent-nav'
import { AgentStatusBadge } from '../../../components/agents/agent-status'
import { useShowNotifications } from '../../../components/notifications/context'
import { reasons } from '../../../components/roles'
import { AllowedLink } from '../../../components/ui/allowed'
import { withoutDialog, withQuery } from '../../../components/ui/browser/query'
import { buttonClasses } from '../../../components/ui/button'
import { EditDeleteLinks } from '../../../components/ui/edit-delete-links'
import { lazyComponent } from '../../../components/ui/lazy-component'
import { IntentButton } from '../../../components/ui/menus/intent-button'
import { PageHead } from '../../../components/ui/page-head'
import { handleAgentAction } from '../../../http/actions/agent-actions.server'
import { collectionChoices } from '../../../http/api/collection-choices.server'
import { dashboardAction, dashboardLoader, requireParam } from '../../../http/session/dashboard.server'
import { redirectIfMissing } from '../../../http/session/redirect-if-missing.server'
import { paths } from '../../../paths'
import { product } from '../../../product'

const DeleteAgent = lazyComponent(async () => (await import('../../../components/agents/delete-agent')).DeleteAgent)
const LinkCollection = lazyComponent(
  async () => (await import('../../../components/agents/link-collection')).LinkCollection,
)
const AgentDialog = lazyComponent(async () => (await import('../../../components/agents/agent-dialog')).AgentDialog)

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.agent.name ?? 'Agent'} · ${product.name}` },
]

export function loader(args: LoaderFunctionArgs) {
  return dashboardLoader(args, async ({ services, actor, organizationId, url }) => {
    const agent = await redirectIfMissing(
      args.context,
      paths.agents(),
      'agent',
      services.agents.get(
        actor,
        { organizationId, agentId: requireParam(args.params.agentId) },
        { includeCollection: true },
      ),
    )
    const choices =
      url.searchParams.get('dialog') === 'link'
        ? await collectionChoices({ services, actor, organizationId, url })
        : undefined
    return { agent, choices }
  })
}

/** Receives the forms of the dialogs, whichever page of the agent they open on. */
export function action(args: ActionFunctionArgs) {
  return dashboardAction(args, async (visitor, form) =>
    handleAgentAction(visitor, form, requireParam(args.params.agentId)),
  )
}

export { clientAction } from '../../../components/ui/browser/client-action'

export default function Agent() {
  const { agent, choices } = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  const [search] = useSearchParams()
  const { pathname } = useLocation()
  useShowNotifications(actionData?.notifications)
  const { edit, link, delete: mayDelete } = agent.abilities
  const isArchived = agent.status === agentStatuses.archived
  const closeTo = withoutDialog(search)
  const dialog = search.get('dialog')
  const actions = (
    <>
      <AllowedLink
        allowed={link}
        reason={reasons.administrator}
        to={withQuery(search, { dialog: 'link' })}
        icon={Link2}
      >
        {agent.collection_id ? 'Collection Link' : 'Link a Collection'}
      </AllowedLink>
      <IntentButton
        id={agent.id}
        intent={isArchived ? 'restore-agent' : 'archive-agent'}
        icon={isArchived ? ArchiveRestore : Archive}
        label={isArchived ? 'Restore' : 'Archive'}
        reason={edit ? null : reasons.administrator}
        className={buttonClasses('quiet')}
      >
        {isArchived ? 'Restore' : 'Archive'}
      </IntentButton>
      <EditDeleteLinks abilities={agent.abilities} reason={reasons.administrator} search={search} />
    </>
  )
  return (
    <>
      <PageHead
        title={agent.name}
        badge={<AgentStatusBadge status={agent.status} />}
        description={(agent.description || agent.collection) && <AgentDescription agent={agent} />}
        back={{ to: paths.agents(), label: 'Agents' }}
        compact={
          <AgentMenu id={agent.id} pathname={pathname}>
            {(agent.description || agent.collection) && (
              <p className="max-w-60 px-1 pb-1 text-meta text-soft">
                <AgentDescription agent={agent} />
              </p>
            )}
            {actions}
          </AgentMenu>
        }
      >
        {actions}
      </PageHead>
      <AgentNav id={agent.id} />
      <Outlet />
      {dialog === 'link' && link && choices && <LinkCollection agent={agent} choices={choices} closeTo={closeTo} />}
      {dialog === 'edit' && edit && <AgentDialog agent={agent} closeTo={closeTo} lastResult={actionData?.result} />}
      {dialog === 'delete' && mayDelete && <DeleteAgent agent={agent} closeTo={closeTo} />}
    </>
  )
}
