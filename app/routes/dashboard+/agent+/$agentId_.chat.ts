import { type ActionFunctionArgs, type AppLoadContext, redirect } from '@remix-run/node'
import { chatSchema } from '../../../../contract/chat/thread'
import { statusOf } from '../../../../contract/values/error-codes'
import type { ChatEvent } from '../../../../contract/views/chat/thread'
import { AppError, isAppError } from '../../../../server/errors'
import { chatFailure } from '../../../components/chat/chat-failures'
import { notification } from '../../../components/notifications/notification'
import { problem, titleOf } from '../../../http/api/problem.server'
import { visitorMeta } from '../../../http/api/visitor-meta.server'
import { readBody } from '../../../http/body.server'
import { redirectWith } from '../../../http/cookies/notifications.server'
import { requireParam, toErrorData } from '../../../http/session/dashboard.server'
import { page } from '../../../http/session/page.server'
import { reauthenticateSession } from '../../../http/session/session.server'
import { StalePageError, withoutShown } from '../../../http/session/shown-organization.server'
import { streamedAnswer, wantsStream } from '../../../http/streams/chat-answer.server'
import { paths } from '../../../paths'

/** Sends a message to the agent. A script receives the answer as a stream; a plain form waits, then shows the thread. */
export async function action({ context, request, params }: ActionFunctionArgs) {
  const { actor, organization } = await page(context, request)
  const agentId = requireParam(params.agentId)
  const streaming = wantsStream(request)
  try {
    const body = withoutShown(await readBody(request, { form: true }), organization.id)
    const input = chatSchema.safeParse(body)
    if (!input.success) throw new AppError('invalid_input', input.error.issues[0]?.message ?? 'Invalid prompt')
    const { services, signal } = context
    const ref = { organizationId: organization.id, agentId }
    const reauthenticate = reauthenticateSession(context, request)
    const answer = services.chat.reply(actor, ref, input.data, visitorMeta(context, request), signal, reauthenticate)
    return streaming ? await streamedAnswer(answer, context) : await redirectAfter(context, agentId, answer)
  } catch (error) {
    if (streaming) return problem(error, context)
    if (!isAppError(error)) throw error
    if (error instanceof StalePageError) throw toErrorData(error, context)
    return redirectWith(
      context,
      paths.agent(agentId),
      chatFailure({ status: statusOf[error.code], title: titleOf(error), message: error.message }),
    )
  }
}

export function loader({ params }: ActionFunctionArgs) {
  return redirect(paths.agent(requireParam(params.agentId)))
}

async function redirectAfter(
  context: AppLoadContext,
  agentId: string,
  events: AsyncGenerator<ChatEvent>,
): Promise<Response> {
  let last: ChatEvent | null = null
  for await (const event of events) last = event
  if (last?.type === 'answer-end') return redirect(paths.agentThread(agentId, last.threadId), 303)
  if (last?.type !== 'answer-error') return redirectWith(context, paths.agent(agentId), chatFailure({ status: 500 }))
  return redirectWith(
    context,
    paths.agentThread(agentId, last.threadId),
    notification('danger', last.title, last.message),
  )
}
