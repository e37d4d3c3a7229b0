import { type ActionFunctionArgs, redirect } from '@remix-run/node'
import { sourceEditSchema, sourceSchema } from '../../../../contract/sources/source'
import { parse } from '../../../http/api/parse.server'
import { problem } from '../../../http/api/problem.server'
import { readBody } from '../../../http/body.server'
import { requireParam } from '../../../http/session/dashboard.server'
import { page } from '../../../http/session/page.server'
import { reauthenticateSession } from '../../../http/session/session.server'
import { withoutShown } from '../../../http/session/shown-organization.server'
import { previewStream } from '../../../http/streams/preview-stream.server'
import { paths } from '../../../paths'

/** Streams a preview of the source in a form, new or edited. POST only, because the fields may hold credentials. */
export async function action({ context, request, params }: ActionFunctionArgs) {
  const { actor, organization } = await page(context, request)
  const collectionId = requireParam(params.collectionId)
  try {
    const organizationId = organization.id
    const body = withoutShown(await readBody(request, { form: true }), organizationId)
    const { services, signal } = context
    const reauthenticate = reauthenticateSession(context, request)
    const preview = hasSourceId(body)
      ? services.sources.previewEdit(
          actor,
          { organizationId, collectionId, sourceId: body.id },
          parse(sourceEditSchema, body),
          signal,
          reauthenticate,
        )
      : services.sources.preview(
          actor,
          { organizationId, collectionId },
          parse(sourceSchema, body),
          signal,
          reauthenticate,
        )
    return await previewStream(context, preview)
  } catch (error) {
    return problem(error, context)
  }
}

export function loader({ params }: ActionFunctionArgs) {
  return redirect(paths.collection(requireParam(params.collectionId)))
}

function hasSourceId(body: unknown): body is { id: string } {
  return typeof body === 'object' && body !== null && 'id' in body && typeof body.id === 'string'
}
