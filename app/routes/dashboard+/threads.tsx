import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Outlet, useLoaderData, useParams } from '@remix-run/react'
import { MessagesSquare } from 'lucide-react'
import { defaultPageSizes } from '../../../contract/limits'
import { AgentFilter, ThreadList } from '../../components/threads/thread-list'
import { LinkButton } from '../../components/ui/button'
import { Card, CardHead } from '../../components/ui/card'
import { EmptyState } from '../../components/ui/feedback/empty-state'
import { formatCount } from '../../components/ui/format'
import { PageHead } from '../../components/ui/page-head'
import { Pager } from '../../components/ui/tables/pager'
import { pagingOf } from '../../components/ui/tables/paging'
import { dashboardLoader, loadErrors, orMessage } from '../../http/session/dashboard.server'
import { paths } from '../../paths'
import { product } from '../../product'

export const meta: MetaFunction = () => [{ title: `Threads · ${product.name}` }]

export function loader(args: LoaderFunctionArgs) {
  return dashboardLoader(args, async ({ services, actor, organizationId, url }) => {
    const agentId = url.searchParams.get('agentId') || null
    const paging = pagingOf(args.request, defaultPageSizes.threads)
    const [threads, agents] = await Promise.all([
      services.threads.list(actor, organizationId, { ...paging, agentId: agentId ?? undefined }),
      orMessage(services.agents.list(actor, organizationId, { page: 1, limit: 100 }), loadErrors.agents),
    ])
    return { threads, paging, agentId, agents: agents.docs.map(({ id, name }) => ({ id, name })) }
  })
}

export default function Threads() {
  const { threads, paging, agentId, agents } = useLoaderData<typeof loader>()
  const { threadId } = useParams()
  return (
    <>
      <PageHead title="Threads" />
      <div className="grid items-start gap-5 lg:grid-cols-[300px_minmax(0,1fr)]">
        <Card label="Threads">
          <CardHead title="Threads" count={formatCount(threads.total)}>
            <AgentFilter agents={agents} selected={agentId} />
          </CardHead>
          {threads.total === 0 ? (
            <EmptyState
              icon={MessagesSquare}
              title="No threads yet"
              action={<LinkButton to={paths.agents()}>Open agents</LinkButton>}
            >
              Conversations with agents appear here.
            </EmptyState>
          ) : (
            <ThreadList threads={threads.docs} selected={threadId ?? null} />
          )}
          {threads.total > paging.limit && (
            <Pager label="threads" paging={paging} total={threads.total} pages={threads.pages} />
          )}
        </Card>
        <Card label="Thread">
          <Outlet />
        </Card>
      </div>
    </>
  )
}
