import type { LoaderFunctionArgs } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { agentStatuses } from '../../../../contract/enumerations'
import { AppError } from '../../../../server/errors'
import { ChatPanel } from '../../../components/chat/chat-panel'
import { NotReady } from '../../../components/chat/not-ready'
import { notification } from '../../../components/notifications/notification'
import { dashboardLoader, requireParam } from '../../../http/session/dashboard.server'
import { redirectIfMissing } from '../../../http/session/redirect-if-missing.server'
import { paths } from '../../../paths'

export function loader(args: LoaderFunctionArgs) {
  return dashboardLoader(args, async ({ services, actor, user, organizationId, url }) => {
    const agent = await services.agents.get(actor, { organizationId, agentId: requireParam(args.params.agentId) })
    const threadId = url.searchParams.get('thread')
    const thread = threadId
      ? await redirectIfMissing(
          args.context,
          paths.agent(agent.id),
          notification(
            'warning',
            "Couldn't find thread",
            'This thread does not exist or you do not have access to it.',
          ),
          services.threads.get(actor, { organizationId, threadId }).then((thread) => {
            if (thread.agent_id !== agent.id) throw new AppError('not_found', 'This thread belongs to another agent.')
            return thread
          }),
        )
      : null
    const mine = { page: 1, limit: 100, agentId: agent.id, createdBy: user.id }
    const { docs } = await services.threads.list(actor, organizationId, mine)
    const threads = docs.map(({ id, created_at }) => ({ id, created_at }))
    return { agent, threadId, messages: thread?.messages ?? [], threads }
  })
}

/** Shows the chat if the agent can answer, and earlier conversations in any case. */
export default function AgentChat() {
  const { agent, threadId, messages, threads } = useLoaderData<typeof loader>()
  const ready = agent.status === agentStatuses.operational
  return (
    <div className="grid gap-4">
      <NotReady agent={agent} />
      {(ready || messages.length > 0) && (
        <ChatPanel agent={agent} threadId={threadId} messages={messages} threads={threads} />
      )}
    </div>
  )
}
