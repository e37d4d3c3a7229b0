import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Outlet, useActionData, useLoaderData, useSearchParams } from '@remix-run/react'
import { Link2 } from 'lucide-react'
import { AgentDescription } from '../../../components/agents/agent-description'
import { AgentDialog } from '../../../components/agents/agent-dialog'
import { AgentNav } from '../../../components/agents/agent-nav'
import { AgentStatusBadge } from '../../../components/agents/agent-status'
import { DeleteAgent } from '../../../components/agents/delete-agent'
import { LinkCollection } from '../../../components/agents/link-collection'
import { useShowNotifications } from '../../../components/notifications/context'
import { reasons } from '../../../components/roles'
import { AllowedLink } from '../../../components/ui/allowed'
import { withoutDialog, withQuery } from '../../../components/ui/browser/query'
import { EditDeleteLinks } from '../../../components/ui/edit-delete-links'
import { PageHead } from '../../../components/ui/page-head'
import { handleAgentAction } from '../../../http/actions/agent-actions.server'
import { readForm } from '../../../http/api/body.server'
import {
  dashboardAction,
  dashboardLoader,
  loadErrors,
  orMessage,
  requireParam,
} from '../../../http/session/dashboard.server'
import { redirectIfMissing } from '../../../http/session/redirect-if-missing.server'
import { paths } from '../../../paths'
import { product } from '../../../product'

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
    if (url.searchParams.get('dialog') !== 'link') return { agent, collections: [] }
    const { docs } = await orMessage(
      services.collections.list(actor, organizationId, { page: 1, limit: 100 }),
      loadErrors.collections,
    )
    return { agent, collections: docs.map(({ id, name }) => ({ id, name })) }
  })
}

/** Receives the forms of the dialogs, whichever page of the agent they open on. */
export function action(args: ActionFunctionArgs) {
  return dashboardAction(args, async (visitor) =>
    handleAgentAction(visitor, await readForm(args.request), requireParam(args.params.agentId)),
  )
}

export default function Agent() {
  const { agent, collections } = useLoaderData<typeof loader>()
  const answer = useActionData<typeof action>()
  const [search] = useSearchParams()
  useShowNotifications(answer?.notifications)
  const { edit, link, delete: mayDelete } = agent.abilities
  const closeTo = withoutDialog(search)
  const dialog = search.get('dialog')
  return (
    <>
      <PageHead
        title={agent.name}
        badge={<AgentStatusBadge status={agent.status} />}
        description={(agent.description || agent.collection) && <AgentDescription agent={agent} />}
        back={{ to: paths.agents(), label: 'Agents' }}
      >
        <AllowedLink
          allowed={link}
          reason={reasons.administrator}
          to={withQuery(search, { dialog: 'link' })}
          icon={Link2}
        >
          {agent.collection_id ? 'Collection Link' : 'Link a Collection'}
        </AllowedLink>
        <EditDeleteLinks abilities={agent.abilities} reason={reasons.administrator} search={search} />
      </PageHead>
      <div className="grid items-start gap-x-6 gap-y-4 lg:grid-cols-[190px_minmax(0,1fr)]">
        <AgentNav id={agent.id} />
        <div className="min-w-0">
          <Outlet />
        </div>
      </div>
      {dialog === 'link' && link && <LinkCollection agent={agent} collections={collections} closeTo={closeTo} />}
      {dialog === 'edit' && edit && <AgentDialog agent={agent} closeTo={closeTo} lastResult={answer?.result} />}
      {dialog === 'delete' && mayDelete && <DeleteAgent agent={agent} closeTo={closeTo} />}
    </>
  )
}
