import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Outlet, useLoaderData, useParams } from '@remix-run/react'
import { MessagesSquare, SearchX } from 'lucide-react'
import { threadFilterSchema } from '../../../contract/chat/thread-filter'
import { defaultPageSizes } from '../../../contract/values/limits'
import { isAppError } from '../../../server/errors'
import { type AgentChoices, type ShownThreadFilter, ThreadFilters } from '../../components/threads/thread-filters'
import { ThreadList } from '../../components/threads/thread-list'
import { ThreadSelection } from '../../components/threads/thread-selection'
import { LinkButton } from '../../components/ui/button'
import { Card, CardHead } from '../../components/ui/card'
import { EmptyState } from '../../components/ui/feedback/empty-state'
import { formatCount } from '../../components/ui/format'
import { listSearchOf, withChosen } from '../../components/ui/forms/list-search'
import { PageHead } from '../../components/ui/page-head'
import { Pager } from '../../components/ui/tables/pager'
import { pagingOf } from '../../components/ui/tables/paging'
import { handleDeleteThreadsAction } from '../../http/actions/threads/delete-threads-action.server'
import {
  type DashboardCall,
  dashboardAction,
  dashboardLoader,
  loadErrors,
  orMessage,
} from '../../http/session/dashboard.server'
import { paths } from '../../paths'
import { product } from '../../product'

export const meta: MetaFunction = () => [{ title: `Threads · ${product.name}` }]

export function loader(args: LoaderFunctionArgs) {
  return dashboardLoader(args, async ({ services, actor, organization, organizationId, url }) => {
    const filter = shownFilter(url)
    const { agentId } = filter
    const paging = pagingOf(args.request, defaultPageSizes.threads)
    const [threads, choices] = await Promise.all([
      services.threads.list(actor, organizationId, { ...paging, ...threadFilterSchema.parse(filter) }),
      agentChoices({ services, actor, organizationId, url }, agentId),
    ])
    return {
      threads,
      paging,
      filter,
      choices,
      mayDelete: organization.abilities.deleteThreads,
      loadedAt: new Date().toISOString(),
    }
  })
}

export function action(args: ActionFunctionArgs) {
  return dashboardAction(args, async (call, form) => handleDeleteThreadsAction(call, form, shownFilter(call.url)))
}

export { clientAction } from '../../components/ui/browser/client-action'

/** The filters of the page, without those that it has no field for. */
function shownFilter({ searchParams }: URL): ShownThreadFilter {
  const { agentId, verdict, feedback, question, createdSince, createdUntil } = threadFilterSchema.parse(
    Object.fromEntries(searchParams),
  )
  const day = (date: Date | undefined) => date?.toISOString().slice(0, 10)
  return { agentId, verdict, feedback, question, createdSince: day(createdSince), createdUntil: day(createdUntil) }
}

/** The agents to filter by: the latest, or those that the query searches for, and the chosen one. */
async function agentChoices(
  { services, actor, organizationId, url }: Pick<DashboardCall, 'services' | 'actor' | 'organizationId' | 'url'>,
  agentId: string | undefined,
): Promise<AgentChoices> {
  const search = listSearchOf(url.searchParams)
  const { docs, total } = await orMessage(
    services.agents.list(actor, organizationId, { page: 1, limit: 100, search }),
    loadErrors.agents,
  )
  const chosen =
    agentId && !docs.some(({ id }) => id === agentId)
      ? await services.agents.get(actor, { organizationId, agentId }).catch((error: unknown) => {
          if (!isAppError(error) || error.code !== 'not_found') throw error
          return { id: agentId, name: 'Deleted agent' }
        })
      : null
  const agents = withChosen<AgentChoices['agents'][number]>(docs, [chosen]).map(({ id, name }) => ({ id, name }))
  return { agents, search, isSearchable: search !== undefined || total > docs.length }
}

export default function Threads() {
  const { threads, paging, filter, choices, mayDelete, loadedAt } = useLoaderData<typeof loader>()
  const { threadId } = useParams()
  const isFiltered = Object.values(filter).some(Boolean)
  return (
    <>
      <PageHead title="Threads" />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[340px_minmax(0,1fr)]">
        {/* Where there is no room for both, the list, or the thread with a link back to the list. */}
        <Card label="Threads" className={threadId ? 'max-lg:hidden' : undefined}>
          <CardHead title="Threads" count={formatCount(threads.total)} />
          {(threads.total > 0 || isFiltered) && <ThreadFilters filter={filter} choices={choices} />}
          {threads.total > 0 && <ThreadSelection total={threads.total} {...{ isFiltered, mayDelete, loadedAt }} />}
          {threads.total > 0 ? (
            <ThreadList threads={threads.docs} selected={threadId ?? null} />
          ) : isFiltered ? (
            <EmptyState icon={SearchX} title="No thread matches">
              Use fewer filters, or another word of the question.
            </EmptyState>
          ) : (
            <EmptyState
              icon={MessagesSquare}
              title="No threads yet"
              action={<LinkButton to={paths.agents()}>Open agents</LinkButton>}
            >
              Conversations with agents appear here.
            </EmptyState>
          )}
          <Pager label="threads" paging={paging} total={threads.total} pages={threads.pages} />
        </Card>
        <Card label="Thread" className={threadId ? undefined : 'max-lg:hidden'}>
          <Outlet />
        </Card>
      </div>
    </>
  )
}
