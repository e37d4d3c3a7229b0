import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { threadFilterSchema } from '../../../../contract/chat/thread-filter'
import { defaultPageSizes } from '../../../../contract/values/limits'
import { AppError } from '../../../../server/errors'
import { ChatPanel } from '../../../components/chat/chat-panel'
import { canAsk, NotReady } from '../../../components/chat/not-ready'
import { handleThreadAction } from '../../../http/actions/threads/thread-actions.server'
import { dashboardAction, dashboardLoader, requireParam } from '../../../http/session/dashboard.server'
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
          'thread',
          services.threads.open(actor, { organizationId, threadId }).then((thread) => {
            if (thread.agent_id !== agent.id) throw new AppError('not_found', 'This thread belongs to another agent.')
            return thread
          }),
        )
      : null
    const { question } = threadFilterSchema.parse(Object.fromEntries(url.searchParams))
    const mine = { page: 1, limit: defaultPageSizes.threads, agentId: agent.id, createdBy: user.id, question }
    const { docs, total } = await services.threads.list(actor, organizationId, mine)
    const threads = { docs: docs.map(({ id, title, created_at }) => ({ id, title, created_at })), total }
    const shared = thread && {
      id: thread.id,
      published_at: thread.published_at,
      url: args.context.settings.publicUrl + paths.sharedThread(thread.id),
    }
    return { agent, threadId, shared, messages: thread?.messages ?? [], threads }
  })
}

/** Receives the buttons on the open thread. */
export function action(args: ActionFunctionArgs) {
  return dashboardAction(args, async (call, form) => {
    const threadId = String(form.get('thread') ?? '')
    const back = paths.agentThread(requireParam(args.params.agentId), threadId)
    return handleThreadAction(call, form, threadId, back)
  })
}

export { clientAction } from '../../../components/ui/browser/client-action'

/** Shows the chat if the agent takes questions, and earlier conversations in any case. */
export default function AgentChat() {
  const { agent, threadId, shared, messages, threads } = useLoaderData<typeof loader>()
  return (
    <div className="grid gap-4">
      <NotReady agent={agent} />
      {(canAsk(agent.status) || messages.length > 0) && (
        <ChatPanel
          agent={agent}
          canAsk={canAsk(agent.status)}
          threadId={threadId}
          shared={shared}
          messages={messages}
          threads={threads}
        />
      )}
    </div>
  )
}
