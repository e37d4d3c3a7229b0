import { type ActionFunctionArgs, redirect } from '@remix-run/node'
import { embedDiagnosisInputSchema } from '../../../../contract/chat/embed'
import { parse } from '../../../http/api/api.server'
import { problem } from '../../../http/api/problem.server'
import { readBody } from '../../../http/body.server'
import { requireParam } from '../../../http/session/dashboard.server'
import { page } from '../../../http/session/page.server'
import { withoutShown } from '../../../http/session/shown-organization.server'
import { eventStream, type ServerEvent } from '../../../http/streams/sse.server'
import { paths } from '../../../paths'

/** Streams the steps and the result of the embed doctor. */
export async function action({ context, request, params }: ActionFunctionArgs) {
  const { actor, organization } = await page(context, request)
  const ref = { organizationId: organization.id, agentId: requireParam(params.agentId) }
  try {
    const body = withoutShown(await readBody(request, { form: true }), organization.id)
    const input = { ...parse(embedDiagnosisInputSchema, body), widgetHashes: context.settings.widgetHashes() }
    const events = await context.services.embedDoctor.diagnose(actor, ref, input, context.signal)
    return eventStream(context, toServerEvents(events))
  } catch (error) {
    return problem(error, context)
  }
}

export function loader({ params }: ActionFunctionArgs) {
  return redirect(paths.agentWidget(requireParam(params.agentId)))
}

async function* toServerEvents<Event extends { kind: string }>(
  events: AsyncIterable<Event>,
): AsyncGenerator<ServerEvent> {
  for await (const event of events) yield { event: event.kind, data: event }
}
